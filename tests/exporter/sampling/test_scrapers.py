"""Whoever scrapes whenever: the means are those of the device, and no second is lost or doubled."""

import itertools
import random

import pytest

from exporter.contract import catalog
from exporter.sampling.snapshot import Absent, Activity, Device, Measured, PowerUse, Round, Turn
from exporter.sampling.state import NodeState, Periods
from exporter.serving import exposition
from exporter.serving.vitals import Moment

CARD = Device(uuid="GPU-0", index=0, generation="g")
HOURS = 3
HIDDEN = Absent(state="stale", reason="no number")


class Scraper:
    """Comes every so often from its phase on, but for the hours that it misses."""

    def __init__(self, interval, phase, missed=()):
        self.interval = interval
        self.phase = phase
        self.missed = missed
        self.pages = []

    def comes(self, second):
        away = any(begin <= second < end for begin, end in self.missed)
        return second % self.interval == self.phase and not away


def trace(seed):
    """Draw a value a second: bursts, rest, and seconds in which nothing could be read."""
    drawn = random.Random(seed)
    values = []
    while len(values) < HOURS * 3600:
        kind = drawn.choice(["busy", "rest", "burst", "hidden"])
        length = drawn.randint(1, 2 if kind in {"burst", "hidden"} else 300)
        level = {"busy": drawn.random(), "rest": 0.0, "burst": 1.0, "hidden": None}[kind]
        values += [level] * length
    return values[: HOURS * 3600]


def play(values, scrapers):
    state = NodeState(Periods())
    for second, value in enumerate(values):
        state.take(answer(second, value))
        for scraper in scrapers:
            if scraper.comes(second):
                scraper.pages.append((second, numbers(state, second)))


def answer(second, value):
    signal = HIDDEN if value is None else Measured(value=value, source="gpm")
    activity = Activity(gpu="GPU-0", at=float(second), signals={"sm": signal}, links={})
    power = PowerUse(gpu="GPU-0", at=float(second), power=100.0 + 600.0 * (value or 0.0))
    turns = (
        Turn(collector="activity", duration=0.0, finding=(activity,)),
        Turn(collector="power", duration=0.0, finding=(power,)),
    )
    return Round(at=float(second), wall=0.0, driver="nvml", devices=(CARD,), turns=turns)


def numbers(state, second):
    moment = Moment(
        now=float(second), wall_offset=0.0, version="", node="n", boot="", started=0.0,
        cpu_seconds=0.0, resident_bytes=0.0,
    )  # fmt: skip
    rows = exposition.metrics(state, moment)
    seen = next((v for labels, v in rows[catalog.OBSERVED.name] if labels[1] == "sm"), 0.0)
    active = next((value for _, value in rows.get(catalog.SM_ACTIVE.name, ())), 0.0)
    return seen, active, rows[catalog.ENERGY.name][0][1]


def truth(values, begin, end):
    """Add up the trace: a second counts where it and the one before were read."""
    read = [
        values[second]
        for second in range(begin + 1, end + 1)
        if values[second] is not None and values[second - 1] is not None
    ]
    return float(len(read)), sum(read)


def growths(pages):
    for (begin, before), (end, after) in itertools.pairwise(pages):
        yield begin, end, [new - old for old, new in zip(before, after, strict=True)]


@pytest.mark.parametrize("seed", range(3))
def test_two_scrapers_of_other_phase_and_interval_both_see_the_device(seed):
    values = trace(seed)
    scrapers = [Scraper(15, 4), Scraper(61, 17)]
    play(values, scrapers)

    for scraper in scrapers:
        for begin, end, (seen, active, _) in growths(scraper.pages):
            assert (seen, active) == pytest.approx(truth(values, begin, end))


def test_a_scraper_that_misses_an_hour_loses_nothing():
    values = trace(7)
    whole, gappy = Scraper(60, 0), Scraper(60, 0, missed=[(3600, 7260)])
    play(values, [whole, gappy])
    (first, *_, last), (_, *_, end) = whole.pages, gappy.pages
    longest = max(growths(gappy.pages), key=lambda one: one[1] - one[0])

    assert len(whole.pages) - len(gappy.pages) == 61
    assert (first, last) == (gappy.pages[0], end)
    assert longest[:2] == (3540, 7260)
    assert longest[2][:2] == pytest.approx(truth(values, 3540, 7260))


def test_the_energy_of_any_two_scrapes_is_the_integral_of_power():
    values = trace(11)
    scraper = Scraper(45, 3)
    play(values, [scraper])

    for begin, end, (_, _, joules) in growths(scraper.pages):
        drawn = [100.0 + 600.0 * (values[second] or 0.0) for second in range(begin + 1, end + 1)]
        assert joules == pytest.approx(sum(drawn))


def test_a_burst_between_two_scrapes_is_seen():
    values = [0.0] * 600
    values[301] = 1.0
    scraper = Scraper(300, 0)
    play([*values, 0.0], [scraper])

    assert [active for _, _, (_, active, _) in growths(scraper.pages)] == [0.0, 1.0]
