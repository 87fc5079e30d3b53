"""Calls compiled partitions: memory, CUDA graphs, the fallback, and times."""
