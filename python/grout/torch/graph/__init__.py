"""What can be said of a graph of ATen operators and of its nodes."""
