"""
How Slurm is asked to release or to save: the gentlest way, its proof, and its refusals.

It knows commands and their outcomes; it refuses to know why.
"""
