"""Compiled partitions and their calls: memory, CUDA graphs, the fallback, and how
long calls take."""
