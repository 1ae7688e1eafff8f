"""A directory server's answers, as persons; how it is really asked stands in tests/real."""

from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import ValidationError

from reaper.edge.clock import JumpingClock
from reaper.people.ldap_directory import LdapDirectory, LdapSettings
from reaper.ports import Person, SourceError

MIRA: Mapping[str, Any] = {
    "cn": ["Mira  Example", "Mira"],
    "mail": ["mira@example.org"],
    "ou": ["vision"],
    "preferredLanguage": ["ru-RU, en;q=0.5"],
    "zone": ["Europe/Berlin"],
    "slackId": ["U0MIRA"],
}
ATTRIBUTES = {"team": "ou", "language": "preferredLanguage", "zone": "zone", "slack": "slackId"}


def settings(**changes: Any) -> LdapSettings:
    written = {"server": "ldap://127.0.0.1", "base": "dc=example", "attributes": ATTRIBUTES}
    return LdapSettings.model_validate({**written, **changes})


class Server:
    """Answers searches, and counts them."""

    def __init__(self, *found: Mapping[str, Any]) -> None:
        self.found = list(found)
        self.asked: list[str] = []
        self.down = False

    def __call__(self, settings: LdapSettings, password: str, user: str) -> list[Any]:
        self.asked.append(user)
        if self.down:
            raise SourceError("ldap: no answer")
        return self.found


async def ask(server: Server, **changes: Any) -> Person | None:
    people = LdapDirectory(settings(**changes), clock=JumpingClock(at=0.0), search=server)
    return await people.person("mira")


async def test_an_entry_is_a_person():
    assert await ask(Server(MIRA)) == Person(
        user="mira",
        name="Mira Example",
        team="vision",
        email="mira@example.org",
        zone="Europe/Berlin",
        language="ru",
        addresses={"slack": "U0MIRA"},
    )


async def test_an_entry_may_lack_everything():
    assert await ask(Server({}), zone="Asia/Tokyo") == Person(user="mira", zone="Asia/Tokyo")


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../../etc/passwd", "\0"])
async def test_a_zone_that_is_none_is_the_sites(zone: str):
    person = await ask(Server({"zone": [zone]}), zone="Europe/Berlin")

    assert person is not None
    assert person.zone == "Europe/Berlin"


async def test_a_user_without_an_entry_is_nobody():
    assert await ask(Server()) is None


async def test_two_entries_are_no_answer():
    with pytest.raises(SourceError, match="2 entries for user 'mira'; narrow `filter`"):
        await ask(Server(MIRA, MIRA))


async def test_an_answer_is_believed_for_a_while():
    server, clock = Server(MIRA), JumpingClock(at=0.0)
    people = LdapDirectory(settings(remember="10m"), clock=clock, search=server)
    await people.person("mira")
    await clock.sleep(599)
    await people.person("mira")
    await clock.sleep(1)
    await people.person("mira")

    assert server.asked == ["mira", "mira"]


async def test_an_error_is_not_remembered():
    server, clock = Server(MIRA), JumpingClock(at=0.0)
    people = LdapDirectory(settings(), clock=clock, search=server)
    server.down = True
    with pytest.raises(SourceError):
        await people.person("mira")
    server.down = False

    assert await people.person("mira") is not None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"server": "ldap://ldap.example.org"}, "travel readably"),
        ({"server": "https://ldap.example.org"}, "travel readably"),
        ({"filter": "(uid=*)"}, "does not hold {user} once"),
        ({"filter": "({user}={user})"}, "does not hold {user} once"),
        ({"filter": "({0}={user})"}, "does not hold {user} once"),
        ({"user": "cn=reader"}, "belong together"),
    ],
)
def test_a_mistake_in_the_settings_is_named(changes: Mapping[str, Any], said: str):
    with pytest.raises(ValidationError, match=said):
        settings(**changes)
