"""
How one API server is reached and who asks: addresses, trust and credentials, fresh at each request.

A file that changed is read again: rotated tokens and certificates need no restart.
"""

import os
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from reaper.edge.command import Runner, run
from reaper.edge.kubernetes import kubeconfig
from reaper.edge.kubernetes.errors import KubeError
from reaper.edge.kubernetes.kubeconfig import ACCOUNT, Entry
from reaper.edge.kubernetes.plugin import Credential, ask
from reaper.ports import Clock

#: Seconds before its end from which on a plugin is asked for a new credential.
_EARLY: Final = 60.0

_Signature = tuple[tuple[str, int, int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What a request needs; `secrets` must be in no text."""

    server: str
    tls: ssl.SSLContext | None = None
    server_name: str = ""
    proxy: str = ""
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)


class Door:
    """One API server's access, from a kubeconfig's context or a pod's service account."""

    def __init__(
        self,
        read: Callable[[], Entry],
        clock: Clock,
        *,
        environment: Mapping[str, str],
        runner: Runner = run,
    ) -> None:
        self._read = read
        self._clock = clock
        self._environment = environment
        self._run = runner
        self._entry: Entry | None = None
        self._signature: _Signature = ()
        self._credential: Credential | None = None
        self._tls: tuple[tuple[bytes, bytes], ssl.SSLContext] | None = None

    async def access(self) -> Access:
        """Return how to ask now; raise KubeError where it is not known."""
        entry = self._current()
        proof = await self._proof(entry)
        token = proof.token
        headers = (("Authorization", f"Bearer {token}"), *entry.headers) if token else entry.headers
        return Access(
            server=entry.server,
            tls=self._trust(entry, proof) if entry.server.startswith("https:") else None,
            server_name=entry.server_name,
            proxy=entry.proxy,
            headers=headers,
            secrets=(token,) if token else (),
        )

    def renew(self) -> None:
        """Forget what was refused: everything is read and asked for again."""
        self._entry = self._credential = self._tls = None

    def _current(self) -> Entry:
        if self._entry is None or _signature(self._entry.files) != self._signature:
            self.renew()
            entry = self._read()
            self._signature = _signature(entry.files)
            self._entry = entry
        return self._entry

    async def _proof(self, entry: Entry) -> Credential:
        if entry.plugin is not None:
            return await self._asked(entry)
        token = entry.token
        if entry.token_file is not None:
            token = _token(entry.token_file) or token
        return Credential(token=token, certificate=entry.certificate, key=entry.key)

    async def _asked(self, entry: Entry) -> Credential:
        assert entry.plugin is not None  # noqa: S101 - only asked where there is one
        known = self._credential
        if known is None or (
            known.expires is not None and known.expires - _EARLY <= self._clock.now()
        ):
            known = self._credential = await ask(entry.plugin, self._run, self._environment)
        return known

    def _trust(self, entry: Entry, proof: Credential) -> ssl.SSLContext:
        """Return the trust, made once for as long as certificates stay."""
        pair = (proof.certificate, proof.key)
        if self._tls is None or self._tls[0] != pair:
            self._tls = (pair, _context(entry, pair))
        return self._tls[1]


def door(
    *,
    path: Path | None,
    context: str,
    clock: Clock,
    environment: Mapping[str, str],
    account: Path = ACCOUNT,
) -> Door:
    """
    Return the way to one API server; nothing is read yet.

    Without a file and a context it is the pod's own, where we are in one; then what KUBECONFIG
    names, then ``~/.kube/config``.
    """

    def read() -> Entry:
        if path is None and not context:
            found = kubeconfig.in_cluster(environment, account)
            if found is not None:
                return found
        return kubeconfig.read((path,) if path else _usual(environment), context)

    return Door(read, clock, environment=environment)


def _usual(environment: Mapping[str, str]) -> tuple[Path, ...]:
    named = [Path(part) for part in environment.get("KUBECONFIG", "").split(os.pathsep) if part]
    if named:
        return tuple(one for one in named if one.exists()) or tuple(named[:1])
    return (Path(environment.get("HOME", "/")) / ".kube" / "config",)


def _token(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise KubeError(f"{path} cannot be read: {why}", reason="Access") from None
    if len(text.split()) > 1:
        raise KubeError(f"{path} holds more than a token", reason="Access")
    return text


def _signature(files: tuple[Path, ...]) -> _Signature:
    found = []
    for path in files:
        try:
            status = path.stat()
        except OSError:
            found.append((str(path), 0, 0, 0))
        else:
            found.append((str(path), status.st_mtime_ns, status.st_size, status.st_ino))
    return tuple(found)


def _context(entry: Entry, pair: tuple[bytes, bytes]) -> ssl.SSLContext:
    try:
        found = ssl.create_default_context(cadata=entry.ca.decode("ascii") if entry.ca else None)
    except (ssl.SSLError, UnicodeDecodeError):
        text = f"{entry.server}: its certificate authority is no certificate in PEM"
        raise KubeError(text, reason="Access") from None
    if all(pair):
        try:
            with _in_memory(b"\n".join(pair)) as path:
                found.load_cert_chain(path)
        except ssl.SSLError:
            text = f"{entry.server}: the client certificate and its key do not fit"
            raise KubeError(text, reason="Access") from None
    return found


@contextmanager
def _in_memory(content: bytes) -> Iterator[str]:
    """Give a path to what must be on no disk: OpenSSL reads keys from files only."""
    descriptor = os.memfd_create("client", os.MFD_CLOEXEC)
    try:
        os.write(descriptor, content)
        yield f"/proc/self/fd/{descriptor}"
    finally:
        os.close(descriptor)
