"""E-mail: what is sent to whom, over which connection, and what its headers say."""

import ssl
from collections.abc import Mapping
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from reaper.domain.escalation.token import Token, signed
from reaper.notifiers.mail import Mail, MailSettings
from reaper.ports import Letter, NotifyError
from tests.channels import MIRA, NOON, clock, letter, notice
from tests.channels_of_site import mail_settings
from tests.fakes_smtp import USER, FakeSmtp, smtp
from tests.messages import ADDRESS, LETTERS, OTTO
from tests.reaper.activity.exporters.test_credentials import CERTIFICATE

TOKENS = {
    "case-1:final:0": signed(
        Token(notice_id="case-1:final:0", run_key="4711:0:1", user="mira", expires=NOON), b"key"
    )
}
FINAL = letter(notice("final"), tokens=TOKENS, page=ADDRESS)


async def sent(
    written: Letter, fake: FakeSmtp, folder: Path, **changes: Any
) -> tuple[str, str, EmailMessage]:
    await Mail(mail_settings(folder, fake.port, **changes), clock=clock()).deliver(written)
    return fake.messages[-1]


async def one(written: Letter, folder: Path, **changes: Any) -> EmailMessage:
    async with smtp() as fake:
        return (await sent(written, fake, folder, **changes))[2]


def part(message: EmailMessage, kind: str) -> str:
    body = message.get_body((kind,))
    assert body is not None
    return str(body.get_content())


# ------------------------------------------------------------------ the message


async def test_it_goes_from_the_sites_address_to_the_person_alone(tmp_path: Path):
    async with smtp() as fake:
        sender, recipient, message = await sent(FINAL, fake, tmp_path)

    assert (sender, recipient) == ("gpu-reaper@example.org", "mira@example.org")
    assert (message["From"], message["To"]) == (
        "gpu-reaper <gpu-reaper@example.org>",
        "Mira Example <mira@example.org>",
    )


async def test_machines_can_tell_what_it_is(tmp_path: Path):
    message = await one(FINAL, tmp_path, reply_to="gpu-help@example.org")
    said = {name: str(message[name]) for name in message.keys()}  # noqa: SIM118 - a message
    del said["Content-Type"]

    assert said == {
        "From": "gpu-reaper <gpu-reaper@example.org>",
        "To": "Mira Example <mira@example.org>",
        "Reply-To": "gpu-help@example.org",
        "Subject": "Last notice: your 2 GPUs are still idle",
        "Date": "Mon, 30 Nov 2026 11:00:00 +0000",
        "Message-ID": said["Message-ID"],
        "References": said["References"],
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "List-Id": "gpu-reaper notices <gpu-reaper.example.org>",
        "Content-Language": "en",
        "MIME-Version": "1.0",
    }


async def test_a_notice_that_is_sent_again_is_the_same_message(tmp_path: Path):
    first = await one(FINAL, tmp_path)
    again = await one(replace(FINAL, notices=(replace(FINAL.notice, repeats=True),)), tmp_path)
    other = await one(letter(notice()), tmp_path)

    assert first["Message-ID"] == again["Message-ID"] != other["Message-ID"]
    assert first["References"] == other["References"]


async def test_its_handle_is_its_message_id(tmp_path: Path):
    async with smtp() as fake:
        notifier = Mail(mail_settings(tmp_path, fake.port), clock=clock())
        delivered = await notifier.deliver(FINAL)

    assert delivered.handle == fake.messages[0][2]["Message-ID"]


async def test_every_answer_is_a_link_to_a_page_that_asks(tmp_path: Path):
    message = await one(FINAL, tmp_path)
    token = TOKENS["case-1:final:0"]
    links = [f"{ADDRESS}answer/{token}?do={verb}" for verb in ("keep", "release", "dispute")]

    assert [link for link in links if part(message, "plain").count(link) == 1] == links
    assert [link for link in links if part(message, "html").count(link) == 1] == links
    assert "asks first" in part(message, "plain")


@pytest.mark.parametrize(
    "changes", [{"page": ""}, {"tokens": {}}], ids=["without pages", "without a token"]
)
async def test_without_links_the_commands_are_told(changes: Mapping[str, Any], tmp_path: Path):
    message = await one(replace(FINAL, **changes), tmp_path)

    assert "gpu-reaper keep slurm/4711 --for 4h" in part(message, "plain")
    assert "<code>gpu-reaper release slurm/4711" in part(message, "html")
    assert "answer/" not in part(message, "plain") + part(message, "html")


async def test_a_digest_answers_each_allocation_by_its_own_token(tmp_path: Path):
    digest = LETTERS["warning-digest"]
    tokens = {item.id: f"token-{number}" for number, item in enumerate(digest.notices)}
    text = part(await one(replace(digest, tokens=tokens), tmp_path), "plain")

    assert [text.count(f"answer/token-{number}?do=keep") for number in range(3)] == [1, 1, 1]


async def test_russian_arrives_as_it_was_written(tmp_path: Path):
    message = await one(letter(notice("final"), to=replace(MIRA, language="ru")), tmp_path)

    assert message["Subject"] == "Последнее уведомление: ваши 2 GPU всё ещё простаивают"
    assert message["Content-Language"] == "ru"
    assert '<html lang="ru">' in part(message, "html")
    assert "Если простой продолжится" in part(message, "plain")


