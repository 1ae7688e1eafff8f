"""What every store owes its rooms of values: found by what is asked, in order, one of each key."""

from dataclasses import replace

import pytest

from reaper.domain.escalation.case import Saving, State
from reaper.domain.escalation.decision import Phase, Verb
from reaper.domain.escalation.notice import Delivery
from reaper.domain.facts.share import Confirmation
from reaper.domain.judgement.policy import Save
from tests import stored

DAY = 86400.0


async def write(store, epoch, *values):
    """Write one value after the other, each by its own method of the books."""
    async with store.transaction(epoch) as books:
        methods = {
            "Case": books.keep_case,
            "Keep": books.keep_keep,
            "Notice": books.keep_notice,
            "Intent": books.keep_intent,
            "Hold": books.keep_hold,
        }
        for value in values:
            await methods[type(value).__name__](value)


async def test_records_are_kept_by_device(store, epoch):
    old, new = stored.record("g1"), stored.record("g1", stretch="A", reading=None)
    async with store.transaction(epoch) as books:
        await books.keep_records([old, stored.record("g2")])
        await books.keep_records([new])

    async with store.reading() as books:
        assert [new, stored.record("g2")] == await books.records()


@pytest.mark.parametrize("many", [0, 2000], ids=["few", "many"])
async def test_records_are_found_by_device(store, epoch, many):
    async with store.transaction(epoch) as books:
        await books.keep_records([stored.record(name) for name in ("g1", "g2", "g3")])

    async with store.reading() as books:
        found = await books.records_of({"g3", "g1", "absent", *map(str, range(many))})

        assert found == [stored.record("g1"), stored.record("g3")]
        assert await books.records_of(()) == []


async def test_keeping_no_record_is_nothing(store, epoch):
    async with store.transaction(epoch) as books:
        await books.keep_records([])

        assert await books.records() == []


async def test_a_case_is_replaced_by_its_next_state(store, epoch):
    acting = stored.case("c1", state=State.ACTING, due=50.0)
    await write(store, epoch, stored.case("c1"), acting)

    async with store.reading() as books:
        assert [acting] == await books.open_cases()


async def test_a_closed_case_is_no_longer_open(store, epoch):
    shut = stored.closed("c1", opened=10.0, at=20.0)
    await write(store, epoch, stored.case("c1"), shut)

    async with store.reading() as books:
        assert ([], [shut]) == (await books.open_cases(), await books.cases_of("41+0"))


async def test_the_cases_of_a_run_come_oldest_first(store, epoch):
    first, second = stored.closed("z", opened=1.0, at=2.0), stored.case("a", opened=3.0)
    await write(store, epoch, second, first, stored.case("other", key="42+0"))

    async with store.reading() as books:
        assert [first, second] == await books.cases_of("41+0")


async def test_cases_between_were_opened_or_closed_then(store, epoch):
    opened = stored.case("opened", opened=100.0)
    shut = stored.closed("closed", opened=5.0, at=199.0)
    outside = (
        stored.closed("before", opened=5.0, at=99.0),
        stored.closed("around", opened=5.0, at=200.0),
        stored.case("after", opened=200.0),
    )
    await write(store, epoch, opened, shut, *outside)

    async with store.reading() as books:
        assert [shut, opened] == await books.cases_between(100.0, 200.0)


async def test_keeps_are_those_of_eight_days_and_those_that_stand(store, epoch):
    now = 10 * DAY
    long = stored.keep("long", now - 9 * DAY, now + 1)
    recent = stored.keep("recent", now - 8 * DAY, now - 1)
    await write(store, epoch, recent, long, stored.keep("old", now - 8 * DAY - 1, now))

    async with store.reading() as books:
        assert [long, recent] == await books.keeps(now)


async def test_the_notices_of_a_case_come_oldest_first(store, epoch):
    first, second = stored.notice("z", created=1.0), stored.notice("a", created=2.0)
    await write(store, epoch, second, first, stored.notice("other", case_id="c2"))

    async with store.reading() as books:
        assert [first, second] == await books.notices("c1")


async def test_a_notice_exists_once(store, epoch):
    queued = stored.notice("n1")
    sent = queued.delivered(channel="slack", at=3.0, personal=True, handle="17.5")
    await write(store, epoch, queued, sent)

    async with store.reading() as books:
        assert [sent] == await books.notices("c1")


