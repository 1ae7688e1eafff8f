"""Signed links: they show and ask; the form behind them answers once, as whom they were sent to."""

import pytest

from reaper.domain.escalation.token import Token, signed
from reaper.web.attempts import MOST
from tests.builders_picture import HOUR, NOW, picture, row
from tests.served import serving
from tests.visits import (
    MIRAS,
    OTTOS,
    POLICIES,
    book,
    link,
    proxied,
    rewritten,
    visiting,
    words,
)


async def keeps(served):
    async with served.store.reading() as books:
        return [(keep.by, keep.until) for keep in await books.keeps(NOW)]


async def test_a_link_shows_the_allocation_and_what_can_be_answered(tmp_path):
    async with proxied(tmp_path) as served, visiting(served) as nobody:
        text = (await nobody.get(link())).text

    assert "slurm/4711" in text
    assert [word.partition('"')[0] for word in text.split('name="do" value="')[1:]] == [
        "keep",
        "until_morning",
        "release",
        "dispute",
    ]


async def test_a_link_of_a_button_asks_for_that_alone(tmp_path):
    async with proxied(tmp_path) as served, visiting(served) as nobody:
        text = (await nobody.get(f"{link()}?do=release")).text

    assert "Give it back now?" in words(text)
    assert text.count('name="do"') == 1


async def test_to_follow_a_link_does_nothing(tmp_path):
    async with proxied(tmp_path) as served, visiting(served) as nobody:
        for _ in range(3):
            await nobody.get(f"{link()}?do=keep&hours=2")

        assert await keeps(served) == []
        async with served.store.reading() as books:
            assert [event.by for event in await books.events() if event.by] == []


async def test_its_form_answers_as_whom_it_was_sent_to(tmp_path):
    async with proxied(tmp_path) as served, visiting(served) as nobody:
        answer = await nobody.send(link(), link(), do="keep", hours="2")
        after = await nobody.get(link())

        assert (answer.status, answer.headers["Location"]) == (303, "?")
        assert await keeps(served) == [("mira", NOW + 2 * HOUR)]
        assert "Kept slurm/4711 for 2 h" in words(after.text)
        async with served.store.reading() as books:
            assert [(event.by, event.channel) for event in await books.events(begin=NOW)] == [
                ("mira", "link")
            ]


async def test_a_link_answers_once(tmp_path):
    async with proxied(tmp_path) as served, visiting(served) as nobody:
        word = (await nobody.get(link())).word
        first = await nobody.post(link(), {"form": word, "do": "keep", "hours": "2"})
        again = await nobody.post(link(), {"form": word, "do": "dispute", "reason": "no"})

        assert (first.status, again.status) == (303, 403)
        assert "This answer was given already" in words(again.text)
        assert len(await keeps(served)) == 1


async def test_a_used_link_shows_no_form_any_more(tmp_path):
    async with proxied(tmp_path) as served, visiting(served) as nobody:
        await nobody.send(link(), link(), do="keep", hours="2")
        first, again = [await nobody.get(f"{link()}?do=keep") for _ in range(2)]

    assert "This link was used, and works once" in words(first.text)
    assert '<form class="answer"' not in first.text + again.text


async def test_a_refusal_does_not_use_the_link_up(tmp_path):
    async with proxied(tmp_path) as served, visiting(served) as nobody:
        refused = await nobody.send(link(), link(), do="keep", hours="20")
        taken = await nobody.send(link(), link(), do="keep", hours="2")

    assert (refused.status, taken.status) == (403, 303)


@pytest.mark.parametrize("do", ["approve", "uphold", "resume", "", "x" * 100])
async def test_a_link_makes_nobody_an_operator(tmp_path, do):
    async with proxied(tmp_path) as served, visiting(served) as nobody:
        assert (await nobody.send(link("otto"), link("otto"), do=do, reason="x")).status in {
            400,
            403,
        }


async def test_a_link_opens_nothing_else(tmp_path):
    async with proxied(tmp_path) as served, visiting(served) as nobody:
        await nobody.get(link())

        assert (await nobody.get("/mine")).status == 401
        assert (await nobody.get("/allocation/slurm/4711")).status == 401


