"""Random but believable histories for the properties."""

from hypothesis import strategies as st

LETTERS = "ALHEX?!"

tracks = st.text(alphabet=LETTERS, max_size=60)

#: What may happen at the begin of a segment, beside the letter that the device plays.
happenings = st.sampled_from(
    [""] * 11
    + ["crash", "outage", "long outage", "keep", "keystroke", "deaf", "silent", "requeue"]
    + ["dispute", "ruling", "clock"]
)

_idle = st.tuples(st.sampled_from("HE"), st.integers(3, 16))
_broken = st.tuples(st.sampled_from("AALX?!"), st.integers(1, 2))


def _written(segments: list[tuple[tuple[str, int], str]]) -> list[tuple[str, str]]:
    """Write segments out: a letter and a happening a minute."""
    return [
        (letter, happening if minute == 0 else "")
        for (letter, minutes), happening in segments
        for minute in range(minutes)
    ]


#: Long idleness with short breaks: long enough to get to a release, broken enough to forbid it.
histories = st.lists(
    st.tuples(st.one_of(_idle, _idle, _broken), happenings), min_size=4, max_size=12
).map(_written)