async def test_the_outbox_holds_what_is_queued_or_of_unknown_fate(store, epoch):
    second = stored.notice("a", created=2.0, delivery=Delivery.AMBIGUOUS)
    first = stored.notice("b", created=1.0)
    done = [
        stored.notice(delivery.value, delivery=delivery)
        for delivery in Delivery
        if delivery not in (Delivery.QUEUED, Delivery.AMBIGUOUS)
    ]
    await write(store, epoch, second, first, *done)

    async with store.reading() as books:
        assert [first, second] == await books.outbox()


async def test_an_intent_is_open_until_its_outcome(store, epoch):
    awaited = [stored.intent(p.value, phase=p) for p in Phase if stored.intent("", phase=p).open]
    known = [stored.intent(p.value, phase=p) for p in Phase if not stored.intent("", phase=p).open]
    await write(store, epoch, *awaited, *known)

    async with store.reading() as books:
        assert sorted(awaited, key=lambda i: i.effect.id) == await books.open_intents()


async def test_intents_since_come_oldest_first(store, epoch):
    first, second = stored.intent("z", created=5.0), stored.intent("a", created=6.0)
    await write(store, epoch, second, first, stored.intent("old", created=4.9))

    async with store.reading() as books:
        assert [first, second] == await books.intents_since(5.0)


async def test_an_intent_is_replaced_by_its_next_phase(store, epoch):
    begun = replace(stored.intent("i1"), phase=Phase.BEGUN, receipt="ok", changed=2.0)
    await write(store, epoch, stored.intent("i1"), begun)

    async with store.reading() as books:
        assert [begun] == await books.open_intents()


async def test_a_save_is_kept_with_all_that_it_will_need(store, epoch):
    asked = stored.intent("i1")
    save = Save(signal="", path="/ckpt", within=60.0, to="step", unproven="release")
    effect = replace(asked.effect, verb=Verb.SAVE, save=save, signal="USR2", target="step")
    saving = Saving(requeueable=True, asked=1.5, proven=2.5, lapsed=3.5, receipt="proof after 1")
    case, intent = stored.case("c1", saving=saving), replace(asked, effect=effect)
    await write(store, epoch, case, intent)

    async with store.reading() as books:
        assert [case] == await books.open_cases()
        assert [intent] == await books.open_intents()


async def test_a_hold_stands_until_it_is_lifted(store, epoch):
    first, second = stored.hold("z", begin=1.0), stored.hold("a", begin=2.0)
    await write(store, epoch, second, first)
    async with store.transaction(epoch) as books:
        assert [first, second] == await books.holds()
        await books.lift_hold("z")

    async with store.reading() as books:
        assert [second] == await books.holds()


async def test_lifting_what_is_not_held_is_nothing(store, epoch):
    async with store.transaction(epoch) as books:
        await books.lift_hold("nothing")

        assert await books.holds() == []


async def test_proven_indices_add_up_and_are_forgotten_by_node(store, epoch):
    one, two, other = (
        Confirmation(node=node, index=index, gpu=f"g{index}", generation="1")
        for node, index in (("n1", 0), ("n1", 1), ("n2", 0))
    )
    async with store.transaction(epoch) as books:
        await books.keep_confirmations(frozenset([one]))
        await books.keep_confirmations(frozenset([one, two, other]))
        assert {one, two, other} == await books.confirmations()
        await books.forget_confirmations("n1")

    async with store.reading() as books:
        assert {other} == await books.confirmations()


@pytest.mark.parametrize("name", [stored.ODD, "a\\nb", "\\", ""], ids=ascii)
async def test_names_come_back_as_they_were_given(store, epoch, name):
    case = stored.case(f"case {name}", key=name)
    proof = Confirmation(node=name, index=0, gpu=name, generation=name)
    async with store.transaction(epoch) as books:
        await books.keep_case(case)
        await books.keep_confirmations(frozenset([proof]))

    async with store.reading() as books:
        assert [case] == await books.cases_of(name)
        assert {proof} == await books.confirmations()


async def test_an_escaped_name_is_not_the_name_it_looks_like(store, epoch):
    async with store.transaction(epoch) as books:
        await books.keep_case(stored.case("real", key="a\nb"))
        await books.keep_case(stored.case("written", key="a\\nb"))

    async with store.reading() as books:
        assert [case.id for case in await books.cases_of("a\nb")] == ["real"]
