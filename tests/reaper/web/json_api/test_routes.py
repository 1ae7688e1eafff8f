import json

import pytest

from reaper.domain.escalation.decision import Hold
from reaper.store.codec import decode
from reaper.web.html.headline import headline
from reaper.web.json_api.answers import body
from reaper.web.json_api.routes import NoReportError
from reaper.web.json_api.showing import Status
from reaper.web.json_api.told import Explained
from reaper.web.settings import Operators
from tests.builders_gallery import gallery
from tests.builders_picture import HOUR, NOW, case_line, picture, row
from tests.served import serving

MINE = "root"


def mine(**changes):
    return row(owner=MINE, policy="", **changes)


async def holds(served) -> list[Hold]:
    async with served.store.reading() as books:
        return list(await books.holds())


async def test_the_status_comes_back_as_the_picture_it_was(tmp_path):
    async with serving(tmp_path, gallery()) as served:
        _, text = await served.get("/api/v1/status")

    shown = Status(now=NOW, rate=1.0, picture=gallery(), headline=headline(gallery(), NOW).text)
    assert body(decode(Status, text)) == body(shown)


async def test_an_explanation_comes_back_as_it_was(tmp_path):
    async with serving(tmp_path, gallery()) as served:
        _, text = await served.get("/api/v1/allocations/slurm/48213")
        _, by_name = await served.get("/api/v1/explain?name=48213")

    assert decode(Explained, text).explanation.row == next(
        r for r in gallery().rows if r.id == "48213"
    )
    assert by_name == text


async def test_before_the_first_cycle_the_status_says_so(tmp_path):
    async with serving(tmp_path, None) as served:
        status, text = await served.get("/api/v1/status")

    assert status == 503
    assert "no cycle was written yet" in json.loads(text)["error"]


async def test_history_is_asked_between_two_instants(tmp_path):
    async with serving(tmp_path, picture()) as served:
        await served.post("/api/v1/pause", {"reason": "maintenance"})
        _, inside = await served.get(f"/api/v1/history?begin={NOW}&end={NOW + 1}")
        _, before = await served.get(f"/api/v1/history?begin=0&end={NOW}")

    assert [event["kind"] for event in json.loads(inside)["events"]] == ["paused"]
    assert json.loads(before)["events"] == []


async def test_an_instant_that_is_no_number_is_refused(tmp_path):
    async with serving(tmp_path, picture()) as served:
        status, text = await served.get("/api/v1/history?begin=monday")

    assert status == 400
    assert "Unix seconds" in json.loads(text)["error"]


async def test_without_reports_the_report_says_who_gives_them(tmp_path):
    async with serving(tmp_path, picture()) as served:
        status, text = await served.get("/api/v1/report")

    assert status == 404
    assert "gpu-reaper report" in json.loads(text)["error"]


async def weekly(ask) -> str:
    return f"week as {ask.form}"


@pytest.mark.parametrize(
    ("asked", "said"),
    [("", "week as json"), ("?format=csv", "week as csv"), ("?format=text", "week as text")],
)
async def test_a_report_comes_in_the_form_that_is_asked(tmp_path, asked, said):
    async with serving(tmp_path, picture(), report=weekly) as served:
        assert await served.get(f"/api/v1/report{asked}") == (200, said)


async def test_a_report_is_asked_for_by_week_team_and_names(tmp_path):
    asked = []

    async def report(ask) -> str:
        asked.append((ask.form, ask.week, ask.team, ask.names))
        return "<p>a page</p>"

    async with serving(tmp_path, picture(), report=report) as served:
        path = "/api/v1/report?format=html&week=2026-W09&team=vision&names=true"
        headers = await served.headers(path)

    assert asked == [("html", "2026-W09", "vision", True)]
    assert headers["Content-Type"].startswith("text/html")
    assert headers["Content-Security-Policy"].startswith("default-src 'none'")


async def test_a_report_that_does_not_exist_says_which_do(tmp_path):
    async def report(ask) -> str:
        raise NoReportError("no team 'x' held a GPU in 2026-W09: vision did")

    async with serving(tmp_path, picture(), report=report) as served:
        status, text = await served.get("/api/v1/report?team=x")

    assert (status, json.loads(text)["error"]) == (
        404,
        "no team 'x' held a GPU in 2026-W09: vision did",
    )


