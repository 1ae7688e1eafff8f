"""
People in a site's LDAP: one search for each user, remembered for a while.

A server that does not answer is an error, never "nobody"; so are two entries for one user.  What a
user could put into a filter is escaped.  Nothing is ever written, and nobody is asked to whom the
server sends us on: our password is for this one.
"""

import asyncio
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import Field, field_validator, model_validator

from reaper.edge.extras import installing
from reaper.edge.secrets import SecretError, secret
from reaper.ports import Clock, Person, SourceError
from reaper.schema import Mistake, Secret, Settings, Span, Zone

if TYPE_CHECKING:
    from ldap3 import Connection

LOOPBACK: Final = ("127.0.0.1", "::1")

_SUCCESS: Final = 0
_MORE: Final = 4
"""Result of a search with more entries than it may answer with."""

MOST_KNOWN: Final = 10_000
"""Users that are remembered; then all are asked for anew."""


class AttributesSettings(Settings):
    """Which attributes of an entry hold what; empty for none."""

    name: str = "cn"
    team: str = Field(default="", examples=["departmentNumber"])
    email: str = "mail"
    slack: str = ""
    zone: str = ""
    language: str = Field(default="", examples=["preferredLanguage"])

    def asked(self) -> list[str]:
        """Return the attributes to ask for."""
        return sorted({name for name in self.model_dump().values() if name})


class LdapSettings(Settings):
    """A directory server."""

    kind: Literal["ldap"] = "ldap"
    server: str = Field(examples=["ldaps://ldap.example.org"])
    """ldaps://, or ldap:// with starttls; plain ldap:// on this machine only."""
    starttls: bool = False
    base: str = Field(examples=["ou=people,dc=example,dc=org"])
    """Entry below which people are."""
    filter: str = "(&(objectClass=person)(uid={user}))"
    """Finds the entry of ``{user}``."""
    attributes: AttributesSettings = AttributesSettings()
    user: str = Field(default="", examples=["cn=gpu-reaper,dc=example,dc=org"])
    """Name to bind as; empty for an anonymous bind."""
    password: Secret | None = None
    ca: Path | None = None
    """File with the authority that signed the server's certificate; default: the machine's own."""
    zone: Zone = ""
    """Time zone of whoever has none there; default: the one of the policy's working hours."""
    timeout: Span = 5.0
    """Seconds for connecting, and again for each answer."""
    remember: Span = 600.0
    """How long an answer is believed."""

    @field_validator("filter")
    @classmethod
    def _names_the_user(cls, value: str) -> str:
        if value.count("{user}") != 1 or value.replace("{user}", "").count("{"):
            raise Mistake("does not hold {user} once", "write for example (uid={user})")
        return value

    @model_validator(mode="after")
    def _keep_it_private(self) -> "LdapSettings":
        parts = urlsplit(self.server)
        here = parts.hostname in (*LOOPBACK, "localhost")
        safe = parts.scheme == "ldaps" or (parts.scheme == "ldap" and (self.starttls or here))
        if not parts.hostname or not safe:
            raise Mistake(
                "people and password would travel readably", "write ldaps://…, or starttls"
            )
        if bool(self.user) != (self.password is not None):
            raise Mistake("user and password belong together", "write both, or neither of them")
        return self


Entry = Mapping[str, Any]
"""Attributes of one entry, each with its values."""

Search = Callable[[LdapSettings, str, str], list[Entry]]
"""Finds the entries of a user, with a password to bind with."""


