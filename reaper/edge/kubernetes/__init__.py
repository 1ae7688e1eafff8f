"""
The door to Kubernetes API servers: who asks, verbs, lists, watches, what is served.

It knows HTTP, credentials, versions and refusals.  It refuses to know of GPUs, of workloads, and
of what anything is asked for; it repeats nothing that could have been done already.
"""

from reaper.edge.kubernetes.access import Access, Door, door
from reaper.edge.kubernetes.connection import MANAGER, Connection, Object, Page
from reaper.edge.kubernetes.discovery import Resource, Served
from reaper.edge.kubernetes.errors import KubeError
from reaper.edge.kubernetes.watching import SILENT, Change

__all__ = [
    "MANAGER",
    "SILENT",
    "Access",
    "Change",
    "Connection",
    "Door",
    "KubeError",
    "Object",
    "Page",
    "Resource",
    "Served",
    "door",
]
