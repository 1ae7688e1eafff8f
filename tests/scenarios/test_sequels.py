"""Messages in Slack keep saying what is so, while their cases move."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.fakes_slack_socket import buttons
from tests.slack_desk import GPU, Desk, desk


@pytest.fixture
async def warned(tmp_path: Path) -> AsyncIterator[Desk]:
    """Open a desk whose person has the first and the final notice."""
    async with desk(tmp_path) as opened:
        await opened.warned()
        yield opened


async def idle(to: Desk, minutes: int = 1) -> None:
    """Let idle minutes pass."""
    await to.bench.play({GPU: "H" * minutes})


def said(update: dict[str, object]) -> str:
    """Return the words of a changed message."""
    return str(update["blocks"])


async def test_the_final_notice_takes_the_answers_off_the_first(warned: Desk) -> None:
    await idle(warned)

    (update,) = warned.workspace.updates
    assert (update["channel"], update["ts"]) == ("D0MIRA", "1700000000.000001")
    assert "A newer message tells how it stands." in said(update)
    assert buttons(update) == []


async def test_a_keep_is_shown_on_the_message_that_it_answers(warned: Desk) -> None:
    await warned.press("keep")
    await idle(warned)

    update = warned.workspace.updates[-1]
    assert update["ts"] == "1700000000.000002"
    assert "Kept until Fri 15 Jan 13:" in said(update)
    assert ", by mira." in said(update)
    assert buttons(update) == []


async def test_a_keep_by_another_channel_is_shown_too(warned: Desk) -> None:
    from reaper.requests import Identity

    await warned.core().requests.keep(
        name="101", seconds=3600.0, reason="lunch", by=Identity(user="mira", channel="socket")
    )
    await idle(warned)

    assert "Kept until" in said(warned.workspace.updates[-1])


async def test_a_dispute_is_shown(warned: Desk) -> None:
    await warned.press("dispute")
    await idle(warned)

    assert "Disputed: nothing happens to it" in said(warned.workspace.updates[-1])


async def test_a_release_that_is_disputed_days_later_is_shown_as_disputed(warned: Desk) -> None:
    await idle(warned, 60)
    assert "released" in warned.workspace.posts[-1]["text"]
    await idle(warned, 10)
    warned.bench.clock.at += 2 * 86400.0
    await idle(warned, 2)

    assert (await warned.press("dispute")).startswith("Noted.")
    await idle(warned, 2)

    update = warned.workspace.updates[-1]
    assert update["ts"] == "1700000000.000003"
    assert "Disputed" in said(update)
    assert buttons(update) == []


async def test_an_own_release_is_shown_until_it_is_done(warned: Desk) -> None:
    await warned.press("release")
    await idle(warned, 30)

    texts = [said(update) for update in warned.workspace.updates]
    assert any("It was released, as mira asked. Thank you." in text for text in texts)


async def test_work_that_returns_ends_the_message(warned: Desk) -> None:
    await warned.bench.play({GPU: "AAA"})

    assert "It is in use again" in said(warned.workspace.updates[-1])


async def test_a_release_ends_the_message(warned: Desk) -> None:
    await idle(warned, 60)

    assert any("It was released." in said(update) for update in warned.workspace.updates)


async def test_each_message_is_changed_once_for_each_thing_that_happens(warned: Desk) -> None:
    await warned.press("keep")
    await idle(warned, 10)

    assert len(warned.workspace.updates) == 2
    assert warned.workspace.calls.count("chat.update") == 2


async def test_slack_that_limits_the_rate_is_left_in_peace_for_as_long_as_it_says(
    warned: Desk,
) -> None:
    before = warned.workspace.calls.count("chat.update")
    warned.workspace.update_answer = "429 for long"
    await warned.press("keep")
    await idle(warned, 3)
    assert warned.workspace.calls.count("chat.update") == before + 1

    warned.workspace.update_answer = ""
    await idle(warned, 5)
    assert "Kept until" in said(warned.workspace.updates[-1])


@pytest.mark.parametrize("answer", ["message not found", "missing scope", "token revoked"])
async def test_a_message_that_cannot_be_changed_is_let_be(warned: Desk, answer: str) -> None:
    warned.workspace.update_answer = answer
    await warned.press("keep")

    await idle(warned, 5)

    assert warned.workspace.calls.count("chat.update") == 2


@pytest.mark.parametrize("answer", ["500", "timeout after accept", "garbled", "login page"])
async def test_a_change_of_unknown_fate_is_made_again(warned: Desk, answer: str) -> None:
    warned.workspace.update_answer = answer
    await warned.press("keep")
    await idle(warned, 1)
    warned.workspace.update_answer = ""

    await idle(warned, 3)

    assert "Kept until" in said(warned.workspace.updates[-1])


async def test_a_restart_does_not_change_messages_again(warned: Desk) -> None:
    await warned.press("keep")
    await idle(warned)
    before = len(warned.workspace.updates)
    warned.bench.crash()

    await idle(warned, 3)

    assert len(warned.workspace.updates) == before


async def test_what_happens_while_nobody_is_here_is_shown_after_the_start(warned: Desk) -> None:
    await warned.press("dispute")
    warned.bench.crash()

    await idle(warned, 2)

    assert "Disputed" in said(warned.workspace.updates[-1])
