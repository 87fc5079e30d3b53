"""Passes over a graph of ATen operators, before it is cut into partitions."""
