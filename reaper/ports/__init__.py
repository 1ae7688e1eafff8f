"""
The roles that adapters play, the answers they owe and the errors they raise.

An answer carries `as_of`.  An adapter that cannot answer raises :class:`SourceError`; one that
can answer in part says which nodes it is blind on.  No vendor type crosses a port.

A name is imported when it is asked for: a command that only asks a running reaper needs the
errors alone.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
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
        Wished,
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
        WrongError,
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
        Recalling,
        Resuming,
        Returning,
        Tracing,
    )
    from reaper.ports.serving import Serving
    from reaper.ports.stores import Store
else:
    _ROOMS: Final = {
        "answers": (
            "Claims",
            "Delivered",
            "Fronts",
            "Known",
            "Letter",
            "NodeReport",
            "Person",
            "Progress",
            "Readings",
            "Receipt",
            "Recheck",
            "Returned",
            "Wished",
        ),
        "books": ("Books",),
        "errors": (
            "ActionError",
            "LostLeadershipError",
            "NoRoomError",
            "NotifyError",
            "ReaperError",
            "SourceError",
            "StoreError",
            "WrongError",
        ),
        "hearing": ("Door", "Listener"),
        "roles": (
            "Activity",
            "Actor",
            "Amending",
            "Clock",
            "Demand",
            "Fronting",
            "Holder",
            "Notifier",
            "People",
            "Recalling",
            "Resuming",
            "Returning",
            "Tracing",
        ),
        "serving": ("Serving",),
        "stores": ("Store",),
    }
    _PLACES: Final = {name: room for room, names in _ROOMS.items() for name in names}

    def __getattr__(name: str) -> object:
        """Import a name of the ports when it is asked for."""
        if name not in _PLACES:
            raise AttributeError(name)
        found = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
        globals()[name] = found
        return found


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
    "Recalling",
    "Receipt",
    "Recheck",
    "Resuming",
    "Returned",
    "Returning",
    "Serving",
    "SourceError",
    "Store",
    "StoreError",
    "Tracing",
    "Wished",
    "WrongError",
]
