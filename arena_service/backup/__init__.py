"""A whole arena as one file, and an arena made from one; docs/operations.md says how it is used."""
