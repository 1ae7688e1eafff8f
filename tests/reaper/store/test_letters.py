"""Letters are cut, laid and packed without loss."""

from hypothesis import given
from hypothesis import strategies as st

from reaper.domain.facts.minute import LETTERS
from reaper.domain.facts.track import Track
from reaper.store.letters import DAY, Piece, fresh, lay, pack, pieces, unpack

drawn = st.text(st.sampled_from(sorted(LETTERS)), max_size=300)
minutes = st.integers(-3000, 3000)


def cut(track: Track, *, end: int | None = None, size: int = 10) -> list[Piece]:
    return list(pieces({"g": track}, {} if end is None else {"g": end}, size=size))


def test_what_is_recorded_is_not_fresh():
    assert fresh({"g": Track(start=5, letters="AAHH")}, {"g": 7}) == {
        "g": Track(start=7, letters="HH")
    }


def test_a_track_that_is_recorded_whole_is_left_out():
    assert fresh({"g": Track(start=5, letters="AA")}, {"g": 7}) == {}


def test_a_device_that_is_new_is_fresh_whole():
    assert fresh({"g": Track(start=5, letters="AA")}, {}) == {"g": Track(start=5, letters="AA")}


def test_letters_are_cut_at_the_end_of_a_span():
    assert cut(Track(start=8, letters="AAHH")) == [
        Piece(gpu="g", span=0, start=8, letters="AA"),
        Piece(gpu="g", span=1, start=10, letters="HH"),
    ]


def test_a_gap_within_a_span_is_filled():
    assert cut(Track(start=5, letters="A"), end=3) == [
        Piece(gpu="g", span=0, start=3, letters="??A")
    ]


def test_a_gap_over_spans_is_not_filled():
    assert cut(Track(start=25, letters="A"), end=3) == [
        Piece(gpu="g", span=2, start=25, letters="A")
    ]


@given(start=minutes, letters=drawn, size=st.sampled_from((1, 7, 60, 1440)))
def test_pieces_make_the_track_again(start, letters, size):
    whole = Track(start=start, letters=letters)

    found = [(piece.start, piece.letters) for piece in cut(whole, size=size)]

    assert lay(found, start, whole.end) == whole


@given(start=minutes, letters=drawn, first=minutes, length=st.integers(0, 500))
def test_laying_is_clipping(start, letters, first, length):
    track = Track(start=start, letters=letters)

    assert lay([(start, letters)], first, first + length) == track.clip(first, first + length)


@given(drawn)
def test_a_packed_day_comes_back(letters):
    assert unpack(pack(letters)) == letters


def test_a_day_of_one_letter_is_next_to_nothing():
    assert len(pack("H" * DAY)) < 25
