"""Proof that schedule, results, replays, ledger and ratings of an arena agree; it reads only."""
