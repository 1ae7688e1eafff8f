"""How people sign in at the port, and which roles they have there, as an operator writes it."""

import re
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field, PlainSerializer, WithJsonSchema

from reaper.schema import Mistake, Secret, Settings, Span, shown

Network = IPv4Network | IPv6Network

_HEADER: Final = r"^([A-Za-z0-9-]{1,64})?$"


def _network(value: object) -> Network:
    if isinstance(value, IPv4Network | IPv6Network):
        return value
    try:
        return ip_network(str(value).strip(), strict=False)
    except ValueError:
        cure = "write for example 127.0.0.1 or 10.0.0.0/24"
        raise Mistake(f"{shown(value)} is no address or network", cure) from None


Networks = Annotated[
    tuple[
        Annotated[
            Network,
            BeforeValidator(_network),
            PlainSerializer(str),
            WithJsonSchema({"type": "string", "examples": ["127.0.0.1", "10.0.0.0/24"]}),
        ],
        ...,
    ],
    Field(examples=["[127.0.0.1, '::1']"]),
]

#: This machine itself.
LOOPBACK: Final[tuple[Network, ...]] = (ip_network("127.0.0.0/8"), ip_network("::1/128"))


class Members(Settings):
    """Who has a role: by user name, or by a group that the way of signing in tells."""

    users: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


class Roles(Settings):
    """
    What people are on the pages, beside owners of what is theirs.

    ```yaml
    roles:
      operators: {groups: [hpc-admins]}
      managers: {users: [vera]}
    ```
    """

    operators: Members = Members()
    """See everything; rule, approve, and act for others."""

    managers: Members = Members()
    """See the week's report, and nobody by name."""


class ProxySignIn(Settings):
    """A proxy that asks people who they are, and says so in headers of its own."""

    kind: Literal["proxy"] = "proxy"

    user: str = Field(default="X-Forwarded-User", pattern=_HEADER)
    """Header that names the user, as the platforms know them."""

    groups: str = Field(default="X-Forwarded-Groups", pattern=_HEADER)
    """Header that names the user's groups, with commas between them; "" for none."""

    email: str = Field(default="", pattern=_HEADER)
    """Header whose e-mail address names the user where the other is empty; needs `domain`."""

    secret: Secret | None = None
    """A word that the proxy proves itself by; without it every local user could play the proxy."""

    secret_header: str = Field(default="X-Proxy-Secret", pattern=_HEADER)

    domain: str = ""
    """What stands after the @ of user names; it is taken off, and other domains are nobody."""

    sign_out: str = Field(
        default="", pattern=r"^(/[^/\\\s][^\s]*)?$", examples=["/oauth2/sign_out"]
    )
    """Path at which the proxy signs people out; "" where it cannot."""


class OidcSignIn(Settings):
    """An OpenID provider, asked with the authorization code flow and PKCE."""

    kind: Literal["oidc"] = "oidc"

    issuer: str = Field(
        pattern=r"^(https://[^\s?#]+|http://(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(/[^\s?#]*)?)$",
        examples=["https://login.example.org/realms/hpc"],
    )
    """Exactly as the provider names itself."""

    client_id: str = Field(min_length=1)

    client_secret: Secret | None = None
    """Where the provider gave one; a public client has none."""

    ca: Path | None = None
    """Certificates that vouch for the provider, instead of the machine's own."""

    scopes: tuple[str, ...] = ("openid", "profile", "groups")

    user: str = Field(default="preferred_username", min_length=1)
    """Claim that names the user, as the platforms know them; it must not be theirs to choose."""

    groups: str = "groups"
    """Claim that lists the user's groups; dots lead into objects: `realm_access.roles`."""

    domain: str = ""
    """What stands after the @ of user names; it is taken off, and other domains are nobody."""

    session: Annotated[Span, Field(le=30 * 86400.0)] = 3600.0
    """How long a sign-in lasts, at most 30 days; the provider is asked again after that."""


SignIn = Annotated[ProxySignIn | OidcSignIn, Field(discriminator="kind")]


class TlsSettings(Settings):
    """A certificate (with its chain) and its key, in PEM."""

    certificate: Path
    key: Path


def user_named(text: str, domain: str) -> str:
    """Return the user that a foreign name is; "" where it is nobody."""
    name = text
    if domain:
        name, _, rest = name.rpartition("@")
        if rest.casefold() != domain.casefold():
            return ""
    fits = 0 < len(name) <= 256 and name.isprintable() and not re.search(r"\s", name)
    return name if fits else ""
