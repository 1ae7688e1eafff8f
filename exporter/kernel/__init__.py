"""
What the kernel of this node tells: its log, its processes, their cgroups, its bus.

It knows files below `/proc`, `/sys` and `/dev`; it refuses to know the driver, and what is shown.
"""
