"""From a warning to a release over real mail: it arrives, comes back, or reaches a contact."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from email.message import Message
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from mailbox import mbox
from pathlib import Path
from zoneinfo import ZoneInfo

from reaper.domain.escalation.notice import Notice
from reaper.domain.judgement.policy import Hours
from reaper.languages.catalogue import refused, said
from reaper.notifiers.mail import Mail
from reaper.ports import Person, SourceError
from tests.builders import MINUTE, policy
from tests.channels import MIRA
from tests.channels_of_site import mail_settings
from tests.fakes import FakeNotifier
from tests.fakes_smtp import FakeSmtp, smtp
from tests.lab import Lab, lab

GPU = "GPU-gpu01-0"
IDLE = {GPU: "AAAA" + "H" * 120}


@dataclass(slots=True)
class Known:
    """Knows one person, whoever is asked for, while it answers."""

    someone: Person
    name: str = "known"
    answers: bool = True

    async def person(self, user: str) -> Person | None:
        if not self.answers:
            raise SourceError("the directory does not answer")
        return replace(self.someone, user=user)


@asynccontextmanager
async def mailing(folder: Path, person: Person = MIRA) -> AsyncIterator[tuple[Lab, FakeSmtp]]:
    """Open a lab whose notices go out by mail, and come back into a box."""
    box = folder / "returned"
    box.touch()
    async with smtp() as fake:
        bench = lab()
        bench.people = Known(person)
        settings = mail_settings(folder, fake.port, returns={"mbox": str(box)})
        bench.channels = (Mail(settings, clock=bench.clock),)
        yield bench, fake


def bounce(box: Path, ident: str) -> None:
    """Put a mail server's report about a message into the box."""
    whole = MIMEMultipart("report", **{"report-type": "delivery-status"})
    server, person, status, first = Message(), Message(), Message(), Message()
    server["Reporting-MTA"] = "dns; mx"
    person["Action"], person["Status"] = "failed", "5.1.1"
    status["Content-Type"] = "message/delivery-status"
    status.set_payload([server, person])
    first["Message-ID"] = ident
    whole.attach(status)
    whole.attach(MIMEMessage(first))
    kept = mbox(box)
    kept.add(whole)
    kept.close()


async def finals(bench: Lab) -> Sequence[Notice]:
    case = await bench.case()
    async with bench.store.reading() as books:
        return [one for one in await books.notices(case.id) if one.kind == "final"]


async def test_a_shell_is_warned_by_mail_and_released(tmp_path: Path) -> None:
    async with mailing(tmp_path) as (bench, fake):
        await bench.play(IDLE)

    assert [recipient for _, recipient, _ in fake.messages] == ["mira@example.org"] * 3
    assert len(bench.actor.begun) == 1


async def test_a_final_notice_that_comes_back_in_its_grace_stops_the_release(
    tmp_path: Path,
) -> None:
    async with mailing(tmp_path) as (bench, fake):
        await bench.play({GPU: "AAAA" + "H" * 62})
        bounce(tmp_path / "returned", str(fake.messages[-1][2]["Message-ID"]))
        await bench.play({GPU: "H" * 120})
        (final,) = await finals(bench)

    assert final.error.startswith("mail: returned")
    assert not final.counts
    assert bench.actor.begun == []
    assert any("has not arrived" in refused(one) for one in (await bench.case()).held_by)


async def test_a_notice_that_comes_back_as_its_grace_ends_stops_the_release(tmp_path: Path) -> None:
    async with mailing(tmp_path) as (bench, fake):
        while not bench.sentences or ", 1 act" not in bench.sentences[-1]:
            await bench.perform()
            await bench.minute({GPU: "H"}, acts=False)
        bounce(tmp_path / "returned", str(fake.messages[-1][2]["Message-ID"]))
        await bench.perform()

        assert bench.actor.begun == []
        await bench.turn()
        assert "its last notice has not arrived" in said((await bench.events("dropped"))[0].text)


async def test_while_nobody_can_say_what_came_back_nothing_is_released(tmp_path: Path) -> None:
    box = tmp_path / "returned"
    async with mailing(tmp_path) as (bench, _):
        await bench.listen()
        await bench.play({GPU: "AAAA" + "H" * 62})
        box.rename(tmp_path / "away")
        await bench.play({GPU: "H" * 120})
        assert (bench.actor.begun, (await bench.case()).deaf is None) == ([], False)

        (tmp_path / "away").rename(box)
        await bench.play({GPU: "H" * 120})
        assert len(bench.actor.begun) == 1
        assert len(await finals(bench)) == 2


async def test_the_next_channel_gives_a_whole_grace_again(tmp_path: Path) -> None:
    async with mailing(tmp_path) as (bench, fake):
        slack = FakeNotifier(bench.clock)
        bench.channels = (*bench.channels, slack)
        await bench.play({GPU: "AAAA" + "H" * 80})
        bounce(tmp_path / "returned", str(fake.messages[-1][2]["Message-ID"]))
        await bench.play({GPU: "H" * 60})
        (final,) = await finals(bench)

    assert final.channel == "slack"
    assert final.delivered_at is not None
    assert bench.actor.begun[0].expires - MINUTE - final.delivered_at >= 30 * MINUTE


async def test_whoever_answers_for_a_person_that_has_left_is_told_and_it_counts(
    tmp_path: Path,
) -> None:
    stand_in = replace(MIRA, name="Otto Example", left=True, contact="Mira Example")
    async with mailing(tmp_path, stand_in) as (bench, fake):
        await bench.play(IDLE)
    body = fake.messages[0][2].get_body(("plain",))

    assert body is not None
    assert "Otto Example has left" in body.get_content()
    assert len(bench.actor.begun) == 1


async def test_where_nobody_answers_for_a_person_that_has_left_nothing_is_released(
    tmp_path: Path,
) -> None:
    nobody = Person(user="otto", left=True)
    async with mailing(tmp_path, nobody) as (bench, fake):
        await bench.play(IDLE)

    assert (fake.messages, bench.actor.begun) == ([], [])


# ------------------------------------------------------------------ an owner's own hours


async def released(person: Person) -> bool:
    """Play a shell that idles on a Friday from 8:00 UTC, and tell whether it was released."""
    bench = lab(policy(any_hour=False, hours=Hours(zone="UTC", begin=7.0, end=20.0)))
    bench.rules = replace(bench.rules, zone=ZoneInfo)
    bench.people = Known(person)
    await bench.play(IDLE)
    return bool(bench.actor.begun)


async def test_a_release_waits_for_its_owners_own_hours() -> None:
    late = Hours(zone="UTC", begin=18.0, end=20.0)

    assert await released(Person(user="mira"))
    assert not await released(Person(user="mira", hours=late))


async def test_after_a_restart_a_release_waits_for_a_directory_to_tell_its_owners_hours() -> None:
    bench = lab(policy(any_hour=False, hours=Hours(zone="UTC", begin=7.0, end=20.0)))
    directory = bench.people = Known(Person(user="mira"))
    while not bench.notifier.sent or bench.notifier.sent[-1].kind != "final":
        await bench.minute({GPU: "H"})
    bench.crash()
    directory.answers = False
    await bench.play({GPU: "H" * 60})
    held = (await bench.case()).held_by
    assert (len(bench.actor.begun), "no directory answers" in str([*map(refused, held)])) == (
        0,
        True,
    )

    directory.answers = True
    await bench.play({GPU: "H" * 3})
    assert len(bench.actor.begun) == 1


async def test_a_release_waits_for_working_hours_where_its_owner_is() -> None:
    assert not await released(Person(user="mira", zone="America/Los_Angeles"))
