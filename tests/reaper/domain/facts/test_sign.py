"""What proves that a person is away."""

import pytest

from reaper.domain.facts.sign import Presence, Sign, last_seen, presence, remembering
from reaper.languages.catalogue import said
from tests.builders import MINUTE, START


def sign(kind: str, minutes_ago: float | None, **given: object) -> Sign:
    """Return a sign whose last input lies so far back."""
    last = None if minutes_ago is None else START - minutes_ago * MINUTE
    return Sign(**{"kind": kind, "last_seen": last, "as_of": START, **given})


def seen(*signs: Sign) -> Presence:
    """Return the presence that signs show."""
    return presence(signs, now=START, stale_after=3 * MINUTE)


def test_every_session_must_prove_it_and_the_latest_input_counts() -> None:
    """Two shells, the younger input decides."""
    found = seen(sign("shell", 90), sign("shell", 40))

    assert found.away
    assert found.since == START - 40 * MINUTE


@pytest.mark.parametrize(
    ("signs", "why"),
    [
        pytest.param([], "no session seen", id="nobody seen"),
        pytest.param([sign("vscode", 90)], "nothing can prove", id="an IDE"),
        pytest.param([sign("ssh", 90)], "nothing can prove", id="ssh alone"),
        pytest.param([sign("shell", 90), sign("rstudio", 90)], "rstudio", id="one of two"),
        pytest.param([sign("shell", None)], "cannot be read", id="an unreadable tty"),
        pytest.param([sign("jupyter", 90, state="busy")], "busy", id="a busy kernel"),
        pytest.param([sign("jupyter", 90, state="unreachable")], "unreachable", id="no answer"),
        pytest.param([sign("shell", 90, as_of=START - 4 * MINUTE)], "looked at", id="stale"),
        pytest.param([sign("keeper", 900)], "no session seen", id="a sleep keeps it alive"),
    ],
)
def test_anything_that_cannot_prove_it_leaves_presence_unknown(signs: list[Sign], why: str) -> None:
    """Unknown presence is never absence."""
    found = seen(*signs)

    assert not found.away
    assert why in said(found.reason)


def test_inside_tmux_its_clients_input_counts_and_not_the_inner_shells() -> None:
    """A detached tmux shows old ttys although work may run."""
    assert seen(sign("tmux", 50), sign("shell", None)).away
    assert not seen(sign("tmux", None), sign("shell", 90)).away


def test_an_input_that_no_session_shows_any_more_is_remembered_and_is_no_person() -> None:
    found = remembering((), START - 6 * MINUTE, now=START)

    assert last_seen(found) == START - 6 * MINUTE
    assert not seen(*found).away
    assert "no session seen" in said(seen(*found).reason)


def test_sessions_that_show_the_last_input_need_no_memory_of_it() -> None:
    shown = (sign("shell", 5),)

    assert remembering(shown, START - 5 * MINUTE, now=START) is shown
    assert last_seen(remembering(shown, START - 3 * MINUTE, now=START)) == START - 3 * MINUTE
