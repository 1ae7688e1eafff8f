"""The pages are one site: each leads to the others, also where nobody signs in or nothing is."""

import json
import re

import pytest

from reaper.reports.pages import PAGES
from reaper.web.json_api.asks import ReportAsk
from tests import report_gallery
from tests.builders_gallery import gallery
from tests.served import serving
from tests.visits import proxied, visiting, words

ROOMS = {"to-cluster", "to-queue", "to-audit", "to-report"}


async def week(ask: ReportAsk) -> str | bytes:
    """Report an invented week, in whatever form is asked for."""
    if ask.form == "pdf":
        return b"%PDF-1.7 invented"
    return PAGES.get(ask.form, PAGES["csv"])(await report_gallery.report())


def rooms(text: str) -> set[str]:
    """Return which links of the navigation a page has."""
    return set(re.findall(r'id="(to-[a-z]+)"', text))


@pytest.mark.parametrize(
    "path", ["/", "/queue", "/audit", "/report", "/nothing", "/allocation/x/1"]
)
async def test_every_page_leads_to_the_others_where_nobody_signs_in(tmp_path, path):
    async with serving(tmp_path, gallery(), report=week) as served:
        _, text = await served.get(path)

    assert rooms(text) == ROOMS


async def test_nothing_can_be_decided_where_nobody_signs_in(tmp_path):
    async with serving(tmp_path, gallery()) as served:
        _, text = await served.get("/queue")

    assert 'method="post"' not in text


@pytest.mark.parametrize(
    ("user", "shown"),
    [
        ("mira", {"to-mine"}),
        ("vera", {"to-mine", "to-report"}),
        ("otto", ROOMS | {"to-mine"}),
    ],
)
async def test_each_sees_the_rooms_that_are_open_to_them(tmp_path, user, shown):
    async with proxied(tmp_path) as served, visiting(served, user) as somebody:
        assert rooms((await somebody.get("/mine")).text) == shown


# ------------------------------------------------------------------ the report


async def test_the_report_is_asked_for_in_the_language_of_who_reads_it(tmp_path):
    asked: list[ReportAsk] = []

    async def noted(ask: ReportAsk) -> str | bytes:
        asked.append(ask)
        return await week(ask)

    reads = {"vera": "ru", "otto": ""}
    async with proxied(tmp_path, report=noted, reads=reads) as served:
        for user, code in reads.items():
            async with visiting(served, user) as somebody:
                page = await somebody.get("/report?week=2026-W10")
                assert f"&amp;language={code or 'en'}" in page.text

    assert [one.language for one in asked] == ["ru", "en"]


async def test_the_report_is_a_page_of_the_site(tmp_path):
    async with proxied(tmp_path, report=week) as served, visiting(served, "vera") as vera:
        seen = await vera.get("/report?week=2026-W10")

    assert rooms(seen.text) == {"to-mine", "to-report"}
    assert 'href="/report?week=2026-W09"' in seen.text
    assert 'href="/report?week=2026-W11"' in seen.text
    assert "prefers-color-scheme: dark" in seen.text
    nonces = set(re.findall(r'<style nonce="([^"]+)"', seen.text))
    assert len(nonces) == 1
    assert nonces.pop() in seen.headers["Content-Security-Policy"]
    assert "<style>" not in seen.text


@pytest.mark.parametrize(
    ("user", "forms"),
    [("vera", {"pdf", "focus", "markdown"}), ("otto", {"pdf", "csv", "focus", "markdown"})],
)
async def test_it_can_be_taken_away_in_the_forms_that_are_open(tmp_path, user, forms):
    async with proxied(tmp_path, report=week) as served, visiting(served, user) as somebody:
        text = (await somebody.get("/report")).text
        links = dict(re.findall(r'id="as-([a-z]+)" href="([^"]+)"', text))
        answers = [await somebody.get(path.replace("&amp;", "&")) for path in links.values()]

    assert set(links) == forms
    assert {one.status for one in answers} == {200}


async def test_a_form_that_is_no_page_is_kept_as_a_file(tmp_path):
    async with proxied(tmp_path, report=week) as served, visiting(served, "vera") as vera:
        seen = await vera.get("/api/v1/report?format=pdf&week=2026-W10")

    assert seen.text.startswith("%PDF")
    assert seen.headers["Content-Type"] == "application/pdf"
    assert 'filename="gpu-report-2026-W10.pdf"' in seen.headers["Content-Disposition"]


@pytest.mark.parametrize("named", ["monday", "2026-W9", "2026-W09%22%3E", "'"])
async def test_a_week_that_is_none_is_told_on_a_page(tmp_path, named):
    async with proxied(tmp_path, report=week) as served, visiting(served, "vera") as vera:
        seen = await vera.get(f"/report?week={named}")

    assert (seen.status, "No such report" in words(seen.text)) == (404, True)


# ------------------------------------------------------------------ what is not there


async def test_an_unknown_path_is_a_page_to_people(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        seen = await mira.get("/nothing", Accept="text/html")

    assert (seen.status, "No such page" in words(seen.text)) == (404, True)
    assert 'id="again" href="/"' in seen.text


@pytest.mark.parametrize(
    ("path", "accept"), [("/api/v1/nothing", "text/html"), ("/nothing", "application/json")]
)
async def test_an_unknown_path_is_json_to_programs(tmp_path, path, accept):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        seen = await mira.get(path, Accept=accept)

    assert (seen.status, "error" in json.loads(seen.text)) == (404, True)


async def test_a_way_of_asking_that_is_none_is_a_page_that_names_the_right_one(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "otto") as otto:
        seen = await otto.post("/queue", {})

    assert seen.status == 405
    assert "GET" in seen.headers["Allow"]
    assert "That did not work" in words(seen.text)


async def test_whoever_is_not_signed_in_is_led_to_where_people_sign_in(tmp_path):
    address = "https://gpus.example.org/"
    async with proxied(tmp_path, address=address) as served, visiting(served) as nobody:
        seen = await nobody.get("/queue", Host="gpus.example.org")

    assert (seen.status, "Not signed in" in words(seen.text)) == (401, True)
    assert f'id="again" href="{address}"' in seen.text


# ------------------------------------------------------------------ the trail


async def test_the_trail_links_allocations_and_quotes_what_people_typed(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        await mira.send("/mine", "/do/keep/slurm/4711", hours="2", reason="demo at four")
        async with visiting(served, "otto") as otto:
            text = (await otto.get("/audit")).text

    assert 'href="/allocation/slurm/4711"' in text
    assert "<q>demo at four</q>" in text
    assert "kept slurm/4711 for 2 h" in words(text)


async def test_the_trail_quotes_no_words_of_ours(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        await mira.send("/mine", "/do/keep/slurm/4711", hours="2")
        async with visiting(served, "otto") as otto:
            text = (await otto.get("/audit")).text

    assert "keep" in words(text)
    assert "<q>" not in text


async def test_a_person_whose_directory_says_nothing_reads_what_the_browser_asks_for(tmp_path):
    async with proxied(tmp_path, reads={"mira": ""}) as served, visiting(served, "mira") as mira:
        seen = await mira.get("/mine", Accept_Language="ru-RU,ru;q=0.9")

    assert '<html lang="ru">' in seen.text
