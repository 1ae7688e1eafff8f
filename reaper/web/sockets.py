"""
Where the reaper listens: a port, with TLS if it is wanted, and the unix socket's file.

The file is open to everybody, replaced when stale, removed at the end.
"""

import socket
import ssl
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from reaper.ports import ReaperError
from reaper.schema import Address
from reaper.web.roles import TlsSettings

#: Everybody may connect; who asks is known by the kernel's credentials.
_MODE: Final = 0o666
_FOLDER_MODE: Final = 0o755


class ListenError(ReaperError):
    """The reaper cannot listen where it should; the message names the cure."""


def listen(path: Path) -> socket.socket:
    """Return a socket that listens at a path; raise ListenError."""
    clear(path)
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        path.parent.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
        server.bind(str(path))
        path.chmod(_MODE)
        server.listen()
    except OSError as error:
        server.close()
        message = f"cannot listen at {path}: {error.strerror or error}; set `web.socket`"
        raise ListenError(message) from error
    server.setblocking(False)
    return server


def bind(address: Address, *, key: str = "web.listen") -> socket.socket:
    """Return a socket that is bound to a port; raise ListenError, which names the key."""
    try:
        found = socket.getaddrinfo(
            address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        family, *_, place = found[0]
        bound = socket.create_server(place[:2], family=family, backlog=128)
    except OSError as error:
        message = f"cannot listen on {address}: {error.strerror or error}; set `{key}`"
        raise ListenError(message) from error
    bound.setblocking(False)
    return bound


def tls(settings: TlsSettings | None) -> ssl.SSLContext | None:
    """Return what a site proves itself by; None for a site without; raise ListenError."""
    if settings is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(settings.certificate, settings.key)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        message = f"web.tls: {settings.certificate} and its key cannot be used: {reason}"
        raise ListenError(message) from None
    return context


def remove(path: Path) -> None:
    """Remove the socket's file."""
    with suppress(OSError):
        path.unlink()


def clear(path: Path) -> None:
    """Remove a socket that nobody listens at any more; raise ListenError where somebody does."""
    try:
        mode = path.lstat().st_mode
    except OSError:
        return
    if not stat.S_ISSOCK(mode):
        raise ListenError(f"{path} is no socket: move it away, or set `web.socket`")
    if _answers(path):
        raise ListenError(f"another gpu-reaper listens at {path}: stop it, or set `web.socket`")
    remove(path)


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(1)
        try:
            client.connect(str(path))
        except PermissionError:
            return True
        except OSError:
            return False
    return True
