"""A minute of plain work that is told at a glance is the one that a close look tells."""

from collections.abc import Callable
from dataclasses import replace

from hypothesis import event, given, settings
from hypothesis import strategies as st

from reaper.cycle.minutes import Closed, close
from reaper.cycle.plain_work import worked_on
from reaper.domain.facts.evidence import Evidence
from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.reading import Reading
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.thresholds import DEFAULT
from tests.builders import MINUTE, START, device

KNOWN = {"sm": 1000.0, "tensor": 500.0, "dram": 700.0, "engine": 900.0, "codec": 0.0}
LAST = Reading(
    gpu=device().gpu,
    at=START + 57,
    epoch="one",
    observed=dict.fromkeys(KNOWN, 3000.0),
    active=KNOWN,
    above=(10.0, 5.0),
    links={"pcie": 1e9},
    joules=5e6,
    memory_used=4e10,
    processes=1,
)
WORKED = replace(
    LAST,
    at=LAST.at + MINUTE,
    observed=dict.fromkeys(KNOWN, 3060.0),
    active={name: at + 30.1 for name, at in KNOWN.items()},
    above=(40.3, 5.0),
    links={"pcie": 1.1e9},
    joules=5e6 + 3e4,
)
RECORD = DeviceRecord(
    device=device(),
    reading=LAST,
    stretch="A",
    evidence=Evidence(
        seconds=600.0,
        seen=dict.fromkeys(KNOWN, 1 / 3),
        active=dict.fromkeys(KNOWN, 0.1),
        above=(0.1, 0.2),
        joules=1 / 7,
    ),
)
TABLE = ((60, 100), (300, 100))


def counter(field: str, name: str, by: float) -> Callable[[Reading], Reading]:
    """Change one counter of a reading."""
    return lambda one: replace(one, **{field: {**getattr(one, field), name: by + KNOWN[name]}})


def without(field: str, name: str) -> Callable[[Reading], Reading]:
    """Leave one counter of a reading out."""

    def left(one: Reading) -> Reading:
        kept = {key: at for key, at in getattr(one, field).items() if key != name}
        return replace(one, **{field: kept})

    return left


READ = [
    *(counter("active", name, by) for name in KNOWN for by in (0.0, 0.2, 3.1, -1.0)),
    *(without(field, name) for name in KNOWN for field in ("active", "observed")),
    *(lambda one, n=n: replace(one, processes=n) for n in (None, 0)),
    *(lambda one, at=at: replace(one, at=LAST.at + at) for at in (0.0, 1.0, 58.0, 62.0, 120.0)),
    *(lambda one, by=by: replace(one, joules=5e6 + by) for by in (0.0, 3e3, 9e3, -1.0)),
    *(lambda one, above=above: replace(one, above=above) for above in ((10.0, 5.0), (9.0, 5.0))),
    *(lambda one, by=by: replace(one, links={"pcie": 1e9 + by}) for by in (0.0, 1e11, -1.0)),
    lambda one: replace(one, observed={name: at - 7 for name, at in one.observed.items()}),
    lambda one: replace(one, active=dict(reversed(one.active.items()))),
    lambda one: replace(one, memory_used=0.0),
    lambda one: replace(one, joules=None),
    lambda one: replace(one, above=()),
    lambda one: replace(one, links={}),
    lambda one: replace(one, epoch="two"),
]
KEPT = [
    *(lambda one, stretch=stretch: replace(one, stretch=stretch) for stretch in "Li?"),
    lambda one: replace(one, watts_empty=TABLE),
    lambda one: replace(one, watts_held=TABLE),
    lambda one: replace(one, reading=None),
    lambda one: replace(one, evidence=Evidence()),
    lambda one: replace(one, evidence=replace(one.evidence, above=())),
    lambda one: replace(one, evidence=replace(one.evidence, joules=None)),
    lambda one: replace(one, evidence=replace(one.evidence, seen={"sm": 1.0})),
    lambda one: replace(one, evidence=replace(one.evidence, witnesses={"power": 60.0})),
]
#: Readings before the newest that the board may still have.
EARLIER = [
    (),
    (LAST,),
    (LAST, replace(WORKED, at=WORKED.at - 20)),
    (replace(LAST, at=LAST.at - MINUTE),),
    (replace(LAST, at=LAST.at - MINUTE, epoch="two"),),
]


@given(
    st.lists(st.sampled_from(READ), max_size=2),
    st.lists(st.sampled_from(KEPT), max_size=2),
    st.sampled_from(EARLIER),
)
@settings(max_examples=400)
def test_plain_work_is_what_a_close_look_tells(read, kept, earlier) -> None:
    newest, record = WORKED, RECORD
    for change in read:
        newest = change(newest)
    for change in kept:
        record = change(record)
    found = (*earlier, newest)

    glance = worked_on(record, device(), found, pace=NORMAL, thresholds=DEFAULT)

    event("told at a glance" if glance else "looked at closely")
    assert closed(record, found) == closed(record, found, closely=True)


def closed(record: DeviceRecord, found: tuple[Reading, ...], *, closely: bool = False) -> Closed:
    gpu = record.device.gpu
    return close(
        {gpu: record},
        {gpu: device()},
        {gpu: found},
        pace=NORMAL,
        thresholds=DEFAULT,
        tenants={gpu: ()} if closely else {},
    )
