"""
How workloads of Kubernetes are stopped and put back: the gentlest way, its trace, its refusals.

It knows which field of which kind stops it, and who would undo that.  It refuses to delete a pod,
to write without saying which object in which version is meant, and to know why.
"""
