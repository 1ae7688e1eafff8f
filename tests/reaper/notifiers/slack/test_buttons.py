"""Buttons as Slack takes them, one message or many notices in one."""

import json
import logging
import traceback
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from reaper.domain.escalation.sequel import Fate, Sequel
from reaper.domain.escalation.token import Token, signed
from reaper.notifiers.slack.messages import SlackDirect, SlackOperators
from reaper.performers.letters import TOGETHER
from reaper.performers.letters import letter as put
from reaper.ports import Letter, NotifyError
from tests.channels import MIRA, clock, notice, slack_settings
from tests.fakes_slack import ANSWERS, SECRETS, FakeSlack, slack
from tests.fakes_slack_socket import buttons
from tests.slack_desk import KEY, app_token


@pytest.fixture
async def workspace() -> AsyncIterator[FakeSlack]:
    async with slack() as fake:
        yield fake


def direct(workspace: FakeSlack, folder: Path, *, hears: bool = True) -> SlackDirect:
    more = {"app_token": app_token(folder)} if hears else {}
    return SlackDirect(slack_settings(folder, workspace.base_url, **more), clock=clock())


def letter(count: int = 1, **changes: object) -> Letter:
    """Return a letter with rights to answer, as the deliverer writes it."""
    notices = [
        replace(
            notice(allocation=f"slurm/{number}", mornings_left=1, **changes),
            id=f"c{number}:warning:0",
            case_id=f"c{number}",
            handle="D0MIRA:1700000000.000001",
        )
        for number in range(count)
    ]
    return put(notices, MIRA, key=KEY, page="https://gpus.example.org/")


async def test_a_warning_offers_every_answer_as_a_button(workspace: FakeSlack, tmp_path: Path):
    await direct(workspace, tmp_path).deliver(letter())

    found = [(item["action_id"], item["text"]["text"]) for item in buttons(workspace.posts[0])]
    assert found == [
        ("keep.14400.0", "Keep for 4 hours"),
        ("keep.3600.1", "Keep for 1 hour"),
        ("until_morning.0.2", "Keep until the next working morning"),
        ("release.0.3", "Release now"),
        ("dispute.0.4", "This is wrong"),
    ]


async def test_only_what_ends_work_or_stops_the_case_asks_first(
    workspace: FakeSlack, tmp_path: Path
):
    await direct(workspace, tmp_path).deliver(letter())

    asks = {item["action_id"] for item in buttons(workspace.posts[0]) if "confirm" in item}
    assert asks == {"release.0.3", "dispute.0.4"}
    release = next(b for b in buttons(workspace.posts[0]) if b["action_id"] == "release.0.3")
    assert release["style"] == "danger"
    assert "what is not saved is lost" in release["confirm"]["text"]["text"]


async def test_a_button_carries_the_signed_right_of_its_notice(
    workspace: FakeSlack, tmp_path: Path
):
    sent = letter()
    await direct(workspace, tmp_path).deliver(sent)

    assert {item["value"] for item in buttons(workspace.posts[0])} == set(sent.tokens.values())


async def test_where_nobody_listens_commands_stand_instead(workspace: FakeSlack, tmp_path: Path):
    await direct(workspace, tmp_path, hears=False).deliver(letter())

    assert buttons(workspace.posts[0]) == []
    assert "gpu-reaper keep slurm/0 --for 4h" in json.dumps(workspace.posts[0])


async def test_the_operators_channel_has_no_buttons_and_no_rights(
    workspace: FakeSlack, tmp_path: Path
):
    settings = slack_settings(tmp_path, workspace.base_url, app_token=app_token(tmp_path))
    sent = letter()
    await SlackOperators(settings, clock=clock()).deliver(sent)

    assert buttons(workspace.posts[0]) == []
    assert not any(right in json.dumps(workspace.posts[0]) for right in sent.tokens.values())


