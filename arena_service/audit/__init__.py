"""The proof of an exported competition from its file alone: no database, no network."""
