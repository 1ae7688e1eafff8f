import json

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
