"""
Who holds what on Kubernetes: pods walked up to their workloads, workloads turned into claims.

It knows owner references, gangs and who may be called an owner.  It refuses to guess: a walk that
cannot be ended, a device that nobody names and a label that users write are no knowledge.
"""
