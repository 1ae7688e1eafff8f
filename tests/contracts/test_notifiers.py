"""What every notifier owes: once, honestly, and without a word that is not for others."""

import logging
import traceback
from collections.abc import AsyncIterator
from pathlib import Path
from typing import get_args

import pytest

from reaper.domain.escalation.notice import NoticeKind
from reaper.ports import NotifyError, Person
from tests.channels import (
    NOON,
    SECRETS,
    Answers,
    Channel,
    World,
    clock,
    letter,
    notice,
)
from tests.every_channel import CHANNELS

FAULTS = [
    pytest.param(channel, fault, id=f"{channel.name}: {fault[0]}")
    for channel in CHANNELS
    for fault in channel.faults
]


@pytest.fixture(params=CHANNELS, ids=lambda channel: channel.name)
async def world(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[World]:
    async with request.param.open(tmp_path, clock()) as opened:
        yield opened


async def test_it_delivers_once_and_says_when(world: World):
    delivered = await world.notifier.deliver(letter(notice()))

    assert (len(world.arrived()), delivered.at) == (1, NOON)
    assert delivered.handle


async def test_it_is_called_as_it_calls_itself(world: World):
    channel = next(item for item in CHANNELS if item.name == world.notifier.name)

    assert world.notifier.personal is channel.personal


@pytest.mark.parametrize("kind", get_args(NoticeKind))
async def test_it_tells_every_kind_of_notice(world: World, kind):
    await world.notifier.deliver(letter(notice(kind)))

    assert "slurm/4711" in world.arrived()[0]


async def test_what_is_personal_takes_nothing_for_whoever_has_left_and_is_reached_by_nobody(
    world: World,
):
    if not world.notifier.personal:
        return
    with pytest.raises(NotifyError):
        await world.notifier.deliver(letter(notice(), to=Person(user="otto", left=True)))

    assert world.arrived() == []


async def test_it_tells_the_figures_of_the_verdict(world: World):
    await world.notifier.deliver(letter(notice()))
    (text,) = world.arrived()

    assert all(
        figure in text
        for figure in ("45 minutes", "3.80 EUR", "Mon 30 Nov 11:15 CET", "Mon 30 Nov 12:45 CET")
    )


async def test_a_name_cannot_shape_the_message(world: World):
    name = "x\n<!channel> *urgent* \x1b[31mred\u202eevil <https://bad.example|click>"
    await world.notifier.deliver(letter(notice(name=name, user=name)))
    (text,) = world.arrived()

    raw = not world.notifier.name.startswith("slack")
    assert not {"\x1b", "\u202e"} & set(text)
    assert raw or ("<!channel>" not in text and "<https://bad.example" not in text)
    assert "x <!channel>" in text or "x &lt;!channel&gt;" in text


async def test_endless_names_are_cut(world: World):
    endless = "n" * 100_000
    await world.notifier.deliver(
        letter(notice(name=endless, reason=endless, model=endless, nodes=(endless,) * 500))
    )

    assert len(world.arrived()[0]) < 10_000


@pytest.mark.parametrize(("channel", "fault"), FAULTS)
async def test_a_fault_says_what_may_be_done(channel: Channel, fault: Answers, tmp_path: Path):
    name, recoverable, ambiguous, retry_after = fault
    async with channel.open(tmp_path, clock()) as world:
        world.fail(name)
        with pytest.raises(NotifyError) as raised:
            await world.notifier.deliver(letter(notice()))

    error = raised.value
    assert (error.recoverable, error.ambiguous) == (recoverable, ambiguous)
    assert error.retry_after == retry_after


@pytest.mark.parametrize(("channel", "fault"), FAULTS)
async def test_it_never_tries_again_by_itself(channel: Channel, fault: Answers, tmp_path: Path):
    async with channel.open(tmp_path, clock()) as world:
        world.fail(fault[0])
        with pytest.raises(NotifyError):
            await world.notifier.deliver(letter(notice()))

        assert world.attempts() == 1


@pytest.mark.parametrize(("channel", "fault"), FAULTS)
async def test_a_fault_repeats_no_secret(
    channel: Channel, fault: Answers, tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    async with channel.open(tmp_path, clock()) as world:
        world.fail(fault[0])
        with pytest.raises(NotifyError) as raised:
            await world.notifier.deliver(letter(notice()))
        shown = "".join(traceback.format_exception(raised.value))
        told = (shown, repr(raised.value), repr(world.notifier), str(vars(world.notifier)))

    whole = "\n".join((*told, caplog.text))
    assert not [secret for secret in SECRETS if secret in whole]


@pytest.mark.parametrize(("channel", "fault"), FAULTS)
async def test_a_fault_names_the_channel_and_stays_on_a_line(
    channel: Channel, fault: Answers, tmp_path: Path
):
    async with channel.open(tmp_path, clock()) as world:
        world.fail(fault[0])
        with pytest.raises(NotifyError) as raised:
            await world.notifier.deliver(letter(notice()))

    assert str(raised.value).startswith(channel.name.partition("-")[0])
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(("channel", "fault"), FAULTS)
async def test_after_a_fault_the_next_notice_arrives(
    channel: Channel, fault: Answers, tmp_path: Path
):
    async with channel.open(tmp_path, clock()) as world:
        world.fail(fault[0])
        with pytest.raises(NotifyError):
            await world.notifier.deliver(letter(notice()))
        world.fail("")
        before = len(world.arrived())

        await world.notifier.deliver(letter(notice()))

        assert len(world.arrived()) == before + 1


async def test_a_delivery_leaves_no_secret_in_the_log(
    world: World, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    await world.notifier.deliver(letter(notice()))

    assert not [secret for secret in SECRETS if secret in caplog.text]
