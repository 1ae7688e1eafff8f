"""
Where an exporter answers, and for which node alone: ``host:port`` or a URL, read once.

What comes after an address's last ``=`` is the node that it is bound to; without that it is bound
to the node that its host names.  An IP address, this machine's loopback and a path name none:
behind a path answers whoever a gateway chooses.
"""

import re
from dataclasses import dataclass, replace
from ipaddress import ip_address
from typing import Final, Literal

from yarl import URL

from exporter.contract.node_name import is_name

EXAMPLE: Final = "gpu01:19440"
Scheme = Literal["http", "https"]
_METRICS: Final = "/metrics"
_HERE: Final = frozenset(("localhost", "ip6-localhost"))
_PRIVILEGED: Final = 1024
_BOUND: Final = re.compile(r"(.+)=([^=/:?#]+)")


class AddressError(ValueError):
    """The text is no exporter's address; the message says why and never shows a password."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """
    One exporter; `name` is its address as it was written, `host` what it is called until it tells.

    `node` is the only node that it may speak for, "" when nothing binds it; `paired` tells that
    somebody wrote that down.
    """

    name: str
    metrics: URL
    people: URL
    host: str
    node: str = ""
    paired: bool = False

    @property
    def secure(self) -> bool:
        """Tell whether it is asked over TLS."""
        return self.metrics.scheme == "https"

    @property
    def privileged(self) -> bool:
        """Tell whether only root of its node can listen there."""
        return (self.metrics.port or _PRIVILEGED) < _PRIVILEGED

    @property
    def direct(self) -> bool:
        """Tell whether it answers itself, not through a gateway that chooses by the path."""
        return self.metrics.path == _METRICS

    def bound(self, node: str) -> "Target":
        """Return the same target, bound to a node by somebody's word; raise AddressError."""
        if not is_name(node):
            raise AddressError(f"{node[:60]!r} is no node's name")
        return replace(self, host=node, node=node, paired=True)


def read(text: str, *, scheme: Scheme = "http") -> Target:
    """
    Read ``ADDRESS`` or ``ADDRESS=NODE``; raise :class:`AddressError`.

    `scheme` is that of an address which names none.
    """
    if pair := _BOUND.fullmatch(text):
        return _read(pair[1], scheme).bound(pair[2])
    return _read(text, scheme)


def _read(text: str, scheme: Scheme) -> Target:
    try:
        url = URL(text if "://" in text else f"{scheme}://{text}")
        port = url.explicit_port
    except ValueError as error:
        raise AddressError(f"{text[:60]!r} is no address: {error}") from None
    if url.user is not None or url.password is not None:
        raise AddressError("an address holds a name or password; put it under basic")
    if url.scheme not in {"http", "https"} or not url.host or not url.path.startswith("/"):
        raise AddressError(f"{text[:60]!r} is no address")
    if "://" not in text and (port is None or url.path != "/"):
        raise AddressError(f"{text[:60]!r} has no port, or a path without a scheme")
    if not _is_address(url.host) and not is_name(url.raw_host or ""):
        raise AddressError(f"{text[:60]!r} is no address: its host's name cannot be one")
    metrics = url.with_path(_METRICS) if url.path == "/" else url
    return Target(
        name=text,
        metrics=metrics,
        people=metrics.with_path(f"{metrics.path.rstrip('/')}/people"),
        host=_short(url.host),
        node=named(url.host) if metrics.path == _METRICS else "",
    )


def named(host: str) -> str:
    """Return the node that a host's name names, with its domain; "" for an address and loopback."""
    if _is_address(host) or first_label(host) in _HERE:
        return ""
    return host.rstrip(".")


def first_label(name: str) -> str:
    """Return a name without its domain, as schedulers call nodes; names know no capitals."""
    return name.partition(".")[0].casefold()


def _short(host: str) -> str:
    return host if _is_address(host) else host.partition(".")[0]


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
