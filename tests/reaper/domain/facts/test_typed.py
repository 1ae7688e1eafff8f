"""The newest inputs of a run, each once, and no more than are needed."""

from reaper.domain.facts.sign import Sign
from reaper.domain.facts.typed import REMEMBERED, all_typed, typed
from tests.builders import MINUTE, START, allocation


def sign(seen: float | None, kind: str = "shell") -> Sign:
    return Sign(kind=kind, last_seen=seen, as_of=START)


def test_an_input_that_is_seen_again_counts_once() -> None:
    assert typed((START,), [sign(START + 1)]) == (START,)


def test_the_newest_input_of_any_session_counts() -> None:
    signs = [sign(START + MINUTE), sign(START + 2 * MINUTE, "jupyter")]

    assert typed((START,), signs) == (START, START + 2 * MINUTE)


def test_nobody_types_where_no_input_can_be_read() -> None:
    assert typed((), [sign(None), sign(START, "keeper")]) == ()


def test_only_the_newest_inputs_are_remembered() -> None:
    found: tuple[float, ...] = ()
    for minute in range(2 * REMEMBERED):
        found = typed(found, [sign(START + minute * MINUTE)])

    assert found[0] == START + REMEMBERED * MINUTE
    assert len(found) == REMEMBERED


def test_a_run_whose_sessions_are_not_seen_for_once_keeps_its_inputs() -> None:
    quiet, gone = allocation("1"), "2"

    found = all_typed({quiet.run.key: (START,), gone: (START,)}, [quiet, allocation("3")])

    assert found == {quiet.run.key: (START,)}
