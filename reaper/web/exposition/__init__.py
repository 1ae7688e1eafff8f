"""
What machines read beside the API: metrics, health, and what sources said last.

It knows the catalogue of metrics; it refuses to know who holds what by name.
"""
