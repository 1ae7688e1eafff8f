"""Counters of requests become letters: a request was answered, none was, or nobody knows."""

from dataclasses import replace

import pytest

from reaper.domain.facts.serving import Requests, Service, after

ONE = Requests(run_key="r", server="a", at=0.0, epoch="x", answered=5.0)


def word(at: float, answered: float = 5.0, **given: object) -> dict[str, Requests]:
    return {"a": replace(ONE, at=at, answered=answered, **given)}


def told(*words: dict[str, Requests]) -> str:
    """Return the letters after one word a minute."""
    service: Service | None = None
    for minute, now in enumerate(words):
        service = after(service, now, minute=minute)
    assert service is not None
    return service.track.letters


@pytest.mark.parametrize(
    ("later", "letter"),
    [
        pytest.param(word(60), ".", id="nothing was asked"),
        pytest.param(word(60, 6.0), "R", id="one was answered"),
        pytest.param(word(60, pending=1.0), "R", id="one waits"),
        pytest.param(word(60, 0.0), "?", id="it counts anew"),
        pytest.param(word(60, epoch="y"), "?", id="it began anew"),
        pytest.param(word(0), "?", id="an old answer again"),
        pytest.param({}, "?", id="silence"),
        pytest.param(word(60) | {"b": replace(ONE, server="b", at=60.0)}, "?", id="a new one"),
    ],
)
def test_a_minute_between_two_words(later: dict[str, Requests], letter: str) -> None:
    assert told(word(0), later) == letter


def test_one_of_several_servers_is_enough_to_be_asked() -> None:
    both = {name: replace(ONE, server=name) for name in "ab"}
    later = {"a": replace(ONE, at=60.0), "b": replace(ONE, server="b", at=60.0, answered=6.0)}

    assert told(both, later) == "R"


def test_a_counter_that_stands_still_proves_a_longer_gap() -> None:
    service = after(None, word(0), minute=0)
    service = after(service, word(60), minute=1)
    service = after(service, word(300), minute=5)

    assert service.track.letters == "....."


def test_a_server_that_was_silent_is_compared_with_its_last_word() -> None:
    assert told(word(0), {}, word(120)) == "?."


def test_what_is_under_way_at_the_end_of_a_gap_says_nothing_of_its_begin() -> None:
    service = after(after(None, word(0), minute=0), word(180, pending=1.0), minute=3)

    assert service.track.letters == "..R"[-len(service.track.letters) :]