async def test_a_link_for_another_allocation_of_the_same_person_shows_that_one(tmp_path):
    path = link("otto", run_key=OTTOS.run_key)
    async with proxied(tmp_path) as served, visiting(served) as nobody:
        text = words((await nobody.get(path)).text)

    assert "slurm/4700" in text
    assert "mira" not in text


async def test_a_link_whose_person_owns_it_no_more_answers_nothing(tmp_path):
    async with proxied(tmp_path) as served, visiting(served) as nobody:
        await rewritten(served, rows=(row(owner="vera"),))
        page = await nobody.get(link())
        answer = await nobody.send(link(), link(), do="keep", hours="2")

    assert 'name="do"' not in page.text
    assert answer.status == 403


async def test_a_link_about_what_has_ended_says_so(tmp_path):
    async with proxied(tmp_path) as served, visiting(served) as nobody:
        await rewritten(served, rows=())
        page = await nobody.get(link())

    assert page.status == 200
    assert "has ended" in words(page.text)


def altered() -> str:
    path = link()
    return path[:-1] + ("A" if path[-1] != "A" else "B")


def foreign() -> str:
    token = Token(notice_id="n", run_key=MIRAS.run_key, user="mira", expires=NOW + HOUR)
    return f"/answer/{signed(token, b'another key of 32 bytes, unknown')}"


@pytest.mark.parametrize("path", ["/answer/x", altered(), foreign(), link(lasts=0.0)])
async def test_a_link_that_holds_no_longer_says_what_to_do(tmp_path, path):
    async with proxied(tmp_path) as served, visiting(served) as nobody:
        shown, sent = await nobody.get(path), await nobody.post(path, {"do": "keep", "hours": "2"})

        assert (shown.status, sent.status) == (410, 410)
        assert "a newer message has a link that works" in words(shown.text)
        assert "mira" not in shown.text
        assert await keeps(served) == []


async def test_a_form_of_another_link_is_refused(tmp_path):
    async with proxied(tmp_path) as served, visiting(served) as nobody:
        other = link("otto", run_key=OTTOS.run_key)

        assert (await nobody.send(other, link(), do="keep", hours="2")).status == 403


async def test_a_link_works_where_nobody_signs_in(tmp_path):
    async with serving(tmp_path, picture(rows=(MIRAS,)), policies=POLICIES) as served:
        await book(served, MIRAS)
        async with visiting(served) as nobody:
            assert (await nobody.send(link(), link(), do="keep", hours="2")).status == 303


# ------------------------------------------------------------------ guessing


async def test_who_guesses_is_stopped_for_a_minute(tmp_path):
    async with proxied(tmp_path) as served, visiting(served) as nobody:
        for _ in range(MOST):
            assert (await nobody.get("/answer/guess")).status == 410
        assert (await nobody.get("/answer/guess")).status == 429

        served.clock.jump(NOW + 61)
        assert (await nobody.get("/answer/guess")).status == 410


async def test_a_link_that_holds_is_answered_wherever_others_guess(tmp_path):
    async with proxied(tmp_path) as served, visiting(served) as nobody:
        for _ in range(MOST + 1):
            await nobody.get("/answer/guess")

        assert (await nobody.get(link())).status == 200
        assert (await nobody.send(link(), link(), do="keep", hours="2")).status == 303


async def test_who_guesses_behind_a_proxy_stops_nobody_else_there(tmp_path):
    async with proxied(tmp_path) as served, visiting(served) as nobody:
        for _ in range(MOST + 1):
            last = await nobody.get("/answer/guess", X_Forwarded_For="192.0.2.1")

        assert last.status == 429
        assert (await nobody.get(link(), X_Forwarded_For="192.0.2.2")).status == 200


async def test_the_address_that_a_client_invents_is_not_counted(tmp_path):
    async with proxied(tmp_path) as served, visiting(served) as nobody:
        for number in range(MOST + 1):
            named = f"198.51.100.{number}, 192.0.2.1"
            last = await nobody.get("/answer/guess", X_Forwarded_For=named)

    assert last.status == 429
