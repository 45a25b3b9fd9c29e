"""Many models at once: all pairs of them, and the candidates of a search."""
