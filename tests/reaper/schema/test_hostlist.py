"""Node lists: any list that Slurm writes comes apart again, and no text breaks the reader."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.schema.hostlist import MOST, HostlistError, expand

PREFIXES = st.from_regex(r"[a-z][a-z0-9.-]{0,8}[a-z.-]", fullmatch=True)


@st.composite
def ranges(draw):
    """A bracket, as Slurm writes it, and the numbers that it stands for."""
    written, numbers = [], []
    for _ in range(draw(st.integers(1, 4))):
        width, first = draw(st.integers(1, 4)), draw(st.integers(0, 500))
        last = first + draw(st.integers(0, 20))
        written.append(
            f"{first:0{width}d}" if first == last else f"{first:0{width}d}-{last:0{width}d}"
        )
        numbers += [
            f"{number:0{max(width, len(str(first)))}d}" for number in range(first, last + 1)
        ]
    return f"[{','.join(written)}]", numbers


@st.composite
def items(draw):
    prefix, suffix = draw(PREFIXES), draw(st.sampled_from(["", "", "-ib", "x"]))
    if draw(st.booleans()):
        return prefix, [prefix]
    bracket, numbers = draw(ranges())
    return f"{prefix}{bracket}{suffix}", [f"{prefix}{number}{suffix}" for number in numbers]


@given(st.lists(items(), max_size=5))
def test_what_slurm_shortens_comes_apart_in_its_order(drawn):
    text = ",".join(written for written, _ in drawn)

    assert list(expand(text)) == [name for _, names in drawn for name in names]


@given(st.text(max_size=200) | st.text(alphabet="a0[]-,: ", max_size=40))
def test_any_text_is_names_or_a_named_error(text):
    with suppress(HostlistError):
        assert all(isinstance(name, str) and name for name in expand(text))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", ()),
        ("gpu01", ("gpu01",)),
        ("ng[30103,30203,30706-30707]", ("ng30103", "ng30203", "ng30706", "ng30707")),
        ("rack[1-2]n[08-09]", ("rack1n08", "rack1n09", "rack2n08", "rack2n09")),
        ("a[9-11],b", ("a9", "a10", "a11", "b")),
    ],
)
def test_real_lists_are_read(text, names):
    assert expand(text) == names


@pytest.mark.parametrize("text", ["a[1-2", "a]", "a[2-1]", "a[x]", "a,,b", "a[]", f"a[0-{MOST}]"])
def test_what_is_no_list_is_refused(text):
    with pytest.raises(HostlistError):
        expand(text)


def test_a_product_of_ranges_stays_bounded():
    with pytest.raises(HostlistError, match="more than"):
        expand("a[0-9999]b[0-9999]")
