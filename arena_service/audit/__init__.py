"""The proof of an exported competition from its file alone: no database, no network.

The way of a pair: `files` reads its lines into `documents`. `replays` plays each of its matches
again and lets the replay go; `books` keeps the rest, by event. When everything has been read,
`structure` and `terms` say whether it belongs together, `origins` whether key, draw and seats lead
to it, `candidates` whether match-making was told the truth, and `tables` whether tables and ratings
follow. `history` shows it to its format as the arena does. `odd` names what can be and yet is
strange. `examine` has the order of all this.
"""
