"""
Kubernetes: which workloads hold which GPUs, what waits, and the gentlest way to release.

It knows Kubernetes' words and what stops together there: the workload with all its pods.
It refuses to judge idleness, to delete a pod, and to touch what it does not know.
"""
