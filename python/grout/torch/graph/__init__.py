"""Properties of graphs of ATen operators and of their nodes."""