class LdapDirectory:
    """Asks the server, once for each user in a while."""

    name = "ldap"

    def __init__(
        self, settings: LdapSettings, *, clock: Clock, search: Search | None = None
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._search = search or entries
        self._known: dict[str, tuple[Person | None, float]] = {}

    async def person(self, user: str) -> Person | None:
        """Return the entry's person; None without one; SourceError when that is not known."""
        known, until = self._known.get(user, (None, 0.0))
        if self._clock.elapsed() < until:
            return known
        found = await asyncio.to_thread(
            self._search, self._settings, _password(self._settings), user
        )
        if len(found) > 1:
            raise SourceError(f"ldap: {len(found)} entries for user {user!r}; narrow `filter`")
        person = _person(user, found[0], self._settings) if found else None
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[user] = (person, self._clock.elapsed() + self._settings.remember)
        return person


def entries(settings: LdapSettings, password: str, user: str) -> list[Entry]:
    """Search the server; raise SourceError, with no word of the password."""
    try:
        from ldap3 import SUBTREE
        from ldap3.core.exceptions import LDAPException
        from ldap3.utils.conv import escape_filter_chars
    except ImportError:
        cure = f"ldap: the extra that asks is not installed; {installing('ldap')}"
        raise SourceError(cure) from None
    try:
        with _connected(settings, password) as server:
            _, told, found, _ = server.search(
                settings.base,
                settings.filter.format(user=escape_filter_chars(user)),
                search_scope=SUBTREE,
                attributes=settings.attributes.asked(),
                size_limit=2,
            )
    except (LDAPException, OSError, ValueError) as error:
        raise SourceError(f"ldap: no answer about {user!r} ({type(error).__name__})") from None
    known = [item["attributes"] for item in found if item["type"] == "searchResEntry"]
    if told["result"] != _SUCCESS and not (told["result"] == _MORE and len(known) > 1):
        raise SourceError(f"ldap: no answer about {user!r} ({told['description']})")
    return known


@contextmanager
def _connected(settings: LdapSettings, password: str) -> "Iterator[Connection]":
    """Open a connection, protected and bound as the settings say, and close it in any case."""
    from ldap3 import NONE, SAFE_SYNC, Connection, Server, Tls
    from ldap3.core.exceptions import LDAPException

    parts, patience = urlsplit(settings.server), ceil(settings.timeout)
    server = Server(
        parts.hostname,
        port=parts.port or (636 if parts.scheme == "ldaps" else 389),
        use_ssl=parts.scheme == "ldaps",
        tls=Tls(
            validate=ssl.CERT_REQUIRED, ca_certs_file=str(settings.ca) if settings.ca else None
        ),
        get_info=NONE,
        connect_timeout=patience,
    )
    connection = Connection(
        server,
        user=settings.user or None,
        password=password or None,
        client_strategy=SAFE_SYNC,
        read_only=True,
        raise_exceptions=True,
        auto_referrals=False,
        receive_timeout=patience,
        source_address=parts.hostname if parts.hostname in LOOPBACK else None,
    )
    try:
        connection.open(read_server_info=False)
        if settings.starttls:
            connection.start_tls(read_server_info=False)
        connection.bind(read_server_info=False)
        yield connection
    finally:
        with suppress(LDAPException, OSError):
            connection.unbind()
        if connection.socket is not None:
            connection.socket.close()


def _password(settings: LdapSettings) -> str:
    try:
        return secret(settings.password) if settings.password else ""
    except SecretError as error:
        raise SourceError(f"ldap: {error}") from None


def _person(user: str, entry: Entry, settings: LdapSettings) -> Person:
    names = settings.attributes
    slack = _first(entry, names.slack)
    return Person(
        user=user,
        name=_first(entry, names.name),
        team=_first(entry, names.team),
        email=_first(entry, names.email),
        zone=_zone(_first(entry, names.zone), settings.zone),
        language=_language(_first(entry, names.language)),
        addresses={"slack": slack} if slack else {},
    )


def _first(entry: Entry, name: str) -> str:
    """Return the first value of an attribute on one line; an empty text without one."""
    values = entry.get(name) if name else None
    one = values[0] if isinstance(values, list) and values else values
    return " ".join(str(one).split()) if one else ""


def _language(text: str) -> str:
    """Return a language that we speak, for what a directory says; "" where it says nothing."""
    if not text:
        return ""
    return "ru" if text.lower().startswith("ru") else "en"


def _zone(name: str, default: str) -> str:
    try:
        return str(ZoneInfo(name)) if name else default
    except (KeyError, ValueError, OSError):
        return default