async def test_a_question_for_a_report_that_means_nothing_is_refused(tmp_path):
    async with serving(tmp_path, picture(), report=weekly) as served:
        status, text = await served.get("/api/v1/report?owner=mira")

    assert status == 400
    assert "owner" in json.loads(text)["error"]


async def test_an_unknown_form_of_report_is_refused(tmp_path):
    async with serving(tmp_path, picture(), report=weekly) as served:
        status, text = await served.get("/api/v1/report?format=docx")

    assert status == 400
    assert "one of json, text, csv" in json.loads(text)["error"]


@pytest.mark.parametrize("path", ["keep", "pause", "resume", "dispute"])
async def test_nothing_changes_by_get_and_nothing_over_tcp(tmp_path, path):
    async with serving(tmp_path, picture()) as served:
        assert (await served.get(f"/api/v1/{path}"))[0] == 404
        status, _ = await served.post(f"/api/v1/{path}", {"reason": "x"}, socket=False)

    assert status == 404


async def test_an_operator_pauses_for_a_while(tmp_path):
    async with serving(tmp_path, picture()) as served:
        status, text = await served.post("/api/v1/pause", {"reason": "upgrade", "seconds": HOUR})
        (hold,) = await holds(served)

    assert status == 200
    assert json.loads(text)["until"] == NOW + HOUR
    assert (hold.reason, hold.by, hold.until) == ("upgrade", MINE, NOW + HOUR)


async def test_an_operator_lifts_a_hold(tmp_path):
    async with serving(tmp_path, picture()) as served:
        await served.post("/api/v1/pause", {"reason": "upgrade"})
        status, _ = await served.post("/api/v1/resume", {"reason": "done"})

        assert status == 200
        assert await holds(served) == []


async def test_an_owner_keeps_what_is_theirs(tmp_path):
    async with serving(tmp_path, picture(rows=(mine(),))) as served:
        asked = {"name": "4711", "seconds": HOUR, "reason": "still debugging"}
        status, text = await served.post("/api/v1/keep", asked)
        async with served.store.reading() as books:
            (kept,) = await books.keeps(NOW)

    assert (status, json.loads(text)["until"]) == (200, NOW + HOUR)
    assert (kept.by, kept.reason) == (MINE, "still debugging")


async def test_a_reason_is_kept_as_one_line_without_what_steers_a_terminal(tmp_path):
    async with serving(tmp_path, picture(rows=(mine(),))) as served:
        asked = {"name": "4711", "seconds": HOUR, "reason": "still\n\x1b[2Jdebugging\t "}
        status, text = await served.post("/api/v1/keep", asked)
        async with served.store.reading() as books:
            (kept,) = await books.keeps(NOW)

    assert (status, kept.reason) == (200, "still \ufffd[2Jdebugging")
    assert "\x1b" not in json.loads(text)["text"]


async def test_a_dispute_without_a_case_is_refused_with_the_reason(tmp_path):
    async with serving(tmp_path, picture(rows=(mine(case=case_line()),))) as served:
        status, text = await served.post("/api/v1/dispute", {"name": "4711", "reason": "no"})

    assert status == 403
    assert "has no open case" in json.loads(text)["error"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"name": "4711", "seconds": 60}, "reason: Field required"),
        ({"name": "4711", "seconds": -1, "reason": "x"}, "seconds: "),
        ({"name": "4711", "seconds": 60, "reason": " "}, "reason: "),
        ({"name": "4711", "seconds": 60, "reason": "x", "as": "mira"}, "as: Extra inputs"),
        ([], "body: "),
    ],
)
async def test_a_request_that_is_written_wrong_is_refused(tmp_path, asked, said):
    async with serving(tmp_path, picture(), operators=Operators()) as served:
        status, text = await served.post("/api/v1/keep", asked)

    assert status == 400
    assert said in json.loads(text)["error"]


async def test_a_request_that_is_too_large_is_refused(tmp_path):
    async with serving(tmp_path, picture()) as served:
        status, _ = await served.post("/api/v1/pause", {"reason": "x" * 20_000})

    assert status == 413
