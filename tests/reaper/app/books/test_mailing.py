"""The report goes to a channel, to addresses and to who leads a team: who gets which names."""

import re

import pytest

from reaper.app.books.delivering import delivery
from reaper.app.books.handing import Clerk
from reaper.app.books.mailing import Channel, Reader, TeamLeads
from reaper.app.parts import Adapters
from reaper.config import load
from reaper.edge.clock import JumpingClock
from reaper.notifiers.mail import Mail
from reaper.notifiers.slack.channel import SlackChannel
from reaper.people.yaml_directory import YamlDirectory, YamlDirectorySettings
from reaper.ports import NotifyError
from reaper.reports.languages import TONGUES
from tests import report_gallery as gallery
from tests.channels import slack_settings
from tests.channels_of_site import mail_settings
from tests.fakes_slack import slack
from tests.fakes_smtp import smtp

PEOPLE = """
people:
  lena: {email: lena@example.org, leads: [robotics]}
  zoe: {email: zoe@example.org, leads: [vision, speech]}
  otto: {leads: [vision]}
  mira: {email: mira@example.org, team: vision}
"""
CLOCK = JumpingClock(at=gallery.NOW)


@pytest.fixture
async def report():
    return await gallery.report()


@pytest.fixture
async def server():
    async with smtp() as fake:
        yield fake


@pytest.fixture
def postman(server, tmp_path) -> Mail:
    return Mail(mail_settings(tmp_path, server.port, timeout="5s"), clock=CLOCK)


def directory(folder) -> YamlDirectory:
    (folder / "people.yaml").write_text(PEOPLE)
    return YamlDirectory(YamlDirectorySettings(file=folder / "people.yaml"))


def page(message) -> str:
    return message.get_body(("html",)).get_content()


async def test_a_channel_gets_the_summary_under_pseudonyms(report, tmp_path):
    async with slack() as fake:
        settings = slack_settings(tmp_path, fake.base_url)
        await Channel(poster=SlackChannel(settings, "C0REPORTS"), names=False).take(report)

    (post,) = fake.posts
    assert post["channel"] == "C0REPORTS"
    assert post["text"].startswith("*GPU report aurora, week 2026-W10*")
    assert not any(name in post["text"] for name in ("mira", "otto", "zoe"))


async def test_a_channel_that_refuses_raises_what_a_clerk_tries_again(report, tmp_path):
    async with slack() as fake:
        fake.answer = "not_in_channel"
        settings = slack_settings(tmp_path, fake.base_url)
        with pytest.raises(NotifyError):
            await Channel(poster=SlackChannel(settings, "C0REPORTS"), names=False).take(report)


async def test_an_address_gets_the_wide_report_with_a_pdf_and_no_names(report, server, postman):
    await Reader(postman=postman, address="board@example.org", printed=True).take(report)

    ((_, recipient, message),) = server.messages
    (enclosed,) = message.iter_attachments()
    assert recipient == "board@example.org"
    assert message["Subject"].startswith("GPU report aurora, week 2026-W10: ")
    assert enclosed.get_filename() == "aurora-2026-W10-v1.pdf"
    assert enclosed.get_content().startswith(b"%PDF-")
    said = page(message) + message.get_body(("plain",)).get_content()
    assert re.findall(r"\b(mira|otto|zoe|slurm)\b", said) == []


async def test_without_a_printer_the_whole_report_is_an_html_file(report, server, postman):
    await Reader(postman=postman, address="board@example.org", printed=False).take(report)

    ((_, _, message),) = server.messages
    (enclosed,) = message.iter_attachments()
    assert enclosed.get_filename() == "aurora-2026-W10-v1.html"
    assert "mira" not in enclosed.get_content()


async def test_who_leads_a_team_gets_its_names_and_no_others(report, server, postman, tmp_path):
    leads = TeamLeads(directory=directory(tmp_path), postman=postman, printed=False)
    for reader in await leads():
        await reader.take(report)

    assert all(m["Subject"].startswith("GPU report aurora") for _, _, m in server.messages)
    subjects = {(to, message["Subject"].partition(",")[2]) for _, to, message in server.messages}
    assert {(to, text.partition(", week")[0]) for to, text in subjects} == {
        ("lena@example.org", " team robotics"),
        ("zoe@example.org", " team vision"),
        ("zoe@example.org", " team speech"),
    }
    vision = next(page(m) for _, _, m in server.messages if "team vision" in m["Subject"])
    assert "mira" in vision
    assert "nora" not in vision


