import json

import pytest

from tests.builders_picture import picture
from tests.served import serving


async def weekly(ask) -> str:
    return f"week as {ask.form}\n"


async def test_the_running_reaper_reports(tmp_path, ask):
    async with serving(tmp_path, picture(), report=weekly) as served:
        answer = await ask("report", "--socket", served.socket)
        as_csv = await ask("report", "--csv", "--socket", served.socket)

    assert answer.output == "week as text\nfrom the running reaper\n"
    assert as_csv.stdout == "week as csv\n"


def test_the_store_reports_when_the_reaper_is_down(stored, run):
    answer = run("report", "--config", stored)

    assert answer.exit_code == 0
    assert "GPU-hours and money of aurora" in answer.output
    assert "reaper is down: from the store" in answer.output


def test_a_report_as_json_is_nothing_but_json(stored, run):
    told = json.loads(run("report", "--json", "--config", stored).stdout)

    assert told["cluster"] == "aurora"


async def test_a_page_can_be_written_into_a_file(tmp_path, ask):
    async with serving(tmp_path, picture(), report=weekly) as served:
        page = tmp_path / "week.html"
        answer = await ask("report", "--format", "html", "-o", str(page), "--socket", served.socket)

    assert answer.stdout == ""
    assert page.read_text() == "week as html\n"


def test_a_report_becomes_a_pdf(stored, run, tmp_path, require):
    require("pango")
    page = tmp_path / "week.pdf"
    answer = run("report", "--format", "pdf", "-o", str(page), "--config", stored)

    assert answer.exit_code == 0
    assert page.read_bytes().startswith(b"%PDF-")


def test_pages_to_pass_on_come_from_the_store_too(stored, run):
    for form in ("html", "markdown", "focus", "focus-1.3"):
        answer = run("report", "--format", form, "--config", stored)

        assert answer.exit_code == 0, answer.output
        assert answer.stdout


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (("--week", "2026"), "is no ISO week"),
        (("--week", "2999-W01"), "has not begun"),
        (("--team", "nobody"), "no team 'nobody' held a GPU"),
    ],
)
def test_a_report_that_does_not_exist_ends_with_one_line(stored, run, asked, says):
    answer = run("report", *asked, "--config", stored)

    assert answer.exit_code != 0
    assert says in answer.output
