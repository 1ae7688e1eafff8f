"""Measures GPUs on one node and says who holds them: knows facts, judges nothing."""
