"""
Slurm: who holds which GPUs, what waits, and the gentlest way to release.

It knows Slurm's words, its versions' shapes and its traps, behind one back-end that is asked once
a cycle for everything.
It refuses to judge idleness, to write into a job's comments, to mail, and to do anything to more
than one job at a time.
"""
