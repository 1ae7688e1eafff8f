"""
What Slurm tells of jobs, nodes and GPUs, as frozen values free of versions and of shapes.

It knows Slurm's spellings; it refuses to guess: what is half understood is a doubt.
"""
