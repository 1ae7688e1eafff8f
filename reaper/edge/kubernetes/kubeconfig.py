"""
Reads kubeconfig files, and what a pod is given, into what one API server needs.

Several files are merged as kubectl does: the first one that names something has its word.  What
this reader does not support it refuses by name, so that nobody is asked with less than was meant.
"""

import base64
import binascii
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import yaml

from reaper.edge.files import read_text
from reaper.edge.kubernetes.errors import KubeError

ACCOUNT: Final = Path("/var/run/secrets/kubernetes.io/serviceaccount")
"""Where a pod finds its service account."""

_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
_REFUSED: Final = {
    "auth-provider": "use an exec plugin or a token",
    "username": "use a token, a client certificate or an exec plugin",
    "password": "use a token, a client certificate or an exec plugin",
    "as-user-extra": "impersonate without it",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """A program that prints a credential."""

    version: str
    command: str
    args: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    hint: str = ""
    cluster: Mapping[str, Any] | None = None
    """What it is told of the cluster, where it asks for that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """
    One API server and how to prove who asks, as it is written; `files` are what it was read from.

    Certificates and keys are PEM; `token_file` goes before `token`.
    """

    server: str
    ca: bytes = field(default=b"", repr=False)
    server_name: str = ""
    proxy: str = ""
    certificate: bytes = field(default=b"", repr=False)
    key: bytes = field(default=b"", repr=False)
    token: str = field(default="", repr=False)
    token_file: Path | None = None
    plugin: Plugin | None = None
    headers: tuple[tuple[str, str], ...] = ()
    files: tuple[Path, ...] = ()


def in_cluster(environment: Mapping[str, str], account: Path = ACCOUNT) -> Entry | None:
    """Return the server that a pod is told of; None outside of a pod."""
    host = environment.get("KUBERNETES_SERVICE_HOST", "")
    token, ca = account / "token", account / "ca.crt"
    if not host or not token.exists():
        return None
    port = environment.get("KUBERNETES_SERVICE_PORT", "443")
    shown = f"[{host}]" if ":" in host else host
    return Entry(
        server=f"https://{shown}:{port}",
        ca=_bytes(ca),
        token_file=token,
        files=(token, ca),
    )


def read(paths: Sequence[Path], context: str = "") -> Entry:
    """Return what a context names, the current one without a name; raise KubeError."""
    found = _Merged(paths)
    name = context or found.current
    if not name:
        cure = f"name a context: {', '.join(found.contexts) or 'there is none'}"
        raise _wrong(paths, "no context is named and none is current", cure)
    if name not in found.contexts:
        cure = f"there are: {', '.join(found.contexts) or 'none'}"
        raise _wrong(paths, f"no context {name!r}", cure)
    base, chosen = found.contexts[name]
    cluster_base, cluster = found.named("clusters", str(chosen.get("cluster", "")), base)
    user_base, user = found.named("users", str(chosen.get("user", "")), base)
    return _entry(tuple(paths), name, (cluster_base, cluster), (user_base, user))


class _Merged:
    """Several files as one: of what is named twice, the first stands; paths are beside theirs."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths
        self.current = ""
        self._groups: dict[str, dict[str, tuple[Path, Mapping[str, Any]]]] = {
            "clusters": {},
            "contexts": {},
            "users": {},
        }
        for path in paths:
            self._take(path, _document(path))
        self.contexts = self._groups["contexts"]

    def named(self, group: str, name: str, base: Path) -> tuple[Path, Mapping[str, Any]]:
        """Return one by name; a context without a user asks as nobody."""
        if group == "users" and not name:
            return base, {}
        if name not in self._groups[group]:
            raise _wrong(self._paths, f"no {group[:-1]} {name!r}", "the context names one")
        return self._groups[group][name]

    def _take(self, path: Path, document: Mapping[str, Any]) -> None:
        self.current = self.current or str(document.get("current-context") or "")
        for group, known in self._groups.items():
            listed = document.get(group) or ()
            for item in listed if isinstance(listed, list) else ():
                value = item.get(group[:-1]) if isinstance(item, dict) else None
                if isinstance(value, dict):
                    known.setdefault(str(item.get("name", "")), (path.parent, value))


def _entry(
    paths: tuple[Path, ...],
    name: str,
    cluster: tuple[Path, Mapping[str, Any]],
    user: tuple[Path, Mapping[str, Any]],
) -> Entry:
    files = list(paths)
    base, words = cluster
    server = str(words.get("server") or "")
    _check_server(paths, name, server, words)
    ca = _pem(files, base, words, "certificate-authority")
    proof_base, proof = user
    for key, cure in _REFUSED.items():
        if proof.get(key):
            raise _wrong(paths, f"context {name!r}: its user has {key}", f"not supported; {cure}")
    token_file = proof_base / str(proof["tokenFile"]) if proof.get("tokenFile") else None
    if token_file is not None:
        files.append(token_file)
    return Entry(
        server=server.rstrip("/"),
        ca=ca,
        server_name=str(words.get("tls-server-name") or ""),
        proxy=str(words.get("proxy-url") or ""),
        certificate=_pem(files, proof_base, proof, "client-certificate"),
        key=_pem(files, proof_base, proof, "client-key"),
        token=str(proof.get("token") or ""),
        token_file=token_file,
        plugin=_plugin(paths, proof_base, proof.get("exec"), words, ca),
        headers=_impersonation(proof),
        files=tuple(files),
    )


def _check_server(paths: Sequence[Path], name: str, server: str, words: Mapping[str, Any]) -> None:
    address = urlsplit(server)
    where = f"context {name!r}"
    if address.scheme not in ("http", "https") or not address.hostname:
        raise _wrong(paths, f"{where}: its cluster has no usable server", "write https://host:port")
    if address.scheme == "http" and address.hostname not in _LOOPBACK:
        raise _wrong(paths, f"{where}: its credential would travel readably", "write https://")
    if words.get("insecure-skip-tls-verify"):
        cure = "write certificate-authority, or certificate-authority-data"
        raise _wrong(paths, f"{where}: insecure-skip-tls-verify trusts anybody", cure)
    if str(words.get("proxy-url") or "http:").partition(":")[0] not in ("http", "https"):
        raise _wrong(paths, f"{where}: its proxy-url is no HTTP proxy", "not supported")


def _plugin(
    paths: Sequence[Path], base: Path, words: object, cluster: Mapping[str, Any], ca: bytes
) -> Plugin | None:
    if not isinstance(words, dict):
        return None
    command = str(words.get("command") or "")
    if not command or words.get("interactiveMode") == "Always":
        raise _wrong(paths, "its exec plugin wants a person", "name one that asks nobody")
    told = None
    if words.get("provideClusterInfo"):
        told = {
            "server": cluster.get("server"),
            "certificate-authority-data": base64.b64encode(ca).decode() or None,
            "tls-server-name": cluster.get("tls-server-name"),
            "proxy-url": cluster.get("proxy-url"),
        }
    return Plugin(
        version=str(words.get("apiVersion") or "client.authentication.k8s.io/v1"),
        command=str(base / command) if "/" in command else command,
        args=tuple(str(one) for one in words.get("args") or ()),
        environment={
            str(one["name"]): str(one.get("value", ""))
            for one in words.get("env") or ()
            if isinstance(one, dict) and one.get("name")
        },
        hint=" ".join(str(words.get("installHint") or "").split()),
        cluster=told and {key: value for key, value in told.items() if value},
    )


def _impersonation(proof: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    found = [("Impersonate-User", str(proof["as"]))] if proof.get("as") else []
    if proof.get("as-uid"):
        found.append(("Impersonate-Uid", str(proof["as-uid"])))
    found += [("Impersonate-Group", str(group)) for group in proof.get("as-groups") or ()]
    return tuple(found)


def _pem(files: list[Path], base: Path, words: Mapping[str, Any], name: str) -> bytes:
    """Return what is embedded, or what lies in a file, which is then watched for changes."""
    if words.get(f"{name}-data"):
        try:
            return base64.b64decode(str(words[f"{name}-data"]), validate=True)
        except binascii.Error:
            raise _wrong(files, f"{name}-data is no base64", "write the file's base64") from None
    if not words.get(name):
        return b""
    path = base / str(words[name])
    files.append(path)
    return _bytes(path)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise KubeError(f"{path} cannot be read: {error.strerror}", reason="Access") from None


def _document(path: Path) -> Mapping[str, Any]:
    try:
        found = yaml.safe_load(read_text(path))
    except OSError as error:
        raise KubeError(f"{path} cannot be read: {error.strerror}", reason="Access") from None
    except (yaml.YAMLError, UnicodeDecodeError):
        # What a parser says quotes the text, and with it what is secret.
        raise KubeError(f"{path} is no YAML: see kubectl config view", reason="Access") from None
    return found if isinstance(found, dict) else {}


def _wrong(paths: Sequence[Path], what: str, cure: str) -> KubeError:
    shown = ", ".join(str(path) for path in paths)
    return KubeError(f"{shown}: {what}; {cure}", reason="Access")
