"""No form of another site, person or day is taken, and nothing that people write is run."""

import pytest

from reaper.web.html.forms import own_path
from tests.builders_picture import HOUR, NOW
from tests.visits import MIRAS, OTTOS, proxied, visiting

KEEP = "/do/keep/slurm/4711"
PAGE = "/allocation/slurm/4711"


async def keeps(served):
    async with served.store.reading() as books:
        return list(await books.keeps(NOW))


# ------------------------------------------------------------------ forgery


@pytest.mark.parametrize("path", ["/do/keep/slurm/4711", "/sign-out"])
async def test_nothing_changes_by_get(tmp_path, path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        assert (await mira.get(path)).status == 405


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Sec_Fetch_Site": "none"},
    ],
)
async def test_a_form_of_another_site_is_refused(tmp_path, headers):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        word = (await mira.get("/mine")).word
        answer = await mira.post(KEEP, {"form": word, "hours": "2"}, **headers)

        assert answer.status == 403
        assert await keeps(served) == []


async def test_a_form_from_the_page_itself_is_taken(tmp_path):
    async with (
        proxied(tmp_path, address="https://gpus.example.org/") as served,
        visiting(served, "mira") as mira,
    ):
        word = (await mira.get("/mine")).word
        for origin in (mira.origin, "https://gpus.example.org"):
            fields = {"form": word, "hours": "1"}
            answer = await mira.post(KEEP, fields, Origin=origin, Sec_Fetch_Site="same-origin")
            assert answer.status == 303


@pytest.mark.parametrize("word", ["", "x", "x.y", "e30.", "a" * 5000])
async def test_a_form_without_its_word_is_refused(tmp_path, word):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        answer = await mira.post(KEEP, {"form": word, "hours": "2"})

        assert answer.status == 403
        assert await keeps(served) == []


async def test_the_word_of_another_person_is_refused(tmp_path):
    async with (
        proxied(tmp_path) as served,
        visiting(served, "mira") as mira,
        visiting(served, "otto") as otto,
    ):
        word = (await otto.get("/mine")).word

        assert (await mira.post(KEEP, {"form": word, "hours": "2"})).status == 403


async def test_a_form_of_yesterday_is_refused(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        word = (await mira.get("/mine")).word
        served.clock.jump(NOW + 13 * HOUR)

        assert (await mira.post(KEEP, {"form": word, "hours": "2"})).status == 403


async def test_json_is_no_form(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        answer = await mira.post(KEEP, "{}", Content_Type="application/json")

    assert answer.status == 415


async def test_a_form_of_a_thousand_fields_is_refused(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        answer = await mira.post(KEEP, {f"f{number}": "1" for number in range(1000)})

    assert answer.status == 400


# ------------------------------------------------------------------ injection

HOSTILE = "</textarea><script>alert(1)</script>{{7*7}}{% raw %}\"'\r\nSet-Cookie: a=b"


async def test_what_people_write_is_shown_and_never_run(tmp_path):
    async with (
        proxied(tmp_path) as served,
        visiting(served, "mira") as mira,
        visiting(served, "otto") as otto,
    ):
        answer = await mira.send("/mine", "/do/dispute/slurm/4711", reason=HOSTILE)
        pages = [await otto.get(path) for path in ("/queue", "/audit", PAGE)]

    assert "Set-Cookie" not in {name for name in answer.headers if answer.headers[name] == "a=b"}
    for page in pages:
        assert "<script>alert" not in page.text
        assert "{{7*7}}" in page.text
        assert ">49" not in page.text


@pytest.mark.parametrize(
    "path", ["/do/keep/slurm/47%0d%0aSet-Cookie:%20a=b", "/do/keep/slurm/%7B%7B7*7%7D%7D"]
)
async def test_a_path_writes_no_header(tmp_path, path):
    async with proxied(tmp_path, rows=(MIRAS, OTTOS)) as served, visiting(served, "otto") as otto:
        answer = await otto.send("/mine", path, hours="2")

    assert answer.status in {400, 403, 404}
    assert "a=b" not in answer.headers.get("Set-Cookie", "")


@pytest.mark.parametrize(
    "text",
    ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)",
     "/a\r\nSet-Cookie: a=b", "/\tevil", "evil", "", "/" + "a" * 600, "/ü"],
)  # fmt: skip
def test_nobody_is_led_to_another_site(text):
    assert own_path(text) == "/"


@pytest.mark.parametrize("text", ["/", "/mine", "/allocation/slurm/1?x=%2F", "/?q=a&b=c"])
def test_a_path_of_ours_is_followed(text):
    assert own_path(text) == text
