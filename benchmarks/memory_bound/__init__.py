"""Memory-bound operators, beside PyTorch: what memory.py is made of."""
