"""Writes, reads and calls packages of models."""
