"""Who answers for a person that has left."""

from pathlib import Path

import pytest

from reaper.people.yaml_directory import directory
from reaper.ports import Person

PEOPLE = """
people:
  mira: {name: Mira Example, team: vision, email: mira@example.org, slack: U0MIRA, language: ru,
         zone: Europe/Berlin, channels: [mail], hours: {weekdays: mon-thu, begin: 8, end: "16:30"}}
  otto: {name: Otto Example, team: vision, email: otto@example.org, left: true}
  ada: {team: vision, email: ada@example.org, left: true, contact: mira, leads: [vision]}
  emil: {team: speech, left: true}
  ines: {team: nobody, left: true}
  juri: {team: solo, left: true}
teams:
  vision: {head: ada, part_of: physics}
  physics: {email: physics@example.org, contact: Physics office, language: ru}
  speech: {head: mira, part_of: physics}
  solo: {head: juri}
"""


@pytest.fixture
def people(tmp_path: Path) -> dict[str, Person]:
    found = directory(written(tmp_path, PEOPLE))
    assert found.problems == ()
    return dict(found.people)


def written(folder: Path, text: str) -> Path:
    path = folder / "people.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_person_has_a_language_an_order_of_channels_and_hours(people: dict[str, Person]):
    mira = people["mira"]

    assert (mira.language, mira.channels, mira.left, mira.contact) == ("ru", ("mail",), False, "")
    assert mira.hours is not None
    assert (mira.hours.zone, mira.hours.weekdays) == ("Europe/Berlin", (0, 1, 2, 3))
    assert (mira.hours.begin, mira.hours.end) == (8.0, 16.5)


def test_the_contact_named_with_a_person_comes_first(people: dict[str, Person]):
    ada = people["ada"]

    assert (ada.left, ada.contact, ada.email) == (True, "Mira Example", "mira@example.org")
    assert (ada.addresses, ada.language, ada.channels) == ({"slack": "U0MIRA"}, "ru", ("mail",))


def test_a_head_answers_for_the_team(people: dict[str, Person]):
    assert (people["emil"].contact, people["emil"].email) == ("Mira Example", "mira@example.org")


def test_where_the_head_has_left_too_the_department_answers(people: dict[str, Person]):
    otto = people["otto"]

    assert (otto.name, otto.contact) == ("Otto Example", "Physics office")
    assert (otto.email, otto.language, otto.hours) == ("physics@example.org", "ru", None)


@pytest.mark.parametrize("user", ["ines", "juri"])
def test_where_nobody_answers_there_is_no_address(people: dict[str, Person], user: str):
    person = people[user]

    assert (person.left, person.email, person.addresses) == (True, "", {})


def test_whoever_has_left_leads_nothing(people: dict[str, Person]):
    assert people["ada"].leads == ()


def test_departments_in_a_ring_end(tmp_path: Path):
    text = "people: {otto: {team: a, left: true}}\nteams: {a: {part_of: b}, b: {part_of: a}}\n"

    assert directory(written(tmp_path, text)).people["otto"].email == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "people: {mira: {contact: otto}}\n",
            'people.mira.contact: "otto" is not listed; name a user of this file',
        ),
        (
            "people: {}\nteams: {a: {head: otto}}\n",
            'teams.a.head: "otto" is not listed; name a user of this file',
        ),
        (
            "people: {}\nteams: {a: {part_of: b}}\n",
            'teams.a.part_of: "b" is not listed; name a team of this file',
        ),
        (
            "people: {mira: {language: de}}\n",
            'people.mira.language: "de" is not known; write en or ru',
        ),
        (
            "people: {mira: {hours: {begin: 18, end: 9}}}\n",
            (
                "people.mira.hours: begin is not before end; "
                "write for example begin: 09:00, end: 18:00"
            ),
        ),
    ],
)
def test_a_mistake_is_named_with_its_cure(tmp_path: Path, text: str, said: str):
    (problem,) = directory(written(tmp_path, text), name="p.yaml").problems

    assert str(problem).endswith(said)
