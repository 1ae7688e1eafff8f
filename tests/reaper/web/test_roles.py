"""Who sees what: an owner their own, a manager figures, an operator everything, a stranger none."""

import json
import re

import pytest

from tests.builders_picture import picture
from tests.served import serving
from tests.visits import MIRAS, link, proxied, visiting, words

OPEN = ("/healthz", "/readyz")
FOR_OWNERS = ("/mine", "/allocation/slurm/4711", "/ask/keep/slurm/4711", "/api/v1/status")
FOR_MANAGERS = ("/report", "/api/v1/report?format=html")
FOR_OPERATORS = ("/queue", "/audit", "/debug/board", "/api/v1/history", "/metrics")


@pytest.mark.parametrize("path", OPEN)
async def test_health_is_open(tmp_path, path):
    async with proxied(tmp_path) as served, visiting(served) as nobody:
        assert (await nobody.get(path)).status == 200


@pytest.mark.parametrize("path", ["/", *FOR_OWNERS, *FOR_MANAGERS, *FOR_OPERATORS])
async def test_a_stranger_sees_nothing(tmp_path, path):
    async with proxied(tmp_path) as served, visiting(served) as nobody:
        answer = await nobody.get(path)

    assert answer.status == 401
    assert "mira" not in answer.text
    assert "4711" not in answer.text


@pytest.mark.parametrize("path", FOR_OWNERS)
async def test_an_owner_sees_what_is_theirs(tmp_path, path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        answer = await mira.get(path)

    assert answer.status == 200
    assert "4711" in answer.text


@pytest.mark.parametrize("path", [*FOR_OWNERS[:2], "/api/v1/status"])
async def test_an_owner_sees_nobody_else(tmp_path, path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        answer = await mira.get(path)

    assert not re.search(r"\botto\b", answer.text)
    assert "4700" not in answer.text


@pytest.mark.parametrize("path", [*FOR_MANAGERS, *FOR_OPERATORS])
async def test_an_owner_is_no_manager_and_no_operator(tmp_path, path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        assert (await mira.get(path)).status == 403


async def test_what_is_anothers_does_not_exist_for_an_owner(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        others = await mira.get("/allocation/slurm/4700")
        none = await mira.get("/allocation/slurm/9999")

    assert others.status == none.status == 404
    assert words(others.text).replace("4700", "") == words(none.text).replace("9999", "")


@pytest.mark.parametrize("path", ["/api/v1/explain?name=slurm/4700", "/api/v1/explain?name=4700"])
async def test_the_api_knows_no_other_owner_either(tmp_path, path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        assert (await mira.get(path)).status == 404


async def test_an_owner_begins_at_what_is_theirs(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        answer = await mira.get("/")

    assert (answer.status, answer.headers["Location"]) == (303, "/mine")


@pytest.mark.parametrize("path", FOR_OPERATORS[:3])
@pytest.mark.parametrize("user", ["otto", "ida"])
async def test_an_operator_by_name_or_group_sees_everything(tmp_path, user, path):
    async with (
        proxied(tmp_path) as served,
        visiting(served, user, X_Forwarded_Groups="users, hpc-admins") as operator,
    ):
        assert (await operator.get(path)).status == 200
        assert "mira" in (await operator.get("/")).text


async def reported(ask) -> str:
    return f"a report as {ask.form}, names {ask.names}, team {ask.team}"


async def test_a_manager_reads_the_report_and_no_names(tmp_path):
    async with proxied(tmp_path, report=reported) as served, visiting(served, "vera") as vera:
        assert (await vera.get("/report")).text == "a report as html, names False, team None"
        assert (await vera.get("/api/v1/report?format=markdown")).status == 200
        for query in ("names=true&format=html", "team=vision&format=html", "format=json", ""):
            assert (await vera.get(f"/api/v1/report?{query}")).status == 403


async def test_a_manager_sees_nobodys_allocation(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "vera") as vera:
        assert (await vera.get("/allocation/slurm/4711")).status == 404
        assert json.loads((await vera.get("/api/v1/status")).text)["picture"]["rows"] == []


async def test_metrics_can_be_left_open(tmp_path):
    async with proxied(tmp_path, open_metrics=True) as served, visiting(served) as nobody:
        assert (await nobody.get("/metrics")).status == 200


async def test_a_scraper_reads_metrics_with_its_word(tmp_path):
    (tmp_path / "word").write_text("s3cret\n")
    async with (
        proxied(tmp_path, metrics_token={"file": tmp_path / "word"}) as served,
        visiting(served) as scraper,
    ):
        assert (await scraper.get("/metrics", Authorization="Bearer s3cret")).status == 200
        assert (await scraper.get("/metrics", Authorization="Bearer s3cre")).status == 401
        assert (await scraper.get("/api/v1/status", Authorization="Bearer s3cret")).status == 401


async def test_where_nobody_is_asked_nobody_changes_anything(tmp_path):
    async with serving(tmp_path, picture(rows=(MIRAS,))) as served, visiting(served) as nobody:
        mine, done = await nobody.get("/mine"), await nobody.post("/do/keep/slurm/4711")

    assert (mine.status, done.status) == (401, 401)
    assert "nobody is asked who they are here" in words(mine.text).lower()


async def test_where_nobody_is_asked_headers_name_nobody(tmp_path):
    async with (
        serving(tmp_path, picture(rows=(MIRAS,))) as served,
        visiting(served, "otto") as somebody,
    ):
        assert (await somebody.post("/do/keep/slurm/4711")).status == 401


async def test_a_link_needs_no_sign_in(tmp_path):
    async with proxied(tmp_path) as served, visiting(served) as nobody:
        assert (await nobody.get(link())).status == 200


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
async def test_probes_and_scrapers_ask_by_any_name(tmp_path, path):
    async with proxied(tmp_path, open_metrics=True) as served, visiting(served) as probe:
        assert (await probe.get(path, Host="10.1.2.3:19450")).status == 200


async def test_people_ask_by_names_that_are_known(tmp_path):
    async with (
        proxied(tmp_path, address="https://gpus.example.org/") as served,
        visiting(served, "mira") as mira,
    ):
        assert (await mira.get("/mine", Host="gpus.example.org")).status == 200
        assert (await mira.get("/mine", Host="10.1.2.3:19450")).status == 421


async def test_metrics_that_nobody_guards_are_for_this_machine(tmp_path):
    async with serving(tmp_path, picture()) as served, visiting(served) as probe:
        assert (await probe.get("/metrics", Host="evil.example")).status == 421
        assert (await probe.get("/healthz", Host="evil.example")).status == 200


class Knocker:
    path = "/slack/answers"

    async def enter(self, headers, body):
        return (200, "heard") if headers.get("x-signature") == "right" else (401, "who is that?")


async def test_a_service_at_its_own_door_proves_itself(tmp_path):
    async with proxied(tmp_path, doors=(Knocker(),)) as served, visiting(served) as service:
        heard = await service.post("/slack/answers", "x", X_Signature="right")
        unheard = await service.post("/slack/answers", "x" * 100_000)
        read = await service.get("/slack/answers")

    assert (heard.status, heard.text) == (200, "heard")
    assert (unheard.status, read.status) == (401, 405)
