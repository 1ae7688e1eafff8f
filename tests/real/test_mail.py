"""E-mail against a mail server that others wrote: STARTTLS, sign-in, refusals, what arrives."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from dataclasses import replace
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

from reaper.notifiers.mail import Mail
from reaper.ports import NotifyError
from tests.channels import MIRA, clock, letter, notice
from tests.channels_of_site import mail_settings
from tests.fakes_smtp import PASSWORD, USER
from tests.reaper.activity.exporters.test_credentials import CERTIFICATE


class Postbox:
    """Takes mail for one domain."""

    def __init__(self) -> None:
        self.taken: list[Any] = []

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, _: Any):  # noqa: N802
        if not address.endswith("@example.org"):
            return "550 5.7.1 no relaying"
        envelope.rcpt_tos.append(address)
        return "250 ok"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        self.taken.append(envelope)
        return "250 2.0.0 queued"


def _right(server: Any, session: Any, envelope: Any, mechanism: str, given: Any) -> AuthResult:
    known = LoginPassword(USER.encode(), PASSWORD.encode())
    return AuthResult(success=given == known, handled=False)


@pytest.fixture
async def postbox() -> AsyncIterator[tuple[Postbox, int]]:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(CERTIFICATE)
    box, loop = Postbox(), asyncio.get_running_loop()

    def session() -> SMTP:
        return SMTP(
            box,
            hostname="127.0.0.1",
            tls_context=context,
            require_starttls=True,
            authenticator=_right,
            auth_required=True,
            loop=loop,
        )

    server = await loop.create_server(session, "127.0.0.1", 0)
    try:
        yield box, server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await asyncio.sleep(0.05)


def mail(folder: Path, port: int, **changes: Any) -> Mail:
    secured = {"security": "starttls", "ca": str(CERTIFICATE)}
    return Mail(mail_settings(folder, port, **secured, **changes), clock=clock())


async def test_a_notice_arrives(postbox: tuple[Postbox, int], tmp_path: Path):
    box, port = postbox
    delivered = await mail(tmp_path, port).deliver(letter(notice("final")))
    (envelope,) = box.taken
    message = message_from_bytes(envelope.content, policy=policy.default)

    assert envelope.rcpt_tos == ["mira@example.org"]
    assert message["Message-ID"] == delivered.handle
    assert message["Subject"] == "Last notice: your 2 GPUs are still idle"
    assert [part.get_content_type() for part in message.walk()] == [
        "multipart/alternative",
        "text/plain",
        "text/html",
    ]


async def test_a_wrong_password_is_refused_and_nothing_sent(
    postbox: tuple[Postbox, int], tmp_path: Path
):
    box, port = postbox
    with pytest.raises(NotifyError, match=r"the sign-in was refused \(535\)") as raised:
        await mail(tmp_path, port, user="somebody").deliver(letter(notice()))

    assert not raised.value.recoverable
    assert box.taken == []


async def test_a_person_of_elsewhere_is_refused(postbox: tuple[Postbox, int], tmp_path: Path):
    box, port = postbox
    elsewhere = letter(notice(), to=replace(MIRA, email="mira@elsewhere.example"))
    with pytest.raises(NotifyError, match=r"the recipient was refused \(550: 5.7.1 no relaying"):
        await mail(tmp_path, port).deliver(elsewhere)

    assert box.taken == []
