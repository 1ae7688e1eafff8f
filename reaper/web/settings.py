"""Where the reaper listens and what it shows, as an operator writes it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field

from reaper.schema import Address, HostPort, Secret, Settings, Zone
from reaper.web.roles import (
    LOOPBACK,
    Members,
    Networks,
    OidcSignIn,
    ProxySignIn,
    Roles,
    SignIn,
    TlsSettings,
)

#: Beside the exporter's 19440, free of the ports that known exporters take by default.
DEFAULT_PORT = 19450

DEFAULT_SOCKET = Path("/run/gpu-reaper/reaper.sock")

Readers = Literal["own", "all"]
"""What of the cluster a user reads who is no operator."""


class WebSettings(Settings):
    """
    The page, the metrics and the unix socket.

    ```yaml
    web:
      listen: 127.0.0.1:19450
      zone: Europe/Berlin
    ```
    """

    listen: HostPort = Address("127.0.0.1", DEFAULT_PORT)
    """Only loopback, unless people sign in: the page names people."""

    socket: Path = DEFAULT_SOCKET
    """Where the command line asks; who asks is who the kernel says."""

    socket_readers: Readers = "own"
    """Whether a user of this machine reads there what is their own, or everything; operators, root
    and the reaper's own user read everything."""

    address: str = Field(
        default="", pattern=r"^(https?://[^\s?#]+)?$", examples=["https://gpus.example.org/"]
    )
    """The page as people reach it, through a proxy; notices link to it.  "" where nobody can."""

    key: Secret | None = None
    """Signs links and buttons; replicas share it.  Default: one of its own beside the state."""

    sign_in: SignIn | None = None
    """How people say who they are; without it the port answers this machine alone, and only reads.
    """

    roles: Roles = Roles()
    """What those who sign in are, beside owners of what is theirs."""

    proxies: Networks = LOOPBACK
    """Peers that are believed when they say who asks, or for which address."""

    tls: TlsSettings | None = None
    """Serve https, rather than http behind a proxy."""

    open_metrics: bool = False
    """Whether `/metrics` is for everybody where people sign in; without, it asks for the token."""

    metrics_token: Secret | None = None
    """A word by which a scraper may read `/metrics` where people sign in, and at `machines`."""

    machines: HostPort | None = None
    """
    A second port, without pages, for what probes and scrapers ask from elsewhere.

    `/healthz` and `/readyz` are for everybody there, `/metrics` for whoever sends `metrics_token`.
    """

    zone: Zone = "UTC"
    """Time zone of the page; everything that is stored and every JSON answer is UTC."""

    hosts: tuple[str, ...] = ()
    """Host names under which a proxy on this machine asks, beside localhost."""

    owners_on_metrics: bool = False
    """Whether metrics name owners; teams are enough for most dashboards."""

    rows: int = Field(default=200, ge=1)
    """Allocations that the page lists before it says how many more there are."""

    idle_on_metrics: int = Field(default=1000, ge=0)
    """Idle allocations with metrics of their own, costliest first."""

    @property
    def https(self) -> bool:
        """Tell whether people reach it by https."""
        return self.tls is not None or self.address.startswith("https://")

    @property
    def names(self) -> frozenset[str]:
        """Return the host names under which it may be asked, beside this machine's own."""
        return frozenset(filter(None, (*self.hosts, urlsplit(self.address).hostname)))


Mistaken = tuple[tuple[str, ...], str, str]
"""Which key, what is wrong with it, and the cure."""


def mistakes(web: WebSettings) -> Iterator[Mistaken]:
    """Yield what does not go together, which no single key shows."""
    if not web.listen.loopback:
        yield from _beyond(web)
    if isinstance(web.sign_in, OidcSignIn) and not web.address:
        cure = "write the page as people reach it, for example https://gpus.example.org/"
        yield ("address",), "signing in needs an address to come back to", cure
    if isinstance(web.sign_in, ProxySignIn) and web.sign_in.email and not web.sign_in.domain:
        cure = "write sign_in.domain, whose people's names stand before the @"
        yield ("sign_in", "email"), "an e-mail address alone is no user's name", cure
    if web.sign_in is not None and urlsplit(web.address).path not in ("", "/"):
        cure = "give the pages a host name of their own"
        yield ("address",), "pages with a sign-in cannot live under a path", cure


def _beyond(web: WebSettings) -> Iterator[Mistaken]:
    if web.sign_in is None:
        what = f"{web.listen} is not loopback, and the page asks nobody who they are"
        cure = "write 127.0.0.1 and let a proxy of this machine ask, or sign_in"
        yield ("listen",), what, cure
    elif web.tls is None and not isinstance(web.sign_in, ProxySignIn):
        what = f"{web.listen} is not loopback, and would be asked in the clear"
        cure = "write tls: {certificate: …, key: …}, or 127.0.0.1 behind a proxy"
        yield ("listen",), what, cure
    elif web.tls is None and set(web.proxies) <= set(LOOPBACK):
        what = f"{web.listen} is not loopback, but no proxy beyond this machine is believed"
        yield ("proxies",), what, "list the proxy's address, or listen on 127.0.0.1"


def weaknesses(web: WebSettings) -> Iterator[Mistaken]:
    """Yield what works, and is less than people who sign in should have."""
    if web.sign_in is None:
        return
    if isinstance(web.sign_in, ProxySignIn) and web.sign_in.secret is None:
        cure = "write secret: {file: …}, and let the proxy send it"
        yield ("sign_in",), "everybody on a host of `proxies` can say that they are anybody", cure
    if web.roles.operators == Members():
        cure = "write roles: {operators: {groups: […]}}"
        yield ("roles",), "nobody may rule or approve on the pages", cure
    if not web.https:
        cure = "serve it by https, and write that as address"
        yield ("address",), "what people sign in with travels in the clear", cure


class Operators(Settings):
    """
    Who may pause, resume and act for others; root always may.

    ```yaml
    operators:
      users: [mira]
      groups: [hpc-admins]
    ```
    """

    users: tuple[str, ...] = ()
    """User names of this machine."""

    groups: tuple[str, ...] = ()
    """Groups of this machine, primary or supplementary."""
