"""The machine's accounts as a directory."""

import pwd

import pytest

from reaper.people.unix import Unix, UnixSettings, full_name
from reaper.ports import Person, SourceError


def account(user: str, gecos: str = "") -> pwd.struct_passwd:
    return pwd.struct_passwd((user, "x", 1000, 1000, gecos, f"/home/{user}", "/bin/sh"))


def unix(lookup, **settings) -> Unix:
    return Unix(UnixSettings.model_validate(settings), lookup=lookup)


async def test_an_account_gives_a_name_and_no_address():
    people = unix(lambda user: account(user, "Mira Example,Room 5,,"))

    assert await people.person("mira") == Person(user="mira", name="Mira Example")


async def test_mail_follows_the_users_name_where_the_site_says_so():
    people = unix(account, mail_domain="example.org", zone="Europe/Berlin")
    person = await people.person("mira")

    assert person is not None
    assert (person.email, person.zone) == ("mira@example.org", "Europe/Berlin")


async def test_an_unknown_user_is_nobody():
    def lookup(user: str) -> pwd.struct_passwd:
        raise KeyError(user)

    assert await unix(lookup).person("nobody-here") is None


async def test_a_name_that_no_account_can_have_is_nobody():
    assert await Unix(UnixSettings()).person("mira\0") is None


async def test_a_name_service_that_fails_is_said():
    def lookup(user: str) -> pwd.struct_passwd:
        raise OSError(5, "Input/output error")

    with pytest.raises(SourceError, match="no answer about 'mira'"):
        await unix(lookup).person("mira")


async def test_this_machine_knows_root():
    person = await Unix(UnixSettings()).person("root")

    assert person is not None
    assert person.user == "root"


@pytest.mark.parametrize(
    ("gecos", "expected"),
    [
        ("", ""),
        (",,,", ""),
        ("& Example", "Mira Example"),
        ("Mira\t\nX", "Mira X"),
        ("\udce4", "?"),
    ],
)
def test_a_gecos_field_holds_a_name(gecos: str, expected: str):
    assert full_name(gecos, "mira") == expected
