"""What a click does, and what its person is told."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.domain.escalation.token import LASTS
from reaper.domain.judgement.policy import Mode
from reaper.notifiers.slack.answering import Answering
from reaper.notifiers.slack.clicks import click
from reaper.ports import Person
from reaper.requests import Identity
from tests.builders import HOUR, policy, run
from tests.fakes_slack import SECRETS
from tests.slack_desk import GPU, KEEPING, Desk, desk

json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "user", "id", "actions", "action_id", "value", "channel"]),
            inner | st.sampled_from(["block_actions", "keep.60.0", "release.0.1"]),
            max_size=5,
        )
    ),
    max_leaves=12,
)


@dataclass(slots=True)
class Known:
    """A directory of one person."""

    one: Person
    name: str = "people"

    async def person(self, user: str) -> Person | None:
        """Return the one."""
        return self.one


@pytest.fixture
async def warned(tmp_path: Path) -> AsyncIterator[Desk]:
    async with desk(tmp_path) as opened:
        await opened.warned()
        yield opened


async def keeps(warned: Desk) -> int:
    async with warned.bench.store.reading() as books:
        return len(await books.keeps(warned.bench.clock.now()))


async def test_keep_keeps_for_as_long_as_its_button_says(warned: Desk):
    said = await warned.press("keep")

    async with warned.bench.store.reading() as books:
        (keep,) = await books.keeps(warned.bench.clock.now())
    assert (keep.run_key, keep.by, keep.until - keep.begin) == (run().key, "mira", 4 * HOUR)
    assert said.startswith("Kept until ")


async def test_the_event_says_who_and_by_which_channel(warned: Desk):
    await warned.press("keep")

    (event,) = await warned.bench.events("keep")
    assert (event.by, event.channel) == ("mira", "slack")


async def test_until_morning_keeps_until_ten_of_the_next_working_day(warned: Desk):
    said = await warned.press("until_morning")

    assert await keeps(warned) == 1
    assert "10:00" in said


async def test_release_is_taken_after_the_dialog(warned: Desk):
    said = await warned.press("release")

    assert said == "Thank you. It is being released."
    assert (await warned.bench.case()).own_release is not None


async def test_release_works_where_the_policy_only_notifies(tmp_path: Path):
    async with desk(tmp_path, policy(keep=KEEPING, mode=Mode.NOTIFY)) as notifying:
        await notifying.warned()
        assert await notifying.press("release") == "Thank you. It is being released."
        await notifying.bench.play({GPU: "HHH"})

        assert len(notifying.bench.actor.begun) == 1


async def test_release_asks_before_and_no_other_button_kills(warned: Desk):
    rows = [block for block in warned.workspace.posts[-1]["blocks"] if block["type"] == "actions"]
    asked = {b["action_id"].split(".")[0]: "confirm" in b for b in rows[0]["elements"]}

    assert asked["release"] is True


async def test_dispute_stops_the_case(warned: Desk):
    said = await warned.press("dispute")

    assert (await warned.bench.case()).disputed
    assert said == "Noted. Nothing happens to it until an operator has looked."


# ------------------------------------------------------------------ once, by the right person


async def test_a_second_click_changes_nothing_and_is_told_so(warned: Desk):
    await warned.press("keep")
    said = await warned.press("keep")

    assert await keeps(warned) == 1
    assert said == "This message was answered already: an answer counts once."


async def test_two_clicks_at_once_count_once(warned: Desk):
    answering = warned.answering()
    payload = warned.pressed("keep")
    await asyncio.gather(answering.hear(payload), answering.hear(payload))
    await answering.finish()

    assert await keeps(warned) == 1
    assert len(warned.workspace.whispers) == 2


async def test_a_stranger_is_told_that_it_is_not_theirs(warned: Desk):
    said = await warned.press("release", user="U0OTTO")

    assert said == "This message was written to somebody else, and only they may answer it."
    assert (await warned.bench.case()).own_release is None


async def test_what_a_stranger_tries_does_not_spend_the_answer(warned: Desk):
    await warned.press("keep", user="U0OTTO")

    assert (await warned.press("keep")).startswith("Kept until ")


async def test_the_whisper_goes_to_who_clicked(warned: Desk):
    await warned.press("release", user="U0OTTO")

    assert warned.workspace.whispers[0]["user"] == "U0OTTO"


async def test_an_altered_right_to_answer_is_none(warned: Desk):
    value = warned.pressed("keep")["actions"][0]["value"]
    for altered in (value[:-2] + "AA", value[4:], value.upper(), "", "x" * 5000):
        said = await warned.press("keep", value=altered)
        assert said.startswith("This button no longer works")

    assert await keeps(warned) == 0


async def test_a_right_to_answer_ends_after_a_week(warned: Desk):
    warned.bench.clock.at += LASTS + HOUR

    assert (await warned.press("keep")).startswith("This button no longer works")


async def test_a_late_click_says_that_it_is_over(warned: Desk):
    await warned.bench.play({GPU: "H" * 60})

    said = await warned.press("keep", post=1)

    assert said.startswith("Nothing was changed: slurm/101 was released on ")


async def test_a_click_when_the_release_has_begun_does_not_promise_too_much(warned: Desk):
    while not warned.bench.actor.begun:
        await warned.bench.minute({GPU: "H"})

    said = await warned.press("keep", post=1)

    assert said.startswith("Kept until ")
    assert said.endswith("Its release had begun: it is taken back where that can still be done.")


async def test_a_longer_keep_than_the_policy_allows_is_refused(warned: Desk):
    said = await warned.press("keep", action_id="keep.360000.0")

    assert said.startswith("Nothing was changed: not kept: at most 4 h at a time")
    assert await keeps(warned) == 0


async def test_what_others_wrote_is_no_markup_in_what_a_person_is_told(warned: Desk):
    asks = await warned.bench.requests()
    await asks.pause(reason="<!channel> *now*", by=Identity(user="vera", operator=True))

    assert "(paused: &lt;!channel&gt; *now*)" in await warned.press("release")


async def test_a_run_at_work_again_is_not_released_by_an_old_message(warned: Desk):
    await warned.bench.play({GPU: "A"})

    said = await warned.press("release")

    assert said.startswith("Nothing was changed: ")
    assert warned.bench.actor.begun == []


async def test_who_answers_for_somebody_that_has_left_is_named(warned: Desk):
    parts = warned.bench.parts
    assert parts is not None
    ada = Person(user="mira", left=True, contact="ada", addresses={"slack": "U0ADA"})
    core = replace(warned.core(), people=(Known(ada),))
    answering = Answering(warned.settings, core)
    await answering.hear(warned.pressed("dispute", user="U0MIRA"))
    await answering.hear(warned.pressed("dispute", user="U0ADA"))
    await answering.finish()

    (event,) = await warned.bench.events("dispute")
    assert event.text == "answered in Slack by ada"


# ------------------------------------------------------------------ foreign and broken


@given(payload=json_like)
def test_whatever_comes_is_a_click_of_ours_or_none(payload: object):
    for told in (payload, json.dumps(payload)):
        found = click(told)
        assert found is None or found.verb in ("keep", "until_morning", "release", "dispute")


@given(text=st.text())
def test_whatever_text_comes_is_read_without_an_error(text: str):
    assert click(text) is None


@pytest.mark.parametrize(
    "payload",
    [
        "",
        "{",
        "[]",
        "null",
        b"\xff",
        {},
        7,
        {"type": "view_submission", "user": {"id": "U0MIRA"}},
        {"type": "block_actions", "user": "U0MIRA", "actions": []},
        {"type": "block_actions", "user": {"id": "U0MIRA"}, "actions": [{"action_id": "pay.1"}]},
        {"type": "block_actions", "user": {"id": "U0MIRA"}, "actions": [{"action_id": "keep.-1"}]},
        {"type": "block_actions", "user": {"id": "U0MIRA"}, "actions": [{"action_id": "keep.1e9"}]},
        {"type": "block_actions", "user": {"id": "U0MIRA"}, "actions": [{"action_id": "keep.²"}]},
    ],
)
async def test_what_is_no_click_of_ours_is_passed_over(warned: Desk, payload):
    await warned.answering().hear(payload)

    assert warned.workspace.whispers == []


@pytest.mark.parametrize("answer", ["500", "429", "token revoked", "timeout after accept"])
async def test_a_person_who_cannot_be_looked_up_changes_nothing(warned: Desk, answer: str):
    warned.workspace.lookup_answer = answer

    said = await warned.press("keep")

    assert said.startswith("Slack could not be asked who you are")
    assert await keeps(warned) == 0


async def test_slack_is_answered_in_time_though_the_request_takes_longer(warned: Desk):
    answering = Answering(warned.settings, warned.core(), prompt=0.01)
    warned.workspace.lookup_answer = "timeout after accept"
    await answering.hear(warned.pressed("keep"))
    assert warned.workspace.whispers == []

    await answering.finish()
    assert len(warned.workspace.whispers) == 1


async def test_no_secret_is_logged_or_told(warned: Desk, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    value = warned.pressed("keep")["actions"][0]["value"]
    for user in ("U0OTTO", "U0MIRA", "U0MIRA"):
        await warned.press("keep", user=user)
    warned.workspace.lookup_answer = "token revoked"
    await warned.press("dispute")

    told = caplog.text + "".join(whisper["text"] for whisper in warned.workspace.whispers)
    assert not any(secret in told for secret in (*SECRETS, value))
