"""Where an exporter answers: ``host:port`` or a URL, read once."""

from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final, Literal

from yarl import URL

EXAMPLE: Final = "gpu01:19440"
Scheme = Literal["http", "https"]
_METRICS: Final = "/metrics"
_PRIVILEGED: Final = 1024


class AddressError(ValueError):
    """The text is no exporter's address; the message says why and never shows a password."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One exporter; `name` is its address as it was written, `host` a guess at its node's name."""

    name: str
    metrics: URL
    people: URL
    host: str

    @property
    def secure(self) -> bool:
        """Tell whether it is asked over TLS."""
        return self.metrics.scheme == "https"

    @property
    def privileged(self) -> bool:
        """Tell whether only root of its node can listen there."""
        return (self.metrics.port or _PRIVILEGED) < _PRIVILEGED


def read(text: str, *, scheme: Scheme = "http") -> Target:
    """Read an address, of `scheme` where it names none; raise :class:`AddressError`."""
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
    metrics = url.with_path(_METRICS) if url.path == "/" else url
    return Target(
        name=text,
        metrics=metrics,
        people=metrics.with_path(f"{metrics.path.rstrip('/')}/people"),
        host=_short(url.host),
    )


def _short(host: str) -> str:
    """Return a host's name without its domain, as schedulers call nodes; an address as it is."""
    try:
        return str(ip_address(host))
    except ValueError:
        return host.partition(".")[0]