async def test_who_answers_for_a_person_is_named_in_the_address(tmp_path: Path):
    message = await one(letter(notice(), to=OTTO), tmp_path)

    assert message["To"] == "Mira Example <mira@example.org>"
    assert "Otto Example has left" in part(message, "plain")


# ------------------------------------------------------------------ what others wrote


async def test_a_name_is_no_header_and_no_mark_up(tmp_path: Path):
    name = "x\r\nBcc: otto@example.org\r\n\r\n<img src=https://bad.example>{{ 7*7 }}"
    written = letter(notice(name=name, reason=name), to=replace(MIRA, name=name))
    async with smtp() as fake:
        _, recipient, message = await sent(written, fake, tmp_path)

    assert recipient == "mira@example.org"
    assert message["Bcc"] is None
    assert "<img" not in part(message, "html")
    assert "&lt;img" in part(message, "html")
    assert "49" not in part(message, "html").replace("499", "")


@pytest.mark.parametrize(
    "address",
    [
        "",
        "mira",
        "mira@example.org\r\nRCPT TO:<otto@example.org>",
        "mira@example.org, otto@example.org",
        "<mira@example.org>",
        '"a b"@example.org',
        "mira@exämple.org",
    ],
)
async def test_an_address_that_is_none_is_never_tried(address: str, tmp_path: Path):
    async with smtp() as fake:
        with pytest.raises(NotifyError, match=r"mira has .* where people are listed") as raised:
            await sent(letter(notice(), to=replace(MIRA, email=address)), fake, tmp_path)

    assert not raised.value.recoverable
    assert fake.connections == 0


async def test_a_link_that_is_no_web_address_is_only_text(tmp_path: Path):
    message = await one(letter(notice(page="javascript:alert(1)")), tmp_path)

    assert "javascript:" not in part(message, "html")


# ------------------------------------------------------------------ the connection


@pytest.fixture
def tls(tmp_path: Path) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(CERTIFICATE)
    return context


async def test_it_signs_in_behind_starttls(tls: ssl.SSLContext, tmp_path: Path):
    async with smtp(tls=tls) as fake:
        await sent(FINAL, fake, tmp_path, security="starttls", ca=str(CERTIFICATE))

    assert fake.signed_in == [USER]


async def test_it_speaks_tls_from_the_start(tls: ssl.SSLContext, tmp_path: Path):
    async with smtp(tls=tls, from_the_start=True) as fake:
        await sent(FINAL, fake, tmp_path, security="tls", ca=str(CERTIFICATE))

    assert len(fake.messages) == 1


@pytest.mark.parametrize("security", ["tls", "starttls"])
async def test_a_server_that_nobody_vouches_for_gets_nothing(
    security: str, tls: ssl.SSLContext, tmp_path: Path
):
    async with smtp(tls=tls, from_the_start=security == "tls") as fake:
        with pytest.raises(NotifyError, match="the connection is not safe") as raised:
            await sent(FINAL, fake, tmp_path, security=security)

    assert (raised.value.recoverable, raised.value.ambiguous) == (False, False)
    assert (fake.signed_in, fake.messages) == ([], [])


async def test_a_password_never_goes_out_where_starttls_is_not_offered(tmp_path: Path):
    async with smtp() as fake:
        with pytest.raises(NotifyError, match="STARTTLS was refused"):
            await sent(FINAL, fake, tmp_path, security="starttls")

    assert fake.signed_in == []


async def test_a_server_that_is_not_there_can_be_asked_later(tmp_path: Path):
    async with smtp() as fake:
        port = fake.port
    settings = mail_settings(tmp_path, port)

    with pytest.raises(NotifyError, match="nothing was sent") as raised:
        await Mail(settings, clock=clock()).deliver(FINAL)

    assert raised.value.recoverable


async def test_a_slow_good_bye_is_no_doubt_about_the_message(tmp_path: Path):
    async with smtp() as fake:
        fake.hangs_at_quit = True
        await sent(FINAL, fake, tmp_path)

    assert len(fake.messages) == 1


async def test_a_password_file_that_is_missing_is_said(tmp_path: Path):
    async with smtp() as fake:
        with pytest.raises(NotifyError, match=r"mail: file .* cannot be read"):
            await sent(FINAL, fake, tmp_path, password={"file": str(tmp_path / "none")})

    assert fake.connections == 0


# ------------------------------------------------------------------ settings


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"server": "mail.example.org:25", "security": "none"}, "travel readably"),
        ({"user": ""}, "belong together"),
        ({"sender": "gpu reaper@example.org"}, "no mail address"),
        ({"sender": "x@example.org\nBcc: y@example.org"}, "no mail address"),
        ({"returns": {}}, "exactly one of maildir, mbox and command"),
    ],
)
def test_a_mistake_in_the_settings_is_named(changes: Mapping[str, Any], said: str, tmp_path: Path):
    with pytest.raises(ValidationError, match=said):
        mail_settings(tmp_path, 25, **changes)


@pytest.mark.parametrize(
    ("server", "expected"), [("mail.example.org:587", "starttls"), ("localhost:25", "none")]
)
def test_a_connection_to_elsewhere_is_secured_by_default(server: str, expected: str):
    written = {"server": server, "sender": "gpu-reaper@example.org"}

    assert MailSettings.model_validate(written).secured == expected
