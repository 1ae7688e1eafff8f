"""What every store owes tracks: recorded minutes stay, gaps are unknown, over days and restarts."""

import random

import pytest

from reaper.domain.facts.grid import Pace
from reaper.domain.facts.track import Track
from reaper.domain.money.entries import DemandPoint
from reaper.store.letters import DAY
from tests import stored

MIDNIGHT = 20_000 * DAY


async def append(store, epoch, **drawn: tuple[int, str]):
    tracks = {gpu: Track(start=start, letters=letters) for gpu, (start, letters) in drawn.items()}
    async with store.transaction(epoch) as books:
        await books.append_minutes(tracks)


async def read(store, gpu: str, first: int, end: int) -> str:
    async with store.reading() as books:
        track = (await books.tracks([gpu], first, end))[gpu]
    assert (first, end) == (track.start, track.end)
    return track.letters


async def test_letters_come_back_clipped(store, epoch):
    await append(store, epoch, g=(100, "AAHHLE"))

    assert await read(store, "g", 101, 105) == "AHHL"


async def test_outside_everything_is_unknown(store, epoch):
    await append(store, epoch, g=(100, "AA"))

    assert await read(store, "g", 98, 104) == "??AA??"


async def test_a_device_that_was_never_seen_is_unknown(store, epoch):
    assert await read(store, "g", 0, 4) == "????"


async def test_a_device_that_was_not_asked_for_is_not_returned(store, epoch):
    await append(store, epoch, g=(0, "A"), h=(0, "A"))

    async with store.reading() as books:
        assert list(await books.tracks(["g"], 0, 1)) == ["g"]


@pytest.mark.parametrize("end", [5, 4])
async def test_no_minutes_are_an_empty_track(store, epoch, end):
    async with store.reading() as books:
        assert {"g": Track(start=5)} == await books.tracks(["g"], 5, end)


async def test_minutes_are_appended(store, epoch):
    await append(store, epoch, g=(100, "AA"))
    await append(store, epoch, g=(102, "HH"))

    assert await read(store, "g", 100, 104) == "AAHH"


async def test_recorded_minutes_are_never_rewritten(store, epoch):
    await append(store, epoch, g=(100, "AAA"))
    await append(store, epoch, g=(99, "EEEEEE"))

    assert await read(store, "g", 99, 105) == "?AAAEE"


async def test_a_gap_is_unknown_and_stays_so(store, epoch):
    await append(store, epoch, g=(100, "A"))
    await append(store, epoch, g=(103, "A"))
    await append(store, epoch, g=(101, "EE"))

    assert await read(store, "g", 100, 104) == "A??A"


async def test_a_gap_over_hours_is_unknown_and_stays_so(store, epoch):
    await append(store, epoch, g=(100, "A"))
    await append(store, epoch, g=(300, "A"))
    await append(store, epoch, g=(101, "E" * 199))

    assert await read(store, "g", 100, 301) == "A" + "?" * 199 + "A"


async def test_letters_of_an_hour_stay_when_it_is_over(store, epoch):
    for minute, letter in ((118, "A"), (119, "H"), (120, "L"), (121, "E")):
        await append(store, epoch, g=(minute, letter))

    assert await read(store, "g", 117, 123) == "?AHLE?"


async def test_what_is_late_is_laid_beside_what_came_in_time(store, epoch):
    await append(store, epoch, g=(120, "A"), h=(120, "A"))
    await append(store, epoch, h=(122, "H"))
    await append(store, epoch, g=(121, "HH"), h=(121, "LLL"))

    assert await read(store, "g", 120, 124) == "AHH?"
    assert await read(store, "h", 120, 124) == "A?HL"


async def test_a_clock_that_is_set_back_rewrites_nothing(store, epoch):
    await append(store, epoch, g=(130, "AA"), h=(130, "A"))
    await append(store, epoch, g=(70, "HH"), h=(131, "H"), i=(70, "L"))
    await append(store, epoch, i=(131, "E"), g=(132, "E"))

    assert await read(store, "g", 69, 133) == "?" * 61 + "AAE"
    assert await read(store, "h", 130, 132) == "AH"
    assert await read(store, "i", 70, 132) == "L" + "?" * 60 + "E"


async def test_letters_go_on_after_pruning(store, epoch):
    await append(store, epoch, g=(MIDNIGHT, "A"), gone=(10, "A"))
    async with store.transaction(epoch) as books:
        await books.prune(inputs_before=0.0, tracks_before=(MIDNIGHT + 5) * 60.0)
    await append(store, epoch, g=(MIDNIGHT + 1, "H"), new=(MIDNIGHT + 1, "L"))
    await append(store, epoch, gone=(MIDNIGHT + 2, "E"), g=(MIDNIGHT + 2, "E"))

    assert await read(store, "g", MIDNIGHT, MIDNIGHT + 3) == "AHE"
    assert await read(store, "new", MIDNIGHT, MIDNIGHT + 3) == "?L?"
    assert await read(store, "gone", MIDNIGHT, MIDNIGHT + 3) == "??E"
    assert await read(store, "gone", 10, 11) == "?"


async def test_who_leads_anew_knows_the_names_of_others(store, epoch):
    await append(store, epoch, g=(100, "A"), h=(100, "L"))
    newer = await store.lead("another", 1.0)
    await append(store, newer, h=(101, "L"), g=(101, "H"), i=(101, "E"))

    assert [await read(store, name, 100, 102) for name in "ghi"] == ["AH", "LL", "?E"]


async def test_letters_cross_midnight(store, epoch):
    await append(store, epoch, g=(MIDNIGHT - 3, "AAAHHH"))

    assert await read(store, "g", MIDNIGHT - 4, MIDNIGHT + 4) == "?AAAHHH?"


