"""A file of people, read again when it changes."""

import os
from pathlib import Path

import pytest

from reaper.edge.clock import JumpingClock
from reaper.people import build
from reaper.people.yaml_directory import YamlDirectory, YamlDirectorySettings, directory
from reaper.ports import Person, SourceError

MIRA = """
people:
  mira: {name: Mira Example, team: vision, email: mira@example.org, slack: U0MIRA, zone: Europe/Berlin}
  1001: {}
"""  # noqa: E501 - one line a person is how such files are written


def remove(file: Path) -> None:
    file.unlink()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "people.yaml"
    path.write_text(MIRA, encoding="utf-8")
    return path


def people(file: Path) -> YamlDirectory:
    return YamlDirectory(YamlDirectorySettings(file=file))


def rewrite(file: Path, text: str) -> None:
    status = file.stat()
    file.write_text(text, encoding="utf-8")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns + 1))


async def test_a_person_has_a_name_a_team_and_addresses(file: Path):
    assert await people(file).person("mira") == Person(
        user="mira",
        name="Mira Example",
        team="vision",
        email="mira@example.org",
        zone="Europe/Berlin",
        addresses={"slack": "U0MIRA"},
    )


async def test_a_number_is_a_users_name_too(file: Path):
    assert await people(file).person("1001") == Person(user="1001")


async def test_who_is_not_in_the_file_is_nobody(file: Path):
    assert await people(file).person("otto") is None


async def test_a_change_is_seen_without_a_restart(file: Path):
    known = people(file)
    await known.person("mira")
    rewrite(file, "people: {otto: {name: Otto Example}}\n")

    assert await known.person("otto") == Person(user="otto", name="Otto Example")
    assert await known.person("mira") is None


async def test_a_change_with_a_mistake_leaves_the_last_good_list(
    file: Path, caplog: pytest.LogCaptureFixture
):
    known = people(file)
    await known.person("mira")
    rewrite(file, "people: {otto: {nmae: Otto}}\n")

    assert await known.person("mira") is not None
    assert "people.otto.nmae: unknown key" in caplog.text


async def test_a_file_that_vanishes_leaves_the_last_good_list(file: Path):
    known = people(file)
    await known.person("mira")
    remove(file)

    assert await known.person("mira") is not None


@pytest.mark.parametrize("text", ["", "people: [mira]\n", "people:\n", ": :\n"])
async def test_without_a_good_list_nobody_is_guessed(file: Path, text: str):
    rewrite(file, text)

    with pytest.raises(SourceError, match="no usable list of people"):
        await people(file).person("mira")


def test_an_empty_file_is_named(file: Path):
    file.write_text("", encoding="utf-8")

    assert [str(problem) for problem in directory(file, name="p.yaml").problems] == [
        "p.yaml: people: missing; write its people"
    ]


def test_the_directory_is_built_from_its_settings(file: Path):
    assert build(YamlDirectorySettings(file=file), clock=JumpingClock(at=0.0)).name == "yaml"


async def test_who_leads_a_team_is_listed_with_its_teams(tmp_path):
    file = tmp_path / "people.yaml"
    file.write_text("people: {mira: {leads: [vision, speech]}, otto: {team: vision}}\n")
    found = await YamlDirectory(YamlDirectorySettings(file=file)).leads()

    assert [(person.user, person.leads) for person in found] == [("mira", ("vision", "speech"))]
