"""What people answer on the pages: kept, released, disputed, ruled; by forms of ours alone."""

from dataclasses import replace

import pytest

from reaper.domain.facts.track import Track
from reaper.requests import Identity
from tests.books import tenure_of
from tests.builders_picture import HOUR, NOW, hold
from tests.visits import MIRAS, proxied, rewritten, visiting, words

KEEP = "/do/keep/slurm/4711"
PAGE = "/allocation/slurm/4711"


async def keeps(served):
    async with served.store.reading() as books:
        return [(keep.by, keep.reason, keep.until) for keep in await books.keeps(NOW)]


async def cases(served, key=MIRAS.run_key):
    async with served.store.reading() as books:
        return (await books.cases_of(key))[0]


# ------------------------------------------------------------------ owners


async def test_an_owner_keeps_by_a_form(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        answer = await mira.send("/mine", KEEP, hours="2")
        after = await mira.get(answer.headers["Location"])

        assert (answer.status, answer.headers["Location"]) == (303, PAGE)
        assert await keeps(served) == [("mira", "still needed", NOW + 2 * HOUR)]
        assert "Kept slurm/4711 for 2 h: still needed." in words(after.text)


async def test_what_was_done_is_told_once(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        await mira.send("/mine", KEEP, hours="2")
        first, second = await mira.get(PAGE), await mira.get(PAGE)

    assert 'id="told"' in first.text
    assert 'id="told"' not in second.text


async def test_what_was_done_is_told_to_nobody_else(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        await mira.send("/mine", KEEP, hours="2")
        mira.headers["X-Forwarded-User"] = "otto"

        assert 'id="told"' not in (await mira.get("/")).text


async def test_an_owner_keeps_until_the_morning(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        assert (await mira.send("/mine", "/do/until_morning/slurm/4711")).status == 303
        assert len(await keeps(served)) == 1


async def test_an_owner_gives_back_what_is_idle(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        asked = await mira.get("/ask/release/slurm/4711")
        answer = await mira.send(
            "/ask/release/slurm/4711", "/do/release/slurm/4711", confirmed="yes"
        )

        assert "Give it back now?" in words(asked.text)
        assert answer.status == 303
        assert (await cases(served)).own_release.by == "mira"


async def test_what_is_at_work_is_given_back_only_when_that_is_confirmed(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "otto") as otto:
        ask, do = "/ask/release/slurm/4700", "/do/release/slurm/4700"
        page = await otto.get(ask)
        unconfirmed = await otto.send(ask, do)
        confirmed = await otto.send(ask, do, confirmed="yes")

    assert 'type="checkbox" id="confirmed"' in page.text
    assert (unconfirmed.status, confirmed.status) == (403, 303)
    assert "is at work" in words(unconfirmed.text)


async def test_a_page_of_something_idle_confirms_nothing_that_begins_to_work_later(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        page = await mira.get("/ask/release/slurm/4711")
        at_work = replace(MIRAS, verdict="busy", idle_gpus=0)
        await rewritten(served, rows=(at_work,))
        answer = await mira.post("/do/release/slurm/4711", {"form": page.word})

    assert "confirmed" not in page.text
    assert answer.status == 403
    assert "is at work" in words(answer.text)


async def test_what_works_in_part_is_given_back_only_when_that_is_confirmed(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        await rewritten(served, rows=(replace(MIRAS, verdict="partial", idle_gpus=1),))

        assert 'id="confirmed"' in (await mira.get("/ask/release/slurm/4711")).text


async def test_an_owner_disputes(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        answer = await mira.send(PAGE, "/do/dispute/slurm/4711", reason="it  trains\nat night")

        assert answer.status == 303
        assert (await cases(served)).disputed


async def test_a_refusal_says_why_and_where_to_go(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        answer = await mira.send("/mine", KEEP, hours="9")

    assert answer.status == 403
    assert "Not kept: at most 4 h at a time; an operator can keep or exempt it." in words(
        answer.text
    )
    assert f'href="{PAGE}"' in answer.text


@pytest.mark.parametrize(
    "fields", [{"hours": "x"}, {"hours": "nan"}, {"hours": "1e400"}, {"reason": "x" * 301}]
)
async def test_a_field_that_cannot_be_read_is_named(tmp_path, fields):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        answer = await mira.send("/mine", KEEP, **{"hours": "2", **fields})

        assert answer.status == 400
        assert f"{next(iter(fields)).capitalize()}: " in words(answer.text)
        assert await keeps(served) == []


@pytest.mark.parametrize("verb", ["keep", "until_morning", "release", "dispute"])
async def test_what_is_anothers_cannot_be_answered(tmp_path, verb):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        answer = await mira.send("/mine", f"/do/{verb}/slurm/4700", hours="1")

    assert answer.status == 404
    assert "otto" not in words(answer.text)


@pytest.mark.parametrize("verb", ["approve", "uphold", "reject", "pause", "resume"])
async def test_an_owner_decides_nothing(tmp_path, verb):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        assert (await mira.send("/mine", f"/do/{verb}/slurm/4711", reason="x")).status == 403


async def test_nothing_else_can_be_done(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "otto") as otto:
        assert (await otto.send("/mine", "/do/destroy/x", reason="x")).status == 404


# ------------------------------------------------------------------ operators


@pytest.mark.parametrize(("verb", "stands"), [("uphold", True), ("reject", False)])
async def test_an_operator_rules(tmp_path, verb, stands):
    async with (
        proxied(tmp_path) as served,
        visiting(served, "mira") as mira,
        visiting(served, "otto") as otto,
    ):
        await mira.send("/mine", "/do/dispute/slurm/4711", reason="it trains at night")
        queue = await otto.get("/queue")
        answer = await otto.send("/queue", f"/do/{verb}/slurm/4711", reason="looked at it")

        assert "it trains at night" in words(queue.text)
        assert (answer.status, answer.headers["Location"]) == (303, "/queue")
        async with served.store.reading() as books:
            assert any("upheld" in hold.kind for hold in await books.holds()) is stands


async def test_an_operator_approves(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "otto") as otto:
        answer = await otto.send("/mine", "/do/approve/slurm/4711", reason="looked at it")
        told = await otto.get(answer.headers["Location"])

    assert "slurm/4711 approved by otto; 1 more must approve." in words(told.text)


@pytest.mark.parametrize(
    ("fields", "scope", "until"),
    [
        ({"policy": "everything", "hours": "0"}, "", None),
        ({"policy": "notebooks", "hours": "4"}, "policy:notebooks", NOW + 4 * HOUR),
    ],
)
async def test_an_operator_pauses(tmp_path, fields, scope, until):
    async with proxied(tmp_path) as served, visiting(served, "otto") as otto:
        page = await otto.get("/queue")
        answer = await otto.send("/queue", "/do/pause/everything", reason="a new rack", **fields)
        told = await otto.get(answer.headers["Location"])
        async with served.store.reading() as books:
            (hold,) = await books.holds()

    assert 'action="/do/pause/everything"' in page.text
    assert (hold.by, hold.scope, hold.until) == ("otto", scope, until)
    assert "paused by otto: a new rack" in words(told.text).lower()


async def test_a_pause_without_a_reason_or_from_another_site_is_refused(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "otto") as otto:
        silent = await otto.send("/queue", "/do/pause/everything", hours="0", policy="everything")
        foreign = await otto.post("/do/pause/everything", {"reason": "x"}, Origin="http://evil")
        async with served.store.reading() as books:
            assert await books.holds() == []

    assert (silent.status, foreign.status) == (400, 403)


async def test_an_operator_lifts_a_stop(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "otto") as otto:
        by = Identity(user="ida", operator=True)
        await served.requests.pause(reason="maintenance", by=by)
        await rewritten(served, holds=(hold(),))
        page = await otto.get("/queue")
        answer = await otto.send("/queue", "/do/resume/paused", reason="it is over")

        assert 'formaction="/do/resume/paused"' in page.text
        assert answer.status == 303
        async with served.store.reading() as books:
            assert await books.holds() == []


async def test_every_change_is_in_the_audit_trail(tmp_path):
    async with (
        proxied(tmp_path) as served,
        visiting(served, "mira") as mira,
        visiting(served, "otto") as otto,
    ):
        await mira.send("/mine", KEEP, hours="2", reason="demo tomorrow")
        trail = words((await otto.get("/audit?days=1")).text)
        none = words((await otto.get("/audit?q=nobody-at-all")).text)

    assert "mira proxy keep" in trail
    assert "demo tomorrow" in trail
    assert "demo tomorrow" not in none


async def test_an_owner_learns_that_an_operator_acted_and_not_which(tmp_path):
    async with (
        proxied(tmp_path) as served,
        visiting(served, "mira") as mira,
        visiting(served, "otto") as otto,
    ):
        await otto.send("/mine", KEEP, hours="2", reason="a favour")
        seen = words((await mira.get(PAGE)).text)

    assert "by an operator" in seen
    assert "otto" not in seen


async def test_an_operator_reads_what_is_suspect_with_its_arithmetic(tmp_path):
    found = replace(MIRAS, verdict="suspect", reason="a blip of work every 10 min", case=None)
    async with proxied(tmp_path, rows=(found,)) as served, visiting(served, "otto") as otto:
        queue = words((await otto.get("/queue")).text)

    assert "1 allocation to look at" in queue
    assert "a blip of work every 10 min" in queue


async def test_an_operator_reads_of_idleness_in_small_pieces(tmp_path):
    """An owner's runs that are each too short for any window, with their arithmetic."""
    async with proxied(tmp_path, rows=(MIRAS,)) as served:
        begins = [NOW - (12 - number) * HOUR for number in range(12)]
        async with served.store.transaction(served.epoch) as books:
            await books.keep_tenures(
                [
                    tenure_of(str(number), "GPU-1", at, at + 50 * 60.0)
                    for number, at in enumerate(begins)
                ]
            )
            letters = Track(start=int(begins[0] // 60), letters="H" * 720)
            await books.append_minutes({"GPU-1": letters})
        async with visiting(served, "otto") as otto:
            queue = words((await otto.get("/queue")).text)

    assert "Idleness in small pieces, in the last week" in queue
    assert "12 training runs of mira, 50 min in the median" in queue
