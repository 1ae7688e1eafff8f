"""A webhook's events: their form, their signature, and what never is in them."""

import hashlib
import hmac
import json
import ssl
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from reaper.notifiers.webhook import Webhook
from reaper.notifiers.webhook.event import Event
from reaper.ports import Letter, NotifyError
from tests.channels import MIRA, NOON, clock, letter, notice
from tests.channels_of_site import webhook_settings
from tests.fakes_webhook import KEY, FakeWebhook, webhook
from tests.messages import LETTERS, OTTO
from tests.project import ROOT
from tests.reaper.activity.exporters.test_credentials import CERTIFICATE


async def posted(written: Letter, folder: Path, **changes: Any) -> tuple[FakeWebhook, Event]:
    async with webhook() as fake:
        settings = webhook_settings(folder, fake.url, **changes)
        await Webhook(settings, clock=clock()).deliver(written)
    return fake, Event.model_validate_json(fake.bodies[0])


async def test_an_event_holds_the_numbers_of_the_verdict(tmp_path: Path):
    _, event = await posted(letter(notice("final")), tmp_path)
    (told,) = event.allocations

    assert (event.version, event.kind, event.user) == (1, "final", "mira")
    assert (event.sent_at, told.release_at) == ("2026-11-30T11:00:00Z", "2026-11-30T11:45:00Z")
    assert (told.allocation, told.devices, told.cost_per_hour) == ("slurm/4711", 2, 3.8)
    assert (told.notice, told.case, told.run) == ("case-1:final:0", "case-1", "4711:0:1")
    assert event.title in event.text


async def test_what_is_unknown_is_null(tmp_path: Path):
    _, event = await posted(letter(notice(cost_per_hour=None, release_at=None)), tmp_path)

    assert event.allocations[0].cost_per_hour is None
    assert event.allocations[0].release_at is None


async def test_a_digest_is_one_event(tmp_path: Path):
    _, event = await posted(LETTERS["warning-digest"], tmp_path)

    assert [one.allocation for one in event.allocations] == [
        "slurm/4711",
        "slurm/4712",
        "slurm/4713",
    ]


async def test_its_reader_can_prove_who_wrote_it_and_when(tmp_path: Path):
    fake, _ = await posted(letter(notice()), tmp_path)
    at, _, mac = fake.headers[0]["X-GPU-Reaper-Signature"].partition(",v1=")
    signed = at.removeprefix("t=").encode() + b"." + fake.bodies[0]

    assert at == f"t={NOON:.0f}"
    assert hmac.new(KEY.encode(), signed, hashlib.sha256).hexdigest() == mac


async def test_an_event_that_is_sent_again_has_the_same_id(tmp_path: Path):
    first, _ = await posted(letter(notice()), tmp_path)
    again, event = await posted(letter(replace(notice(), repeats=True)), tmp_path)

    assert event.repeats
    assert first.headers[0]["X-GPU-Reaper-Event"] == again.headers[0]["X-GPU-Reaper-Event"]


async def test_no_right_to_answer_and_no_address_is_in_it(tmp_path: Path):
    written = letter(notice(), tokens={"case-1:warning:0": "the-token"}, page="https://p.example/")
    fake, _ = await posted(written, tmp_path)

    assert b"the-token" not in fake.bodies[0]
    assert b"mira@example.org" not in fake.bodies[0]


async def test_it_is_told_that_the_person_has_left(tmp_path: Path):
    _, event = await posted(letter(notice(), to=OTTO), tmp_path)

    assert (event.user, event.left) == ("otto", True)


async def test_it_speaks_tls_to_whom_somebody_vouches_for(tmp_path: Path):
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(CERTIFICATE)
    async with webhook(context) as fake:
        known = webhook_settings(tmp_path, fake.url, ca=str(CERTIFICATE))
        await Webhook(known, clock=clock()).deliver(letter(notice()))
        unknown = Webhook(webhook_settings(tmp_path, fake.url), clock=clock())
        with pytest.raises(NotifyError, match="the connection is not safe") as raised:
            await unknown.deliver(letter(notice()))

    assert len(fake.bodies) == 1
    assert not raised.value.recoverable


async def test_a_tool_that_is_not_there_can_be_asked_later(tmp_path: Path):
    async with webhook() as fake:
        settings = webhook_settings(tmp_path, fake.url)
    with pytest.raises(NotifyError, match="nothing was sent") as raised:
        await Webhook(settings, clock=clock()).deliver(letter(notice(), to=MIRA))

    assert (raised.value.recoverable, raised.value.ambiguous) == (True, False)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://hooks.example.org/x", "travel readably"),
        ("ftp://127.0.0.1/x", "travel readably"),
        ("https:///x", "travel readably"),
        ("https://user:word@hooks.example.org/x", "a secret is written"),
    ],
)
def test_a_mistake_in_the_settings_is_named(url: str, said: str, tmp_path: Path):
    with pytest.raises(ValidationError, match=said):
        webhook_settings(tmp_path, url)


def test_the_published_schema_is_that_of_the_events():
    published = json.loads((ROOT / "docs/webhook.schema.json").read_text(encoding="utf-8"))

    assert published == Event.model_json_schema()
