"""
The roles that adapters play, the answers they owe and the errors they raise.

An answer carries `as_of`.  An adapter that cannot answer raises :class:`SourceError`; one that
can answer in part says which nodes it is blind on.  No vendor type crosses a port.
"""

from reaper.ports.answers import (
    Claims,
    Delivered,
    Fronts,
    Known,
    Letter,
    NodeReport,
    Person,
    Progress,
    Readings,
    Receipt,
    Recheck,
    Returned,
)
from reaper.ports.books import Books
from reaper.ports.errors import (
    ActionError,
    LostLeadershipError,
    NoRoomError,
    NotifyError,
    ReaperError,
    SourceError,
    StoreError,
)
from reaper.ports.hearing import Door, Listener
from reaper.ports.roles import (
    Activity,
    Actor,
    Amending,
    Clock,
    Demand,
    Fronting,
    Holder,
    Notifier,
    People,
    Returning,
)
from reaper.ports.serving import Serving
from reaper.ports.stores import Store

__all__ = [
    "ActionError",
    "Activity",
    "Actor",
    "Amending",
    "Books",
    "Claims",
    "Clock",
    "Delivered",
    "Demand",
    "Door",
    "Fronting",
    "Fronts",
    "Holder",
    "Known",
    "Letter",
    "Listener",
    "LostLeadershipError",
    "NoRoomError",
    "NodeReport",
    "Notifier",
    "NotifyError",
    "People",
    "Person",
    "Progress",
    "Readings",
    "ReaperError",
    "Receipt",
    "Recheck",
    "Returned",
    "Returning",
    "Serving",
    "SourceError",
    "Store",
    "StoreError",
]
