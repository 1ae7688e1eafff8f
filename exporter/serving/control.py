"""
The local socket: an operator of this node lets the driver go, takes it up, and asks the doctor.

Who asks is who the kernel says.  Root and the exporter's own user may, nobody else.
"""

import os
import socket
import stat
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from aiohttp import web

from exporter.serving.web import Desk, add_acts

_CREDENTIALS: Final = struct.Struct("3i")

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class ControlError(OSError):
    """The socket cannot be made; the message says why and what to do."""


def application(desk: Desk, doctor: Callable[[], Awaitable[str]]) -> web.Application:
    """Return the application that is served on the socket."""
    app = web.Application(middlewares=[_guard])
    add_acts(app, desk, by="command")

    async def examine(_request: web.Request) -> web.StreamResponse:
        return web.Response(text=await doctor())

    app.router.add_get("/doctor", examine)
    return app


@web.middleware
async def _guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    uid = peer(request.get_extra_info("socket"))
    if uid in {0, os.geteuid()}:
        return await handler(request)
    return web.Response(status=403, text="only root and the exporter's own user may\n")


def peer(connection: socket.socket | None) -> int | None:
    """Return the uid at the other end of a unix socket, by the kernel's word."""
    if connection is None or connection.family != socket.AF_UNIX:
        return None
    size = _CREDENTIALS.size
    _, uid, _ = _CREDENTIALS.unpack(
        connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
    )
    return int(uid)


def listen(path: Path) -> socket.socket:
    """Return a socket that listens at a path; raise :class:`ControlError`."""
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        _clear(path)
        _bind(server, path)
        server.listen()
    except OSError as error:
        server.close()
        raise ControlError(f"--control {path}: {error.strerror or error}") from error
    server.setblocking(False)
    return server


def _bind(server: socket.socket, path: Path) -> None:
    """Make the socket's file for its owner alone, from its first moment and whatever the umask."""
    before = os.umask(0o177)
    try:
        server.bind(str(path))
    finally:
        os.umask(before)


def remove(path: Path) -> None:
    """Remove the socket's file."""
    with suppress(OSError):
        path.unlink()


def _clear(path: Path) -> None:
    """Remove a socket at which nobody listens any more."""
    with suppress(FileNotFoundError):
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise OSError("something else than a socket lies there")
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.settimeout(1)
            if client.connect_ex(str(path)) == 0:
                raise OSError("another exporter listens there")
        path.unlink()
