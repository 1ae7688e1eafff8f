"""
What a proxy says of a request: who asks, and from where.

A header is believed only from a listed peer, only once, and, where a secret is set, only with it.
"""

import hmac
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address

from aiohttp import web

from reaper.web.access.visitor import STRANGER, Visitor, known_as
from reaper.web.roles import Network, ProxySignIn, Roles, user_named

CHANNEL = "proxy"


def listed(address: str | None, peers: Sequence[Network]) -> bool:
    """Tell whether an address is one of these peers."""
    found = _address(address)
    return found is not None and any(
        found in peer for peer in peers if peer.version == found.version
    )


def client(request: web.Request, peers: Sequence[Network]) -> str:
    """Return the address that asks: the peer's, or what a listed peer says is behind it."""
    here = request.remote or ""
    if not listed(here, peers):
        return here
    named = ",".join(request.headers.getall("X-Forwarded-For", [])).split(",")
    for address in reversed(named):
        found = _address(address.strip())
        if found is None:
            return here
        if not listed(str(found), peers):
            return str(found)
    return here


def proxied(
    request: web.Request,
    settings: ProxySignIn,
    *,
    peers: Sequence[Network],
    secret: str,
    roles: Roles,
) -> Visitor:
    """Return whom a proxy names; STRANGER where it names nobody, or is not to be believed."""
    if not listed(request.remote, peers):
        return STRANGER
    if settings.secret and not hmac.compare_digest(
        _only(request, settings.secret_header).encode("utf-8", "replace"), secret.encode()
    ):
        return STRANGER
    silent = not any(request.headers.getall(settings.user, [])) if settings.user else True
    header = settings.email if silent and settings.domain else settings.user
    user = user_named(_only(request, header), settings.domain)
    if not user:
        return STRANGER
    groups = [group.strip() for group in _only(request, settings.groups).split(",")]
    return known_as(user, [group for group in groups if group], roles, channel=CHANNEL)


def _only(request: web.Request, name: str) -> str:
    """Return a header that stands once; of two nobody knows which one the proxy wrote."""
    values = request.headers.getall(name, []) if name else []
    return values[0] if len(values) == 1 else ""


def _address(text: str | None) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address((text or "").partition("%")[0])
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found
