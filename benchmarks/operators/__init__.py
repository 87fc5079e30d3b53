"""Memory-bound operators of AKG's test suite, as linalg on tensors.

table reads rows; rebuild makes a graph of each; emit writes it as MLIR, and
reference computes it with NumPy; checking holds the one against the other.
"""
