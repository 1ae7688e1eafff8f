"""
The machine's own accounts as a directory: local, LDAP or whatever its name service asks.

It gives a name; an address only where the site's mail follows the user's name.
"""

import asyncio
import pwd
from collections.abc import Callable
from typing import Final, Literal

from pydantic import Field

from reaper.ports import Person, SourceError
from reaper.schema import Settings, Zone

PATIENCE: Final = 5.0
"""Seconds a name service may take: behind it may stand a directory server that is down."""


class UnixSettings(Settings):
    """The accounts of the machine on which gpu-reaper runs."""

    kind: Literal["unix"] = "unix"
    mail_domain: str = Field(
        default="", pattern=r"^([A-Za-z0-9-]+\.)*[A-Za-z0-9-]*$", examples=["example.org"]
    )
    """Where ``user@mail_domain`` reaches each user; empty where it does not."""
    zone: Zone = ""
    """Time zone of everybody: accounts do not say.  Default: the one of working hours."""


Lookup = Callable[[str], pwd.struct_passwd]


class Unix:
    """Asks the name service, once per question."""

    name = "unix"

    def __init__(self, settings: UnixSettings, *, lookup: Lookup = pwd.getpwnam) -> None:
        self._settings = settings
        self._lookup = lookup

    async def person(self, user: str) -> Person | None:
        """Return the account's person; None without one; SourceError when nobody answers."""
        try:
            async with asyncio.timeout(PATIENCE):
                account = await asyncio.to_thread(self._lookup, user)
        except (KeyError, ValueError):
            return None
        except (OSError, TimeoutError) as error:
            raise SourceError(f"unix accounts: no answer about {user!r}: {error}") from error
        return self._person(account)

    def _person(self, account: pwd.struct_passwd) -> Person:
        user, domain = account.pw_name, self._settings.mail_domain
        return Person(
            user=user,
            name=full_name(account.pw_gecos, user),
            email=f"{user}@{domain}" if domain else "",
            zone=self._settings.zone,
        )


def full_name(gecos: str, user: str) -> str:
    """Return the name in a GECOS field, whose ``&`` stands for the user's own name."""
    name = gecos.partition(",")[0].replace("&", user.capitalize())
    return " ".join(name.encode(errors="replace").decode().split())
