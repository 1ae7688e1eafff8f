"""What hosts do, minute by minute."""

import pytest

from reaper.domain.facts.host import Host, Pressure, after


def word(at: float, *, node: str = "gpu01", start: float = 1.0, **seconds: float) -> Pressure:
    """Return a node's word at a time."""
    return Pressure(node=node, id="101", start=start, at=at, seconds=seconds)


def track(*words: dict[str, Pressure]) -> str:
    """Return the letters after a word a minute."""
    host: Host | None = None
    for minute, said in enumerate(words):
        host = after(host, said, minute=minute)
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
