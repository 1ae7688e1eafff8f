"""Whatever a page is asked with, it answers in a sentence, and breaks nothing."""

import random

import pytest
from yarl import URL

from tests.builders_picture import busy, case_line, device, row
from tests.visits import link, proxied, visiting

WORDS = (
    "", "x", "%00", "%ff%fe", "%0d%0aSet-Cookie:a=b", "..%2f..%2fetc", "{{7*7}}", "<b>", "'\"",
    "%E2%80%AEotto", "a" * 3000, "slurm/4711", "%F0%9F%98%80", "%ud800", "1e999", "-1", "nan",
)  # fmt: skip
ROUTES = (
    "/mine", "/?q={}", "/audit?days={}&q={}", "/queue?{}", "/allocation/{}/{}", "/ask/{}/slurm/{}",
    "/ask/keep/{}/{}", "/answer/{}", "/answer/{}?do={}", "/sign-in?to={}", "/sign-in/back?code={}",
    "/report?week={}", "/api/v1/explain?name={}", "/api/v1/history?begin={}&end={}", "/{}",
)  # fmt: skip
FORMS = ("/do/{}/{}", "/do/keep/{}", "/do/uphold/{}", "/answer/{}", "/sign-out", "/{}")
ODD = row(id="a\udcffb/ c", name="\udcff{{7*7}}", owner="mira", case=case_line(id="c\udcff"))


@pytest.mark.parametrize("user", ["mira", "otto", ""])
async def test_no_question_breaks_it(tmp_path, user):
    dice = random.Random(user)
    async with proxied(tmp_path, rows=(ODD, busy())) as served, visiting(served, user) as somebody:
        for route in ROUTES * 6:
            path = route.format(*dice.choices(WORDS, k=2))
            answer = await somebody.get(path, Accept="text/html", Cookie=dice.choice(WORDS)[:50])

            assert answer.status < 500 or answer.status == 503, path
            assert ">49" not in answer.text
            assert "a=b" not in answer.headers.get("Set-Cookie", "")


@pytest.mark.parametrize("user", ["mira", "otto", ""])
async def test_no_form_breaks_it(tmp_path, user):
    dice = random.Random(user)
    async with proxied(tmp_path, rows=(ODD, busy())) as served, visiting(served, user) as somebody:
        word = (await somebody.get("/mine")).word
        for route in FORMS * 8:
            path = route.format(*dice.choices(WORDS, k=2))
            names = ("reason", "hours", "confirmed", "do", "name")
            fields = {"form": word, **{name: dice.choice(WORDS) for name in names}}
            answer = await somebody.post(path, fields)

            assert answer.status < 500, path


async def test_an_allocation_with_an_odd_name_is_answered_like_any_other(tmp_path):
    odd = row(id="a b/c?&#'\"%2F;é")
    async with proxied(tmp_path, rows=(odd,)) as served, visiting(served, "mira") as mira:
        page = await mira.get("/mine")
        action = page.text.partition('action="/do/keep/')[2].partition('"')[0]
        path = URL(f"{mira.origin}/do/keep/{action}", encoded=True)
        answer = await mira.post(path, {"form": page.word, "hours": "1"})
        after = URL(f"{mira.origin}{answer.headers['Location']}", encoded=True)

        assert answer.status == 303
        assert 'id="told"' in (await mira.get(after)).text


TURNED = "mira\u202e\x1b[31m\u2028x"


@pytest.mark.parametrize(
    "changes",
    [
        {"reason": TURNED},
        {"purpose": TURNED},
        {"case": case_line(next_step=TURNED)},
        {"case": case_line(outcome=TURNED, state=TURNED)},
        {"devices": (device(witnesses=(TURNED,)),)},
    ],
)
async def test_nothing_on_a_page_turns_or_colours_what_is_said_after_it(tmp_path, changes):
    async with proxied(tmp_path, rows=(row(**changes),)) as served, visiting(served, "otto") as him:
        pages = [await him.get(path) for path in ("/", "/queue", "/allocation/slurm/4711")]

    assert [page.status for page in pages] == [200, 200, 200]
    assert not any(sign in page.text for page in pages for sign in "\u202e\x1b\u2028")


async def test_a_link_about_an_allocation_whose_name_is_no_text_is_shown(tmp_path):
    async with proxied(tmp_path, rows=(ODD,)) as served, visiting(served) as nobody:
        assert (await nobody.get(link(run_key=ODD.run_key))).status == 200
