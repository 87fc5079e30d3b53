"""Compiles graphs of ATen operators to partitions: segments, import, artifacts,
tuning, and graphs whose shapes change."""
