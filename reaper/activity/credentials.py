"""What a source shows to whom it asks, and whom it trusts: read where the settings say it lies."""

import ssl
from base64 import b64encode
from collections.abc import Iterable
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from pydantic import Field
from yarl import URL

from reaper.edge.secrets import SecretError, secret
from reaper.ports import SourceError
from reaper.schema import Mistake, Secret, Settings, shown

#: What to do about a credential that would travel readably.
CURE: Final = "ask by https, or write in_clear: true where that network is yours alone"


class BasicSettings(Settings):
    """A name and where its password lies."""

    username: str = Field(min_length=1)
    password: Secret


def one_of(bearer: Secret | None, basic: BasicSettings | None) -> None:
    """Refuse two credentials for one source."""
    if bearer and basic:
        raise Mistake("bearer and basic are both given", "keep one of them")


def in_clear(url: str | URL) -> bool:
    """Tell whether what is sent there travels readably: by http, beyond this machine."""
    place = URL(url)
    host = place.host or ""
    try:
        here = ip_address(host).is_loopback
    except ValueError:
        here = host == "localhost"
    return place.scheme == "http" and not here


def must_be_private(
    urls: Iterable[str | URL], bearer: Secret | None, basic: BasicSettings | None, *, allowed: bool
) -> None:
    """Refuse a credential that would travel readably, unless that is allowed; raise Mistake."""
    if allowed or not (bearer or basic):
        return
    if found := next((url for url in urls if in_clear(url)), None):
        raise Mistake(f"the credential would travel readably to {shown(str(found))}", CURE)


def authorization(
    bearer: Secret | None, basic: BasicSettings | None, *, whose: str
) -> dict[str, str]:
    """Read the credential again and return its header; raise SourceError where it cannot be."""
    try:
        if bearer:
            return {"Authorization": f"Bearer {secret(bearer)}"}
        if basic:
            pair = f"{basic.username}:{secret(basic.password)}"
            return {"Authorization": f"Basic {b64encode(pair.encode()).decode()}"}
    except SecretError as error:
        raise SourceError(f"{whose}: {error}") from None
    return {}


def trust(ca: Path | None, *, whose: str) -> ssl.SSLContext | bool:
    """Return whom TLS trusts: the given certificates alone, else the machine's."""
    if ca is None:
        return True
    try:
        return ssl.create_default_context(cafile=str(ca))
    except (OSError, ssl.SSLError) as error:
        raise SourceError(f"{whose}: ca {ca} cannot be read: {error}") from None
