"""Passes over a graph of ATen operators, before the graph is cut into
partitions."""
