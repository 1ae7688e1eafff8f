"""Sheets hold the letters of many names, a minute each, without loss."""

from hypothesis import given
from hypothesis import strategies as st

from reaper.domain.facts.minute import LETTERS
from reaper.domain.facts.track import Track
from reaper.store.sheets import SIZE, Sheet, drawn, ends, sheets

NUMBERS = {"a": 0, "b": 1, "z": SIZE + 2}

tracks = st.dictionaries(
    st.sampled_from(sorted(NUMBERS)),
    st.builds(
        Track,
        start=st.integers(-70, 70),
        letters=st.text(st.sampled_from(sorted(LETTERS)), min_size=1, max_size=80),
    ),
)


@given(tracks)
def test_tracks_come_back_from_their_sheets(known: dict[str, Track]) -> None:
    found = dict(drawn(sheets(known, NUMBERS)))

    assert found == {NUMBERS[name]: track for name, track in known.items()}


@given(tracks)
def test_sheets_know_where_tracks_end(known: dict[str, Track]) -> None:
    assert ends(sheets(known, NUMBERS), NUMBERS, NUMBERS) == {
        name: track.end for name, track in known.items()
    }


def test_a_minute_of_many_names_is_one_sheet() -> None:
    one = Track(start=7, letters="A")

    assert sheets({"a": one, "b": Track(start=7, letters="H"), "z": one}, NUMBERS) == [
        Sheet(minute=7, sheet=0, letters="AH"),
        Sheet(minute=7, sheet=1, letters="..A"),
    ]


def test_what_a_sheet_held_stays() -> None:
    held = [Sheet(minute=7, sheet=0, letters=".H"), Sheet(minute=8, sheet=0, letters=".H")]

    found = sheets({"a": Track(start=7, letters="A")}, NUMBERS, held)

    assert found == [Sheet(minute=7, sheet=0, letters="AH")]


def test_minutes_between_of_which_nothing_is_said_are_unseen() -> None:
    found = drawn([Sheet(minute=9, sheet=0, letters="A"), Sheet(minute=7, sheet=0, letters="H")])

    assert dict(found) == {0: Track(start=7, letters="H?A")}
