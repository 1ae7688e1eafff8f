"""
What `doctor` finds out about Kubernetes: whether it answers, what we may do, what cannot be done.

It knows what each mode needs.  It refuses to change anything: it looks and asks for reviews.
"""

from reaper.platforms.kubernetes.checks.looks import Subject, check

__all__ = ["Subject", "check"]
