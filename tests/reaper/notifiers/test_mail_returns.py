"""Messages that came back: told from delays, from letters of people, and from each other."""

from email.message import EmailMessage, Message
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from mailbox import Maildir, mbox
from pathlib import Path
from typing import Any

import pytest

from reaper.edge.clock import JumpingClock
from reaper.edge.command import CommandTimeoutError, Finished
from reaper.notifiers.mail import Mail, MailSettings
from reaper.notifiers.mail.returns import listed, report
from reaper.ports import NotifyError, Returned
from tests.channels import clock

ID = f"<{'a1' * 16}@example.org>"
OTHER = f"<{'b2' * 16}@example.org>"
WHY = "returned: 550 5.1.1 no such user here"


def bounce(
    *,
    about: str = ID,
    action: str = "failed",
    diagnostic: str = "smtp; 550 5.1.1 no such user here",
    heads_only: bool = False,
) -> Message:
    """Write a report as a mail server does."""
    whole = MIMEMultipart("report", **{"report-type": "delivery-status"})
    whole["From"], whole["Subject"] = "MAILER-DAEMON@example.org", "Undelivered"
    whole.attach(MIMEText("I am sorry to say"))
    server, person = Message(), Message()
    server["Reporting-MTA"] = "dns; mx"
    person["Final-Recipient"] = "rfc822; mira@example.org"
    person["Action"], person["Status"], person["Diagnostic-Code"] = action, "5.1.1", diagnostic
    status = Message()
    status["Content-Type"] = "message/delivery-status"
    status.set_payload([server, person])
    whole.attach(status)
    if heads_only:
        whole.attach(MIMEText(f"Subject: idle\nMessage-ID: {about}\n", "rfc822-headers"))
    else:
        first = EmailMessage()
        first["Message-ID"] = about
        first.set_content("Your GPUs are idle")
        whole.attach(MIMEMessage(first))
    return whole


def settings(**returns: Any) -> MailSettings:
    written = {"sender": "gpu-reaper@example.org", "returns": returns}
    return MailSettings.model_validate(written)


@pytest.mark.parametrize("heads_only", [False, True])
def test_a_report_names_the_message_and_why(*, heads_only: bool):
    found = report(bounce(heads_only=heads_only).as_bytes())

    assert found == Returned(handle=ID, why=WHY)


def test_without_the_servers_words_the_status_is_told():
    found = report(bounce(diagnostic="").as_bytes())

    assert found == Returned(handle=ID, why="returned: status 5.1.1")


@pytest.mark.parametrize("action", ["delayed", "delivered", "relayed", "expanded"])
def test_what_is_not_final_is_no_return(action: str):
    assert report(bounce(action=action).as_bytes()) is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\x00garbage",
        b"Subject: Out of office\n\nI am away. In reply to " + ID.encode(),
        bounce(about="<none-of-ours@example.org>").as_bytes(),
        bounce().as_bytes()[:300],
    ],
    ids=["empty", "garbage", "a person's answer", "another's message", "cut short"],
)
def test_what_is_no_report_about_us_is_left_alone(content: bytes):
    assert report(content) is None


def test_a_report_cannot_shape_what_is_shown():
    found = report(bounce(diagnostic="smtp; 550 x\x1b[31m" + "y" * 5000).as_bytes())

    assert found is not None
    assert found.why.isprintable()
    assert len(found.why) < 200


def names(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*"))


async def test_a_maildir_is_read_and_left_as_it_was(tmp_path: Path):
    box = Maildir(tmp_path / "box")
    box.add(bounce().as_bytes())
    box.add(bounce(about=OTHER).as_bytes())
    before = names(tmp_path)

    found = await Mail(settings(maildir=str(tmp_path / "box")), clock=clock()).returned()

    assert {one.handle for one in found} == {ID, OTHER}
    assert names(tmp_path) == before


async def test_an_mbox_is_read_again_when_it_grows(tmp_path: Path):
    path = tmp_path / "box"
    add(path, bounce())
    now = clock()
    mail = Mail(settings(mbox=str(path)), clock=now)
    first = await mail.returned()
    add(path, bounce(about=OTHER))
    await now.sleep(60)

    assert [one.handle for one in first] == [ID]
    assert [one.handle for one in await mail.returned()] == [ID, OTHER]


def add(path: Path, message: Message) -> None:
    box = mbox(path)
    box.add(message)
    box.close()


async def test_the_box_is_looked_at_once_a_minute(tmp_path: Path):
    now = clock()
    mail = Mail(settings(mbox=str(tmp_path / "none")), clock=now)
    with pytest.raises(NotifyError):
        await mail.returned()

    assert await mail.returned() == ()
    await now.sleep(60)
    with pytest.raises(NotifyError, match="returned messages cannot be read"):
        await mail.returned()


# ------------------------------------------------------------------ the site's own program


async def told_by(finished: Finished | Exception, now: JumpingClock) -> tuple[Returned, ...]:
    async def runner(argv, *, environment, within, limit):
        assert argv == ("/opt/returned",)
        if isinstance(finished, Exception):
            raise finished
        return finished

    mail = Mail(settings(command=["/opt/returned"]), clock=now, runner=runner)
    return tuple(await mail.returned())


async def test_a_program_of_the_site_tells_what_came_back():
    out = f"{ID} 550 5.1.1 no such user here\nnoise\n{OTHER}  mailbox closed\n"

    assert await told_by(Finished(status=0, out=out, err=""), clock()) == (
        Returned(handle=ID, why=WHY),
        Returned(handle=OTHER, why="returned: mailbox closed"),
    )


@pytest.mark.parametrize(
    "finished",
    [Finished(status=3, out="", err="secret"), CommandTimeoutError("/opt/returned hangs")],
)
async def test_a_program_that_fails_tells_nothing(finished: Finished | Exception):
    with pytest.raises(NotifyError, match="returned messages: /opt/returned") as raised:
        await told_by(finished, clock())

    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("line", ["", "550 no id", f"{ID}", f"x {ID} why"])
def test_a_line_of_another_shape_is_noise(line: str):
    assert listed(line) == ()