async def test_a_long_name_fits_into_buttons_and_dialogs(workspace: FakeSlack, tmp_path: Path):
    await direct(workspace, tmp_path).deliver(letter(name="ü&<" * 500))

    assert buttons(workspace.posts[0])


async def test_the_longest_right_fits_into_a_button():
    token = Token(notice_id="n" * 200, run_key="k" * 200, user="u" * 200, expires=1e10)

    assert len(signed(token, KEY)) <= 2000


# ------------------------------------------------------------------ digests


async def test_the_largest_digest_is_taken_and_every_notice_can_be_answered(
    workspace: FakeSlack, tmp_path: Path
):
    sent = letter(TOGETHER)
    await direct(workspace, tmp_path).deliver(sent)

    (post,) = workspace.posts
    assert {item["value"] for item in buttons(post)} == set(sent.tokens.values())
    assert all(f"slurm/{number}" in json.dumps(post) for number in range(TOGETHER))


async def test_a_digest_keeps_the_answers_of_what_still_stands(
    workspace: FakeSlack, tmp_path: Path
):
    sent = letter(6)
    kept = Sequel(fate=Fate.KEPT, by="mira", until=sent.notice.created + 3600.0)
    await direct(workspace, tmp_path).amend(sent, {"c2:warning:0": kept})

    (update,) = workspace.updates
    gone = sent.tokens["c2:warning:0"]
    assert {item["value"] for item in buttons(update)} == set(sent.tokens.values()) - {gone}
    assert "slurm/2: Kept until Mon 30 Nov 13:00 CET, by mira." in json.dumps(update)


# ------------------------------------------------------------------ changing a message


async def test_a_message_is_changed_where_it_lies(workspace: FakeSlack, tmp_path: Path):
    await direct(workspace, tmp_path).amend(letter(), {"c0:warning:0": Sequel(fate=Fate.RELEASED)})

    (update,) = workspace.updates
    assert (update["channel"], update["ts"]) == ("D0MIRA", "1700000000.000001")
    assert "It was released." in json.dumps(update)


@pytest.mark.parametrize("language", ["en", "ru", "xx"])
@pytest.mark.parametrize("fate", Fate)
async def test_every_fate_is_told_in_every_language(
    workspace: FakeSlack, tmp_path: Path, fate: Fate, language: str
):
    sent = replace(letter(), person=replace(MIRA, language=language))
    await direct(workspace, tmp_path).amend(
        sent, {"c0:warning:0": Sequel(fate=fate, by="mira", until=1.8e9)}
    )

    (update,) = workspace.updates
    assert buttons(update) == []
    assert "{" not in update["blocks"][-2]["text"]["text"]


@pytest.mark.parametrize("answer", sorted(ANSWERS.keys() - {"no timestamp"}))
async def test_a_change_that_fails_repeats_no_secret(
    workspace: FakeSlack, tmp_path: Path, answer: str, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    workspace.update_answer = answer
    sent = letter()
    with pytest.raises(NotifyError) as raised:
        await direct(workspace, tmp_path).amend(sent, {})
    told = "".join(traceback.format_exception(raised.value)) + caplog.text

    assert not any(secret in told for secret in (*SECRETS, *sent.tokens.values()))


@pytest.mark.parametrize(
    ("answer", "recoverable", "wait"),
    [
        ("429", True, 7.0),
        ("500", True, None),
        ("timeout after accept", True, None),
        ("reset after accept", True, None),
        ("garbled", True, None),
        ("message not found", False, None),
        ("token revoked", False, None),
        ("missing scope", False, None),
    ],
)
async def test_a_change_that_fails_says_what_may_be_done(
    workspace: FakeSlack, tmp_path: Path, answer: str, recoverable: bool, wait: float | None
):
    workspace.update_answer = answer
    with pytest.raises(NotifyError) as raised:
        await direct(workspace, tmp_path).amend(letter(), {})

    error = raised.value
    assert (error.recoverable, error.ambiguous, error.retry_after) == (recoverable, False, wait)
    assert str(error).startswith("slack: chat.update ")
