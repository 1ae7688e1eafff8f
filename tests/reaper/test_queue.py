"""What waits for an operator, what is a person's own, and who changed what."""

import pytest

from reaper.domain.escalation.budget import APPROVAL
from reaper.domain.escalation.decision import Refusal
from reaper.domain.escalation.notice import Notice
from reaper.domain.facts.track import Track
from reaper.domain.money.entries import Event
from reaper.domain.reason import Reason, because
from reaper.questions import Questions
from reaper.store.memory import MemoryStore
from tests import builders
from tests.books import tenure_of
from tests.builders_picture import HOUR, NOW, case_line, picture, row


@pytest.fixture
async def store() -> MemoryStore:
    store = MemoryStore(cluster="sim")
    await store.lead("test", NOW)
    return store


async def drawn(store: MemoryStore, *rows) -> Questions:
    async with store.transaction(1) as books:
        await books.keep_picture(picture(rows=rows))
    return Questions(store=store)


def held(rule: str, reason: Reason | str = "a reason", **given):
    return row(case=case_line(held_by=(Refusal(rule=rule, reason=reason),)), **given)


async def test_mine_are_ones_own_the_longest_idle_first(store):
    mine = [row(run_key=key, owner="mira", idle_seconds=idle) for key, idle in (("a", 1), ("b", 2))]
    questions = await drawn(store, *mine, row(run_key="c", owner="otto"))

    assert [one.run_key for one in await questions.mine("mira")] == ["b", "a"]


async def test_nobody_has_no_allocations_of_unknown_owners(store):
    questions = await drawn(store, row(owner=""))

    assert await questions.mine("") == ()


async def test_what_two_operators_must_approve_waits_apart(store):
    large = held("budget", because(APPROVAL, gpus=16))
    queue = await (await drawn(store, large)).queue()

    assert (queue.approvals, queue.refusals) == ((large,), ())


@pytest.mark.parametrize("rule", ["budget", "observed", "lacking", "paused", "delivery", "deaf"])
async def test_what_an_operator_can_do_something_about_waits(store, rule):
    one = held(rule)

    assert (await (await drawn(store, one)).queue()).refusals == (one,)


@pytest.mark.parametrize("rule", ["keep", "dispute", "quota", "evidence", "window", "hours"])
async def test_what_passes_by_itself_waits_for_nobody(store, rule):
    assert (await (await drawn(store, held(rule))).queue()).refusals == ()


async def test_a_case_of_nobody_known_waits_for_an_operator(store):
    nobody = row(owner="", case=case_line())
    questions = await drawn(store, nobody, row(owner="", run_key="calm", case=None))

    assert (await questions.queue()).unknown_owners == (nobody,)


@pytest.mark.parametrize(("verdict", "listed"), [("suspect", 1), ("stalled", 1), ("idle", 0)])
async def test_a_person_looks_at_what_only_keeps_gpus_and_at_what_hangs(store, verdict, listed):
    questions = await drawn(store, row(verdict=verdict, case=None))

    assert len((await questions.queue()).findings) == listed


def notice(name: str, **given) -> Notice:
    return builders.notice(id=name, **given)


async def test_a_notice_that_was_tried_in_vain_is_undelivered(store):
    questions = await drawn(store, row())
    async with store.transaction(1) as books:
        await books.keep_notice(notice("tried", attempts=2, error="slack: user_not_found"))
        await books.keep_notice(notice("fresh"))

    (stuck,) = (await questions.queue()).undelivered
    assert (stuck.attempts, stuck.error) == (2, "slack: user_not_found")


async def test_a_dispute_waits_with_the_reason_that_was_given_last(store):
    questions = await drawn(store, row())
    case = builders.case(opened=NOW - HOUR, disputed=True, disputed_at=NOW)
    said = [
        Event(at=NOW, kind="dispute", run_key=case.run.key, case_id=ident, text=text)
        for ident, text in ((case.id, "at first"), (case.id, "at last"), ("another", "else"))
    ]
    async with store.transaction(1) as books:
        await books.keep_case(case)
        await books.append_events(said)

    (one,) = (await questions.queue()).disputes
    assert (one.reason, one.over) == ("at last", False)


async def test_the_audit_is_what_people_did(store):
    questions = await drawn(store, row())
    kept = Event(at=NOW, kind="keep", by="mira", channel="slack", text="kept")
    others = [Event(at=NOW, kind="warning", by="gpu-reaper"), Event(at=NOW, kind="run began")]
    async with store.transaction(1) as books:
        await books.append_events([*others, kept, Event(at=NOW - HOUR, kind="keep", by="mira")])

    assert await questions.audit(begin=NOW, end=NOW + 1) == (kept,)


async def small_pieces(store, letter: str, *, runs: int = 12) -> Questions:
    """Return a store in which somebody held a GPU for 50 minutes of each hour, run after run."""
    questions = await drawn(store, row())
    begins = [NOW - (runs - number) * HOUR for number in range(runs)]
    tenures = [
        tenure_of(str(number), "GPU-1", begin, begin + 50 * 60.0)
        for number, begin in enumerate(begins)
    ]
    first = int(begins[0] // 60)
    async with store.transaction(1) as books:
        await books.keep_tenures(tenures)
        await books.append_minutes({"GPU-1": Track(start=first, letters=letter * (runs * 60))})
    return questions


async def test_idleness_that_is_split_over_many_runs_is_to_be_looked_at(store):
    questions = await small_pieces(store, "H")

    (found,) = (await questions.queue()).pieces
    assert found == (
        "12 training runs of mira, 50 min in the median, held 10.0 GPU-h together and worked "
        "in 0.0 of them"
    )


@pytest.mark.parametrize(("letter", "runs"), [("A", 12), ("?", 12), ("H", 11)])
async def test_runs_that_work_or_are_few_or_unseen_are_nothing_to_look_at(store, letter, runs):
    questions = await small_pieces(store, letter, runs=runs)

    assert (await questions.queue()).pieces == ()


async def test_what_was_found_is_told_for_an_hour(store):
    questions = await small_pieces(store, "H")
    found = (await questions.queue()).pieces
    async with store.transaction(1) as books:
        await books.append_minutes({"GPU-2": Track(start=int(NOW // 60), letters="A")})
        await books.keep_tenures(
            [tenure_of("13", "GPU-2", NOW - 2 * HOUR, NOW - HOUR, owner="mira")]
        )
        await books.keep_picture(picture(rows=(row(),), at=NOW + 1800))
    again = (await questions.queue()).pieces
    async with store.transaction(1) as books:
        await books.keep_picture(picture(rows=(row(),), at=NOW + HOUR))

    assert again == found
    assert "13 training runs" in (await questions.queue()).pieces[0]
