"""What an owner finds at their own page: what lives, what may be answered, what was."""

from dataclasses import replace

import pytest

from reaper.domain.escalation.case import State
from tests.builders_picture import HOUR, MINUTE, NOW, busy, row
from tests.visits import MIRAS, proxied, rewritten, visiting, words

DAY = 24 * HOUR


async def shown(folder, *, closed=None, rows=(MIRAS,), user="mira", **settings):
    async with proxied(folder, **settings) as served, visiting(served, user) as somebody:
        if closed is not None:
            await ended(served, closed)
        await rewritten(served, rows=rows)
        return (await somebody.get("/mine")).text


async def ended(served, at):
    async with served.store.transaction(served.epoch) as books:
        (case,) = await books.cases_of(MIRAS.run_key)
        done = replace(case, state=State.CLOSED, closed=at, outcome="released: nothing was active")
        await books.keep_case(done)


async def test_it_says_why_and_what_comes_next(tmp_path):
    text = words(await shown(tmp_path))

    assert "1 of your 1 GPU is idle." in text
    assert "Release in 20 min , at 14:52." in text
    assert "No SM, tensor or memory work for 40 min" in text


async def test_who_holds_nothing_is_told_so(tmp_path):
    assert "Nothing is held by you." in words(await shown(tmp_path, user="nora"))


async def test_what_ended_this_week_is_listed_with_how_it_went(tmp_path):
    text = words(await shown(tmp_path, closed=NOW - DAY, rows=()))

    assert "Lately" in text
    assert "Released: nothing was active." in text


async def test_a_release_that_is_verified_later_has_one_end_on_every_page(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        await ended(served, NOW - DAY)
        async with served.store.transaction(served.epoch) as books:
            held = await books.tenures_of(MIRAS.run_key)
            await books.keep_tenures([replace(one, end=NOW - DAY - 900) for one in held])
        await rewritten(served, rows=())
        mine = words((await mira.get("/mine")).text)
        sheet = words((await mira.get("/allocation/slurm/4711")).text)

    assert "Mon 14:17" in mine
    assert "Mon 14:32" not in mine
    assert "Ended 2026-03-09 14:17 UTC" in sheet


async def test_what_ended_before_is_not(tmp_path):
    assert "Lately" not in words(await shown(tmp_path, closed=NOW - 8 * DAY, rows=()))


async def test_what_ended_for_another_is_not(tmp_path):
    assert "Lately" not in words(await shown(tmp_path, closed=NOW - DAY, rows=(), user="otto"))


async def test_a_release_can_be_disputed_for_a_week(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        await ended(served, NOW - DAY)
        async with served.store.transaction(served.epoch) as books:
            held = await books.tenures_of(MIRAS.run_key)
            await books.keep_tenures([replace(one, end=NOW - DAY) for one in held])
        await rewritten(served, rows=())
        early = await mira.get("/allocation/slurm/4711")
        served.clock.jump(NOW + 7 * DAY)
        late = await mira.get("/allocation/slurm/4711")

    assert "This is wrong" in words(early.text)
    assert "This is wrong" not in words(late.text)


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        (MIRAS, ["keep", "morning", "release", "dispute"]),
        (row(case=None, idle_gpus=1), ["keep", "morning", "release"]),
        (row(case=None, idle_gpus=1, mode="observe"), ["keep", "morning"]),
        (busy(owner="mira", mode="act"), ["release"]),
        (busy(owner="mira", mode="observe"), []),
    ],
)
async def test_only_what_can_be_asked_is_offered(tmp_path, line, offered):
    async with proxied(tmp_path, rows=(line,)) as served, visiting(served, "mira") as mira:
        text = (await mira.get("/mine")).text

    verbs = ("keep", "morning", "release", "dispute")
    assert [verb for verb in verbs if f'id="{verb}-slurm' in text] == offered


async def test_spent_keeps_are_not_offered(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        for hours in ("1", "2"):
            await mira.send("/mine", "/do/keep/slurm/4711", hours=hours)
        text = (await mira.get("/mine")).text

    assert 'id="keep-slurm' not in text
    assert 'id="morning-slurm' in text
    assert "0 of 2 keeps left today, the next at Wed 14:32" in words(text)


async def test_what_is_left_of_the_budget_is_shown_and_a_second_press_takes_nothing(tmp_path):
    async with proxied(tmp_path) as served, visiting(served, "mira") as mira:
        before = words((await mira.get("/mine")).text)
        for _ in range(3):
            await mira.send("/mine", "/do/keep/slurm/4711", hours="2")
        after = words((await mira.get("/mine")).text)

    assert "2 of 2 keeps left today" in before
    assert "1 of 1 keep until the morning left this week" in before
    assert "1 of 2 keeps left today" in after


async def test_keeps_are_offered_up_to_what_the_rule_allows(tmp_path):
    text = await shown(tmp_path)

    assert [word.partition('"')[0] for word in text.split('<option value="')[1:]] == ["1", "2", "4"]


async def test_a_page_with_forms_does_not_renew_itself_under_who_has_no_scripts(tmp_path):
    assert "http-equiv" not in await shown(tmp_path)


async def test_the_proxys_way_out_is_shown(tmp_path):
    way = {"kind": "proxy", "sign_out": "/oauth2/sign_out"}

    assert 'href="/oauth2/sign_out">Sign out' in await shown(tmp_path, sign_in=way)


async def test_it_is_no_page_of_the_unix_socket(tmp_path):
    async with proxied(tmp_path) as served:
        for path in ("/mine", "/queue", "/audit", "/answer/x"):
            assert (await served.ask_socket(path))[0] == 404


async def test_a_long_ago_is_told_in_days(tmp_path):
    old = row(started=NOW - 3 * DAY, idle_since=NOW - 50 * MINUTE)

    assert "since Sat 14:32" in words(await shown(tmp_path, rows=(old,)))


async def test_of_very_many_only_the_first_are_explained_and_shown(tmp_path):
    many = [busy(owner="mira", id=str(n), run_key=f"k{n}", mode="act") for n in range(70)]
    async with (
        proxied(tmp_path, rows=(*many, MIRAS), rows_shown=60) as served,
        visiting(served, "mira") as mira,
    ):
        text = (await mira.get("/mine")).text

    assert text.count('class="own"') == 60
    assert "And 11 more" in words(text)
