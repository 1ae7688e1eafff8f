"""
What a configuration needs beyond its own text before the reaper can start.

Secrets, certificates, files and folders that it names, and where it is to write and listen: looked
at as this user, in this environment, and changed in nothing.
"""

import os
import socket
import ssl
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from errno import EADDRINUSE
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from reaper.config.configuration import Configuration
from reaper.edge.files import read_text
from reaper.edge.problems import Where
from reaper.edge.secrets import SecretError, given_key, secret
from reaper.schema import Address, Secret, Settings
from reaper.web.roles import TlsSettings

Needed = tuple[Where, str, str]
"""Where it is asked for, what is wrong with it, and the cure."""

#: Letters in the mode of a file by which everybody on the machine may read or write it.
_EVERYBODY: Final = stat.S_IROTH | stat.S_IWOTH

#: Bytes of the key that signs answers.
_KEY: Final = 32

_AS_USER: Final = "check it as the user that runs the reaper, or give that user the right"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A setting and its place in the configuration."""

    where: Where
    name: str
    value: object


def parts(configuration: Configuration) -> Iterator[Part]:
    """Yield every setting of the configuration, however deep it lies."""
    for name in ("activity", "servers", "people", "notifiers", "report", "web", "store"):
        yield from _within((name,), name, getattr(configuration, name))
    for name, settings in configuration.platforms:
        yield from _within(("platforms", name), name, settings)


def _within(where: Where, name: str, value: object) -> Iterator[Part]:
    yield Part(where=where, name=name, value=value)
    if isinstance(value, Settings):
        for field in type(value).model_fields:
            yield from _within((*where, field), field, getattr(value, field))
    elif isinstance(value, tuple):
        for position, item in enumerate(value):
            yield from _within((*where, position), name, item)


def missing(configuration: Configuration, environ: Mapping[str, str]) -> Iterator[Needed]:
    """Yield everything that would keep the reaper from starting, each with its cure."""
    for part in parts(configuration):
        if isinstance(part.value, Secret):
            yield from _secret(part, part.value, environ)
        elif isinstance(part.value, TlsSettings):
            yield from _chain(part.where, part.value)
        elif isinstance(part.value, Path) and part.name in FILES:
            yield from FILES[part.name](part.where, part.value)
    yield from _written(configuration)
    yield from _listening(configuration.web.listen)


def loose(configuration: Configuration) -> Iterator[Needed]:
    """Yield the secrets that everybody on this machine may read."""
    for part in parts(configuration):
        path = part.value.file if isinstance(part.value, Secret) else None
        if isinstance(part.value, TlsSettings):
            path = part.value.key
        if path is not None and _open_to_all(path):
            what = f"everybody on this machine may read {path}"
            yield part.where, what, f"chmod o-rwx {path}"


def _open_to_all(path: Path) -> bool:
    try:
        found = path.stat()
    except OSError:
        return False
    return stat.S_ISREG(found.st_mode) and bool(found.st_mode & _EVERYBODY)


# ------------------------------------------------------------------ what is read


def _secret(part: Part, reference: Secret, environ: Mapping[str, str]) -> Iterator[Needed]:
    read = given_key if part.where == ("web", "key") else secret
    try:
        read(reference, environ)
    except SecretError as error:
        what, _, cure = str(error).partition("; ")
        yield part.where, what, cure or "check the path and who may read it"


def _authority(where: Where, path: Path) -> Iterator[Needed]:
    try:
        ssl.create_default_context(cafile=str(path))
    except ssl.SSLError:
        cure = "write the file of the authority's certificates, in PEM"
        yield where, f"{path} holds no certificate", cure
    except OSError as error:
        yield _unread(where, path, error)


def _chain(where: Where, tls: TlsSettings) -> Iterator[Needed]:
    unread = [
        _unread((*where, name), path, error)
        for name, path in (("certificate", tls.certificate), ("key", tls.key))
        for error in [_error(path)]
        if error is not None
    ]
    yield from unread
    if unread:
        return
    try:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(tls.certificate, tls.key, password="")
    except (ssl.SSLError, OSError, ValueError):
        what = f"{tls.certificate} and {tls.key} are no certificate and its key"
        yield where, what, "write both as PEM, the key without a password"


def _error(path: Path) -> OSError | None:
    try:
        path.read_bytes()
    except OSError as error:
        return error
    return None


def _file(where: Where, path: Path) -> Iterator[Needed]:
    try:
        read_text(path)
    except OSError as error:
        yield _unread(where, path, error)
    except UnicodeDecodeError:
        yield where, f"{path} is no text", "name the file that was meant"


def _folder(where: Where, path: Path) -> Iterator[Needed]:
    if not path.is_dir():
        yield where, f"{path} is no folder", "write the folder in which the commands lie"


def _unread(where: Where, path: Path, error: OSError) -> Needed:
    return where, f"{path} cannot be read: {error.strerror}", "check the path and who may read it"


FILES: Final[Mapping[str, Callable[[Where, Path], Iterator[Needed]]]] = {
    "ca": _authority,
    "conf": _file,
    "commands": _folder,
    "kubeconfig": _file,
    "scenario": _file,
}
"""What is looked at by the name of its key: what must be there before the reaper starts."""

ELSEWHERE: Final = frozenset(
    (
        *("file", "rates", "certificate", "key", "file_sd", "state", "socket"),
        *("directory", "folder", "maildir", "mbox", "state_dir", "kill_switch"),
    )
)
"""Keys of paths that are looked at otherwise, may come later, or are made by the reaper."""


# ------------------------------------------------------------------ what is written


def _written(configuration: Configuration) -> Iterator[Needed]:
    yield from _writable(("state_dir",), configuration.state_dir)
    yield from _answers(configuration)
    url = urlsplit(configuration.store.address)
    if configuration.store.kind == "sql" and url.scheme == "sqlite":
        yield from _writable(("store", "url"), Path(url.path.removeprefix("/")).parent)
    yield from _writable(("web", "socket"), configuration.web.socket.parent)


def _writable(where: Where, folder: Path) -> Iterator[Needed]:
    """Look at the nearest folder that is there already: what is not will be made in it."""
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not there.is_dir():
        yield where, f"{there} is no folder", "name another path"
    elif not os.access(there, os.W_OK | os.X_OK):
        yield where, f"{there} cannot be written by this user", _AS_USER


def _answers(configuration: Configuration) -> Iterator[Needed]:
    """Look at the key that signs answers, where it was made before and none is given."""
    path = configuration.state_dir / "answer.key"
    if configuration.web.key is not None or not path.exists():
        return
    try:
        if len(path.read_bytes()) < _KEY:
            yield ("state_dir",), f"{path} is too short for a key", "remove it: a new one is made"
    except OSError as error:
        yield ("state_dir",), f"{path} cannot be read: {error.strerror}", _AS_USER


def _listening(address: Address) -> Iterator[Needed]:
    """Try whether this machine has the address; one that is taken may be taken by the reaper."""
    try:
        found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
        family, kind, protocol, _, place = found[0]
        with socket.socket(family, kind, protocol) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(place)
    except OSError as error:
        if error.errno != EADDRINUSE:
            what = f"{address} cannot be listened on: {error.strerror}"
            yield ("web", "listen"), what, "write an address of this machine and a free port"
