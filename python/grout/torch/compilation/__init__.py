"""From a graph of ATen operators to compiled partitions: segments, import,
artifacts, tuning, and graphs whose shapes change."""
