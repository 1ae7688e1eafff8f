"""
``gpu-reaper doctor``: what stands in the way, each finding with its cure.

It knows what to look at; it refuses to change anything.
"""
