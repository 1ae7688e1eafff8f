"""
Everything that a person asks to change: keep, release, dispute, pause, resume, rule, approve.

One place for every channel.  Each request needs an identity, is one transaction, and leaves an
event behind.  It knows cases, keeps, holds and events; it refuses to know channels, platforms
and how anything is carried out.
"""

from reaper.requests.asking import PAUSED
from reaper.requests.identity import (
    Granted,
    Identity,
    RefusedError,
    UnconfirmedError,
    UsedTokenError,
)
from reaper.requests.room import Requests

__all__ = [
    "PAUSED",
    "Granted",
    "Identity",
    "RefusedError",
    "Requests",
    "UnconfirmedError",
    "UsedTokenError",
]