async def test_a_day_that_is_over_can_still_be_ended_late(store, epoch):
    await append(store, epoch, late=(MIDNIGHT - 60, "A" * 30), other=(MIDNIGHT - 60, "L" * 60))
    for minute in range(3):
        await append(store, epoch, other=(MIDNIGHT + minute, "L"))
    await append(store, epoch, late=(MIDNIGHT - 30, "H" * 35))

    assert await read(store, "late", MIDNIGHT - 60, MIDNIGHT + 6) == "A" * 30 + "H" * 35 + "?"
    assert await read(store, "other", MIDNIGHT - 60, MIDNIGHT + 3) == "L" * 63


async def test_a_day_that_is_over_is_never_rewritten(store, epoch):
    await append(store, epoch, g=(MIDNIGHT - 60, "A" * 60), other=(MIDNIGHT, "L"))
    await append(store, epoch, g=(MIDNIGHT - 60, "E" * 62), other=(MIDNIGHT + 1, "L"))

    assert await read(store, "g", MIDNIGHT - 60, MIDNIGHT + 2) == "A" * 60 + "EE"


async def test_minutes_before_the_epoch_of_time_are_minutes_too(store, epoch):
    await append(store, epoch, g=(-3, "AHEL"))

    assert await read(store, "g", -3, 1) == "AHEL"


@pytest.mark.parametrize("seed", range(4))
async def test_a_store_keeps_what_a_track_keeps(store, epoch, seed):
    chance = random.Random(seed)
    model: dict[str, Track] = {}
    at = MIDNIGHT - DAY
    for _ in range(30):
        at += chance.choice((1, 20, 400))
        new = {
            gpu: Track(
                start=at + chance.randint(-30, 30),
                letters="".join(chance.choices("AHEL?!X", k=chance.choice((1, 45, 900)))),
            )
            for gpu in ("g1", "g2", "g3")
            if chance.random() < 0.7
        }
        async with store.transaction(epoch) as books:
            await books.append_minutes(new)
        for gpu, track in new.items():
            known = model.get(gpu, Track(start=track.start))
            model[gpu] = known.extend(track.start, track.letters)

    first, end = MIDNIGHT - DAY - 100, at + 1000
    async with store.reading() as books:
        found = await books.tracks(list(model), first, end)
    assert {gpu: track.clip(first, end) for gpu, track in model.items()} == found


async def test_many_devices_are_read_like_one(store, epoch):
    many = {f"g{number}": (100, "AH") for number in range(500)}
    await append(store, epoch, **many)

    async with store.reading() as books:
        found = await books.tracks(list(many)[:450], 100, 102)

    assert {"AH"} == {track.letters for track in found.values()}
    assert list(many)[:450] == list(found)


async def test_odd_names_of_devices_come_back(store, epoch):
    await append(store, epoch, **{stored.ODD: (5, "A")})

    assert await read(store, stored.ODD, 5, 6) == "A"


async def test_old_inputs_are_forgotten(store, epoch):
    await append(store, epoch, gone=(MIDNIGHT - 10, "A"), here=(MIDNIGHT, "A"))
    async with store.transaction(epoch) as books:
        await books.keep_records([stored.record("gone"), stored.record("here")])
        await books.append_demand(DemandPoint(minute=MIDNIGHT - 1, gpus=1))
        await books.append_demand(DemandPoint(minute=MIDNIGHT, gpus=2))
        await books.prune(inputs_before=(MIDNIGHT + 5) * 60.0, tracks_before=0.0)

    async with store.reading() as books:
        assert [DemandPoint(minute=MIDNIGHT, gpus=2)] == await books.demand(0, MIDNIGHT + 9)
        assert [record.device.gpu for record in await books.records()] == ["here"]
    assert await read(store, "gone", MIDNIGHT - 10, MIDNIGHT - 9) == "A"


async def test_old_letters_are_forgotten_by_whole_days(store, epoch):
    await append(store, epoch, g=(MIDNIGHT - DAY - 2, "A" * (2 * DAY)))
    async with store.transaction(epoch) as books:
        await books.prune(inputs_before=0.0, tracks_before=(MIDNIGHT + 5) * 60.0)

    assert await read(store, "g", MIDNIGHT - 2, MIDNIGHT + 2) == "??AA"


async def test_pruning_forgets_no_case_and_no_tenure(store, epoch):
    async with store.transaction(epoch) as books:
        await books.keep_case(stored.closed("c1", opened=1.0, at=2.0))
        await books.keep_tenures([stored.tenure("g", 1.0, 2.0)])
        await books.append_events([stored.event(1.0)])
        await books.prune(inputs_before=1e9, tracks_before=1e9)

        assert [
            len(await books.cases_of("41+0")),
            len(await books.tenures_of("41+0")),
            len(await books.events()),
        ] == [1, 1, 1]


class TestAFasterGrid:
    """A day is 1,440 steps of whatever grid."""

    @pytest.fixture
    def pace(self):
        return Pace(step=1.0)

    async def test_letters_come_back(self, store, epoch):
        await append(store, epoch, g=(MIDNIGHT - 3, "AAAHHH"))

        assert await read(store, "g", MIDNIGHT - 3, MIDNIGHT + 3) == "AAAHHH"

    async def test_pruning_counts_steps(self, store, epoch):
        await append(store, epoch, g=(MIDNIGHT - DAY, "A" * (DAY + 2)))
        async with store.transaction(epoch) as books:
            await books.prune(inputs_before=0.0, tracks_before=MIDNIGHT + 5.0)

        assert await read(store, "g", MIDNIGHT - 2, MIDNIGHT + 2) == "??AA"
