"""
What one API server holds, kept as records by lists and watches.

It knows when it heard what.  It refuses to say what it could not read: that is its trouble.
"""

from reaper.platforms.kubernetes.mirror.mirror import Mirror
from reaper.platforms.kubernetes.mirror.seen import Seen

__all__ = ["Mirror", "Seen"]
