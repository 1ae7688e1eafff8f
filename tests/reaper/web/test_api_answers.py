"""What owners and operators ask of the API: release, keep until the morning, mine, queue, audit."""

import json
import os
import pwd
from dataclasses import replace

import aiohttp
import pytest

from reaper.domain.escalation.case import Case
from reaper.domain.judgement.policy import KeepRule
from reaper.questions import Queue
from reaper.store.codec import decode
from reaper.web.json_api.told import Mine
from reaper.web.settings import Operators
from tests import builders
from tests.builders_picture import HOUR, NOW, case_line, picture, row
from tests.served import serving

ME = pwd.getpwuid(os.getuid()).pw_name
POLICY = replace(builders.policy(), keep=KeepRule(mornings_per_week=1))
KEY = row().run_key
OPERATORS = Operators(users=(ME,))


def own(**changes):
    given = {"owner": ME, "policy": POLICY.name, "mode": "act", "case": case_line()}
    return row(**(given | changes))


ROWS = picture(rows=(own(), own(id="12", run_key="other", owner="somebody else")))


def open_case(**changes) -> Case:
    return builders.case(
        run=replace(builders.run("4711"), key=KEY), owner=ME, opened=NOW - HOUR, **changes
    )


async def written(served, *cases) -> None:
    async with served.store.transaction(served.epoch) as books:
        for case in cases:
            await books.keep_case(case)


async def asked_by_socket(served, path: str) -> tuple[int, str]:
    connector = aiohttp.UnixConnector(str(served.socket))
    async with (
        aiohttp.ClientSession(connector=connector) as client,
        client.get(f"http://localhost{path}") as response,
    ):
        return response.status, await response.text()


async def test_an_owner_gives_an_allocation_back(tmp_path):
    async with serving(tmp_path, ROWS, policies=(POLICY,)) as served:
        await written(served, open_case())
        status, text = await served.post("/api/v1/release", {"name": "4711", "reason": "done"})
        async with served.store.reading() as books:
            (case,) = await books.open_cases()

    assert (status, case.own_release.by, case.own_release.channel) == (200, ME, "socket")
    assert "will be released within minutes" in json.loads(text)["text"]


async def test_one_at_work_is_a_conflict_until_it_is_confirmed(tmp_path):
    busy = picture(rows=(own(verdict="busy"),))
    async with serving(tmp_path, busy, policies=(POLICY,)) as served:
        await written(served, open_case())
        asked = {"name": "4711", "reason": "done"}
        unsure, text = await served.post("/api/v1/release", asked)
        sure, _ = await served.post("/api/v1/release", asked | {"confirm": True})

    assert (unsure, sure) == (409, 200)
    assert "is at work" in json.loads(text)["error"]


async def test_an_operator_may_not_give_back_what_is_not_theirs(tmp_path):
    async with serving(tmp_path, ROWS, policies=(POLICY,), operators=OPERATORS) as served:
        status, text = await served.post("/api/v1/release", {"name": "12", "reason": "idle"})

    assert status == 403
    assert "only its owner" in json.loads(text)["error"]


async def test_a_keep_until_the_morning_ends_at_ten_of_the_next_working_day(tmp_path):
    async with serving(tmp_path, ROWS, policies=(POLICY,)) as served:
        asked = {"name": "4711", "until_morning": True, "reason": "a long night"}
        status, text = await served.post("/api/v1/keep", asked)

    assert (status, json.loads(text)["until"]) == (200, NOW - 14.5 * HOUR - 120 + 34 * HOUR)


@pytest.mark.parametrize(
    "asked",
    [
        {"name": "4711", "reason": "x"},
        {"name": "4711", "reason": "x", "seconds": 60, "until_morning": True},
        {"name": "4711", "reason": "x", "seconds": float("inf")},
        {"name": "4711", "reason": "x", "seconds": float("nan")},
    ],
    ids=["no end", "two ends", "for ever", "no number"],
)
async def test_a_keep_has_exactly_one_end(tmp_path, asked):
    async with serving(tmp_path, ROWS, policies=(POLICY,)) as served:
        status, _ = await served.post("/api/v1/keep", asked)

    assert status == 400


async def test_mine_are_the_allocations_of_whom_the_kernel_names(tmp_path):
    async with serving(tmp_path, ROWS) as served:
        status, text = await asked_by_socket(served, "/api/v1/mine")

    assert status == 200
    assert decode(Mine, text) == Mine(now=NOW, user=ME, rows=(own(),))


async def test_mine_is_nothing_where_nobody_is_asked_who_they_are(tmp_path):
    async with serving(tmp_path, ROWS) as served:
        status, _ = await served.get("/api/v1/mine")

    assert status == 401


async def test_the_queue_shows_an_open_dispute_with_its_reason(tmp_path):
    async with serving(tmp_path, ROWS, policies=(POLICY,), operators=OPERATORS) as served:
        await written(served, open_case())
        await served.post("/api/v1/dispute", {"name": "4711", "reason": "it reads files"})
        _, text = await asked_by_socket(served, "/api/v1/queue")

    (one,) = decode(Queue, text).disputes
    assert (one.reason, one.over, one.case.disputed_at) == ("it reads files", False, NOW)


async def test_the_audit_tells_who_asked_by_which_channel(tmp_path):
    async with serving(tmp_path, ROWS, policies=(POLICY,), operators=OPERATORS) as served:
        await served.post("/api/v1/keep", {"name": "4711", "seconds": 60, "reason": "tea"})
        _, text = await asked_by_socket(served, f"/api/v1/audit?begin={NOW}&end={NOW + 1}")

    (event,) = json.loads(text)["events"]
    assert (event["by"], event["channel"], event["kind"]) == (ME, "socket", "keep")


async def test_an_instant_that_never_comes_is_refused(tmp_path):
    async with serving(tmp_path, ROWS, operators=OPERATORS) as served:
        status, _ = await asked_by_socket(served, "/api/v1/audit?begin=nan")

    assert status == 400
