"""
What inference servers answer: the counters of requests on their own Prometheus pages.

It knows the names that usual servers give these counters, and where a server of a run listens.
It refuses to know utilisation, and whether a quiet server is still needed.
"""

from reaper.activity.serving.settings import ServerSettings

__all__ = ["ServerSettings"]
