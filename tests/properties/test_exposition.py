"""The page reader agrees with prometheus_client, on any page and after any page before it."""

import math

from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

from reaper.activity.exposition import Exposition, PageError, Samples

NAMES = st.from_regex(r"[a-z_:][a-z0-9_:]{0,6}", fullmatch=True)
KEYS = st.from_regex(r"[a-z][a-z0-9_]{0,4}", fullmatch=True)
TEXTS = st.text(
    st.one_of(st.sampled_from('\\"n{},=# \n'), st.characters(codec="utf-8")), max_size=8
)
NUMBERS = st.one_of(st.floats(), st.integers(-(10**9), 10**9))
TIMES = st.one_of(st.none(), st.integers(0, 2 * 10**12))


def escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')


def written(name: str, labels: dict[str, str], number: float, time: int | None) -> str:
    inside = ",".join(f'{key}="{escaped(text)}"' for key, text in labels.items())
    end = "" if time is None else f" {time}"
    return f"{name}{{{inside}}} {number}{end}" if labels else f"{name} {number}{end}"


SAMPLES = st.builds(
    written, NAMES, st.dictionaries(KEYS, TEXTS.filter(lambda t: "\r" not in t), max_size=3),
    NUMBERS, TIMES,
)  # fmt: skip
COMMENTS = st.sampled_from(["", "# note", "# HELP unheard Of."])
PAGES = st.lists(st.one_of(SAMPLES, COMMENTS), max_size=12)


def key(name: str, labels: dict[str, str]) -> tuple[str, tuple[tuple[str, str], ...]]:
    return name, tuple(sorted(labels.items()))


def peer(page: str) -> dict[object, tuple[float | None, float | None]]:
    return {
        key(sample.name, sample.labels): (comparable(sample.value), comparable(sample.timestamp))
        for family in text_string_to_metric_families(page)
        for sample in family.samples
    }


def ours(samples: Samples) -> dict[object, tuple[float | None, float | None]]:
    return {
        key(series.name, series.labels): (
            comparable(samples.values[slot]),
            comparable(samples.times.get(slot)),
        )
        for slot, series in enumerate(samples.layout.series)
    }


def comparable(number: float | None) -> float | str | None:
    if number is None:
        return None
    return "NaN" if math.isnan(number) else float(f"{number:.12g}")


def unique(lines: list[str]) -> list[str]:
    """Keep the first line of every series: the peer accepts repeated ones, we do not."""
    kept: dict[object, str] = {}
    for place, line in enumerate(lines):
        series = next(iter(peer(line + "\n")), place)
        kept.setdefault(series, line)
    return list(kept.values())


@given(st.lists(PAGES, min_size=1, max_size=4))
def test_pages_read_one_after_another_mean_what_the_peer_reads(pages: list[list[str]]):
    reader = Exposition()
    for lines in pages:
        page = "".join(f"{line}\n" for line in unique(lines)) or "\n"

        assert ours(reader.parse(page.encode())) == peer(page)


@given(PAGES, st.data())
def test_a_known_page_with_other_numbers_means_what_the_peer_reads(lines: list[str], data):
    reader = Exposition()
    kept = [line for line in unique(lines) if line and not line.startswith("#")]
    reader.parse("".join(f"{line}\n" for line in kept).encode() or b"\n")
    page = "".join(f"{line.rpartition(' ')[0]} {data.draw(NUMBERS)}\n" for line in kept) or "\n"

    assert ours(reader.parse(page.encode())) == peer(page)


@given(st.lists(SAMPLES, min_size=1, max_size=4), st.binary(max_size=30), st.data())
def test_bytes_put_anywhere_are_understood_the_same_with_and_without_memory(
    lines: list[str], junk: bytes, data
):
    page = "".join(f"{line}\n" for line in unique(lines)).encode()
    reader = Exposition()
    reader.parse(page)
    place = data.draw(st.integers(0, len(page)))
    broken = page[:place] + junk + page[place + len(junk) :]

    assert outcome(reader, broken) == outcome(Exposition(), broken)


def outcome(reader: Exposition, page: bytes) -> object:
    try:
        return ours(reader.parse(page))
    except PageError as error:
        return str(error).partition(":")[0]
