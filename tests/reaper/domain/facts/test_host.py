"""What hosts do, minute by minute."""

from dataclasses import replace

import pytest

from reaper.domain.facts.host import Host, Pressure, after


def word(at: float, *, node: str = "gpu01", start: float = 1.0, **seconds: float) -> Pressure:
    """Return a node's word at a time."""
    return Pressure(node=node, id="101", start=start, at=at, seconds=seconds)


def track(*words: dict[str, Pressure], nodes: tuple[str, ...] = ("gpu01",)) -> str:
    """Return the letters after a word a minute."""
    host: Host | None = None
    for minute, said in enumerate(words):
        host = after(host, said, nodes=nodes, minute=minute)
    assert host is not None
    return host.track.letters


@pytest.mark.parametrize(
    ("later", "letter"),
    [
        pytest.param(word(60, cpu=30.0), "B", id="half a core"),
        pytest.param(word(60, cpu=0.6), "Q", id="a waiting kernel"),
        pytest.param(word(60, cpu=0.6, block_io=6.0), "B", id="reading data"),
        pytest.param(word(60, start=9.0, cpu=30.0), "?", id="begun anew"),
        pytest.param(word(60, cpu=-1.0), "?", id="a counter went back"),
        pytest.param(word(60), "?", id="nothing measured"),
    ],
)
def test_a_minute_of_the_host_has_a_letter(later: Pressure, letter: str) -> None:
    """Busy, quiet, or unseen; never guessed."""
    first = word(0, cpu=0.0, block_io=0.0)

    assert track({"gpu01": first}, {"gpu01": later}) == letter


def test_a_silent_node_makes_the_whole_minute_unseen() -> None:
    """All its nodes, or none."""
    both = {"gpu01": word(0, cpu=0.0), "gpu02": word(0, node="gpu02", cpu=0.0)}

    assert track(both, {"gpu01": word(60, cpu=0.0)}) == "?"


def test_minutes_without_a_word_keep_what_was_seen_before_them() -> None:
    words = [{"gpu01": word(60 * minute, cpu=60.0 * minute)} for minute in range(6)]

    assert track(*words[:3], {}, {}, words[5]) == "BB???"


def test_a_host_that_is_silent_for_days_is_remembered_for_one() -> None:
    host: Host | None = None
    for minute, said in ((0, {"gpu01": word(0, cpu=0.0)}), (1, {}), (5000, {}), (9000, {})):
        host = after(host, said, nodes=("gpu01",), minute=minute)

    assert host is not None
    assert (host.track.end, len(host.track)) == (9001, 1440)


@pytest.mark.parametrize(("cpu", "letter"), [(0.0, "?"), (30.0, "B")])
def test_a_node_that_never_says_anything_is_not_spoken_for_by_the_others(
    cpu: float, letter: str
) -> None:
    """Work on one of them is certain, rest of all is not."""
    words = [{"gpu01": word(60 * minute, cpu=cpu * minute)} for minute in range(4)]

    assert track(*words, nodes=("gpu01", "gpu02")) == letter * 3


def test_each_node_is_judged_by_itself() -> None:
    """A little on each of many nodes is no work; much on one is."""
    nodes = [f"gpu{number:02}" for number in range(16)]
    before = {node: word(0, node=node, cpu=0.0) for node in nodes}
    little = {node: word(60, node=node, cpu=3.0) for node in nodes}

    assert track(before, little) == "Q"
    assert track(before, little | {"gpu07": word(60, node="gpu07", cpu=18.0)}) == "B"


def moved(at: float, given: float | None, *, alone: bool = True, cpu: float = 0.05) -> Pressure:
    """Return a node's word with the bytes that it has moved."""
    return replace(word(at, cpu=cpu * at), moved=given, alone=alone)


@pytest.mark.parametrize(
    ("later", "letter"),
    [
        pytest.param(moved(60, 60e5), "S", id="its network rests too"),
        pytest.param(moved(60, 60e6), "B", id="it moves data"),
        pytest.param(moved(60, 60e6, alone=False), "Q", id="somebody there moves data"),
        pytest.param(moved(60, 60e5, alone=False), "S", id="nobody there does"),
        pytest.param(moved(60, None), "Q", id="nothing counts it"),
        pytest.param(moved(60, None, cpu=0.0), "S", id="it sleeps, so that it copies nothing"),
    ],
)
def test_a_network_that_is_not_seen_is_told_from_one_that_rests(
    later: Pressure, letter: str
) -> None:
    first = moved(0, 0.0 if later.moved is not None else None, alone=later.alone)

    assert track({"gpu01": first}, {"gpu01": later}) == letter
