"""Search from a view, for every game alike: flat Monte Carlo and ISMCTS."""
