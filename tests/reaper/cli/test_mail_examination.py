"""What the doctor finds out about the mail server without sending anything."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from reaper.cli.examination.checks import _mail
from reaper.cli.reach import Reach
from reaper.config import Configuration
from reaper.platforms import Finding
from tests.channels_of_site import mail_settings
from tests.fakes_smtp import PASSWORD, smtp


async def found(folder: Path, fault: str = "", **changes: Any) -> tuple[list[Finding], int]:
    async with smtp() as fake:
        fake.fault = fault
        settings = mail_settings(folder, fake.port, **changes)
        configuration = cast("Configuration", SimpleNamespace(notifiers=(settings,)))
        findings = await _mail(cast("Reach", None), configuration)
    return list(findings), len(fake.messages)


async def test_a_server_that_takes_the_sender_is_fine(tmp_path: Path):
    (finding,), sent = await found(tmp_path)

    assert (finding.ok, finding.what, sent) == (True, "takes the sender", 0)


async def test_a_server_that_refuses_the_sender_is_named_with_the_cure(tmp_path: Path):
    (finding,), _ = await found(tmp_path, "sender refused")

    assert finding.ok is False
    assert finding.what.startswith("the sender was refused (550")
    assert "another `sender`" in finding.what


async def test_a_wrong_password_is_not_repeated(tmp_path: Path):
    (finding,), _ = await found(tmp_path, "sign-in refused")

    assert "check user and password" in finding.what
    assert PASSWORD not in finding.what


async def test_a_box_that_cannot_be_read_is_named(tmp_path: Path):
    (_, box), _ = await found(tmp_path, returns={"mbox": str(tmp_path / "none")})

    assert (box.subject, box.ok) == ("mail returns", False)
    assert "returned messages cannot be read" in box.what
