"""
Who asks on the unix socket: the user that the kernel names, and whether that is an operator.

Nothing that the other side says is believed.
"""

import grp
import os
import pwd
import socket
import struct
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final, Protocol

from reaper.requests import Identity, RefusedError
from reaper.web.access.visitor import Visitor
from reaper.web.json_api.asks import Change
from reaper.web.settings import Operators, Readers

CHANNEL: Final = "socket"

_CREDENTIALS: Final = struct.Struct("3i")
"""``struct ucred`` of Linux: pid, uid, gid."""

_OVERFLOW: Final = 65534
"""The uid that the kernel gives for a user of a foreign user namespace: nobody in particular."""


class Connection(Protocol):
    """The part of a socket that tells who is at its other end."""

    @property
    def family(self) -> int:
        """Return what kind of socket it is."""

    def getsockopt(self, level: int, optname: int, buflen: int) -> bytes:
        """Return an option of the socket."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """Who the kernel says is at the other end."""

    uid: int
    gid: int


def is_unix(connection: Connection) -> bool:
    """Tell whether the kernel knows who is at the other end."""
    return connection.family == socket.AF_UNIX


def peer(connection: Connection) -> Peer:
    """Return the credentials of the process that connected."""
    answer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    _, uid, gid = _CREDENTIALS.unpack(answer)
    return Peer(uid=uid, gid=gid)


def identify(asking: Peer, operators: Operators) -> Identity:
    """Return the identity of a peer; raise RefusedError when its user is nobody known here."""
    if asking.uid == _OVERFLOW:
        raise RefusedError("foreign-namespace")
    try:
        user = pwd.getpwuid(asking.uid).pw_name
    except KeyError:
        raise RefusedError("nameless-uid", uid=asking.uid) from None
    operator = asking.uid == 0 or user in operators.users or _in_groups(user, asking.gid, operators)
    return Identity(user=user, operator=operator, channel=CHANNEL)


def reader(asking: Peer, operators: Operators, readers: Readers) -> Visitor:
    """
    Return what a peer may read; raise RefusedError when its user is nobody known here.

    The user that the reaper runs as reads everything: what is told lies in files of that user.
    """
    known = identify(asking, operators)
    return Visitor(
        user=known.user,
        channel=CHANNEL,
        operator=known.operator,
        local=readers == "all" or asking.uid == os.geteuid(),
    )


def _in_groups(user: str, gid: int, operators: Operators) -> bool:
    wanted = set(operators.groups)
    return bool(wanted) and any(_group(number) in wanted for number in os.getgrouplist(user, gid))


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return ""


def once(by: Identity, what: str, asked: Change) -> Identity:
    """Return who asks with a right that is spent by doing it, where the change has a key."""
    if not asked.key:
        return by
    told = f"{by.user}\n{what}\n{asked.model_dump_json()}"
    return replace(by, token=f"asked:{sha256(told.encode()).hexdigest()}")
