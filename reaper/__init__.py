"""Judges the GPU use of one cluster and frees what is idle by policy, never hurting work."""
