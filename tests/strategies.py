"""Random but believable histories for the properties."""

from hypothesis import strategies as st

LETTERS = "ALHEX?!"

#: Mostly idle, so that histories get as far as a release.
letters = st.sampled_from("HHHHHHHHHHHHEEEALX?!")

tracks = st.text(alphabet=LETTERS, max_size=60)

#: What may happen in a minute, beside the letter that the device plays.
happenings = st.sampled_from(
    [""] * 40 + ["crash", "outage", "long outage", "keep", "keystroke", "deaf", "silent", "requeue"]
)

histories = st.lists(st.tuples(letters, happenings), min_size=20, max_size=80)
