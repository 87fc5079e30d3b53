"""Models as packages: written, read, and called."""