async def test_a_report_is_mailed_in_the_language_of_who_leads_the_team(
    report, server, postman, tmp_path
):
    text = PEOPLE.replace("leads: [robotics]", "leads: [robotics], language: ru")
    (tmp_path / "people.yaml").write_text(text)
    known = YamlDirectory(YamlDirectorySettings(file=tmp_path / "people.yaml"))
    for reader in await TeamLeads(directory=known, postman=postman, printed=False)():
        await reader.take(report)

    begins = {(to, message["Subject"].split()[0]) for _, to, message in server.messages}
    assert begins == {("lena@example.org", "Отчёт"), ("zoe@example.org", "GPU")}
    sent = next(message for _, to, message in server.messages if to == "lena@example.org")
    assert '<html lang="ru">' in page(sent)
    assert "Впустую" in sent.get_body(("plain",)).get_content()


async def test_a_channel_gets_the_summary_in_the_language_of_the_reports(report, tmp_path):
    async with slack() as fake:
        settings = slack_settings(tmp_path, fake.base_url)
        poster = SlackChannel(settings, "C0REPORTS")
        await Channel(poster=poster, names=False).take(report.told(TONGUES["ru"]))

    assert fake.posts[0]["text"].startswith("*Отчёт о GPU aurora, неделя 2026-W10*")


async def test_a_team_that_held_nothing_is_mailed_nothing(report, server, postman):
    reader = Reader(postman=postman, address="lena@example.org", printed=False, team="nobody")

    assert await reader.take(report) is False
    assert server.connections == 0


@pytest.mark.parametrize(
    "address", ["<zoe@example.org>", "zoë@example.org", "zoe@example..org", "m@"]
)
async def test_an_address_that_is_none_keeps_nobody_else_from_the_report(
    address, report, server, postman
):
    with pytest.raises(NotifyError, match=r"mail: .*@"):
        await Reader(postman=postman, address=address, printed=False).take(report)

    assert server.connections == 0


async def test_the_same_report_to_the_same_address_is_the_same_message(report, server, postman):
    reader = Reader(postman=postman, address="board@example.org", printed=False)
    await reader.take(report)
    await reader.take(report)
    await Reader(postman=postman, address="other@example.org", printed=False).take(report)

    one, again, other = (message["Message-ID"] for _, _, message in server.messages)
    assert one == again != other


async def test_what_a_configuration_names_is_delivered_once(server, tmp_path):
    written = configured(tmp_path, server.port)
    people = directory(tmp_path)
    store = await gallery.store(weeks=2)
    chosen = delivery(written, Adapters(people=(people,)), CLOCK)
    for _ in range(2):
        hands = Clerk(
            store=store,
            clock=CLOCK,
            epoch=2,
            context=gallery.context(),
            recipients=chosen.recipients,
            further=chosen.further,
        )
        await hands.turn()

    weeks = [(to, message["Subject"]) for _, to, message in server.messages]
    assert len(weeks) == len({*weeks}) == 8
    assert (tmp_path / "reports" / "aurora-2026-W10-v1.html").exists()


def configured(folder, port: int):
    """Write a configuration that delivers to a folder and by mail."""
    password = folder / "smtp.password"
    password.write_text("invented\n")
    path = folder / "gpu-reaper.yaml"
    path.write_text(f"""
cluster: aurora
state_dir: {folder}
people: {{kind: yaml, file: people.yaml}}
notifiers:
  - kind: mail
    server: 127.0.0.1:{port}
    sender: gpu-reaper@example.org
report:
  deliver:
    folder: {folder}/reports
    forms: [html]
    slack_channel: C0REPORTS
    mail: {{to: [board@example.org], pdf: false}}
""")
    directory(folder)
    return load(path)
