"""What is told at a glance of a minute, and kept while it goes on, is what a close look tells."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import isclose

from hypothesis import event, given, settings
from hypothesis import strategies as st

from reaper.cycle.evidence.minutes import close
from reaper.cycle.evidence.records import Records
from reaper.domain.facts.evidence import Evidence
from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.reading import Reading
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.thresholds import DEFAULT
from reaper.domain.facts.track import Track
from tests.builders import MINUTE, START, device
from tests.thoroughness import examples

KNOWN = {"sm": 1000.0, "tensor": 500.0, "dram": 700.0, "engine": 900.0, "codec": 0.0}
SEEN = (*KNOWN, "power")
LAST = Reading(
    gpu=device().gpu,
    at=START + 57,
    epoch="one",
    observed=dict.fromkeys(SEEN, 3000.0),
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
    observed=dict.fromkeys(SEEN, 3060.0),
    active={name: at + 30.1 for name, at in KNOWN.items()},
    above=(40.3, 5.0),
    links={"pcie": 1.1e9},
    joules=5e6 + 3e4,
)
RESTED = replace(WORKED, active=KNOWN, above=LAST.above, joules=5e6 + 60 * 71.0)
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
    without("observed", "power"),
    *(
        lambda one, by=by: replace(one, observed={**one.observed, "power": 3000.0 + by})
        for by in (0.0, 15.0, 75.0)
    ),
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
    *(lambda one, stretch=stretch: replace(one, stretch=stretch) for stretch in "AL?"),
    lambda one: replace(one, device=replace(one.device, mig_profile="1g.10gb")),
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
LIVES = st.sampled_from([("A", WORKED), ("i", RESTED)])


@given(
    LIVES,
    st.lists(st.sampled_from(READ), max_size=2),
    st.lists(st.sampled_from(KEPT), max_size=2),
    st.sampled_from(EARLIER),
    st.sampled_from([0, 0, 7]),
)
@settings(max_examples=examples(800), deadline=None)
def test_a_glance_tells_what_a_close_look_tells(life, read, kept, earlier, index) -> None:
    newest, record = life[1], replace(RECORD, stretch=life[0])
    for change in read:
        newest = change(newest)
    for change in kept:
        record = change(record)

    both = Both([record])
    both.devices = {record.device.gpu: replace(record.device, index=index)}
    both.minute({record.device.gpu: (*earlier, newest)})

    assert both.at_a_glance == both.closely
    event("at a glance" if both.glances else "looked at closely")


class Both:
    """One reaper that looks at a glance where it may, and one that looks closely at everything."""

    def __init__(self, records: list[DeviceRecord]) -> None:
        self.devices = {one.device.gpu: one.device for one in records}
        self.going = Records(records)
        self.known = {one.device.gpu: one for one in records}
        self.at_a_glance: dict[str, str] = {}
        self.closely: dict[str, str] = {}
        self.glances = 0

    def minute(self, found: Mapping[str, tuple[Reading, ...]]) -> None:
        """Close what came since, and hold both against each other."""
        glance = self.going.close(self.devices, found, pace=NORMAL, thresholds=DEFAULT)
        self.going.update(glance.records)
        self.glances += len(glance.letters) - len(glance.letters.keys() & glance.records.keys())
        close_look = close(self.known, self.devices, found, pace=NORMAL, thresholds=DEFAULT)
        self.known |= close_look.records
        self.at_a_glance, self.closely = drawn(glance.letters), drawn(close_look.letters)
        for gpu, record in self.known.items():
            assert_alike(self.going[gpu], record)
            assert self.going.glance(gpu).testified == record.evidence.testified


def drawn(letters: Mapping[str, Track]) -> dict[str, str]:
    return {gpu: f"{track.start}: {track.letters}" for gpu, track in letters.items()}


def assert_alike(one: DeviceRecord, other: DeviceRecord) -> None:
    """Hold two records to be the same, but for the rounding of what is summed up."""
    rounded = replace(one, evidence=other.evidence)
    assert rounded == other
    assert one.evidence.seconds == other.evidence.seconds
    assert one.evidence.witnesses == other.evidence.witnesses
    sums, others = numbers(one.evidence), numbers(other.evidence)
    assert sums.keys() == others.keys()
    assert all(isclose(sums[name], others[name], abs_tol=1e-6) for name in sums)


def numbers(evidence: Evidence) -> dict[str, float]:
    found = {f"seen {name}": seconds for name, seconds in evidence.seen.items()}
    found |= {f"active {name}": seconds for name, seconds in evidence.active.items()}
    found |= {f"above {place}": seconds for place, seconds in enumerate(evidence.above)}
    return found if evidence.joules is None else found | {"joules": evidence.joules}


def went_on(last: Reading, watts: float, *, busy: float, seen: float = MINUTE) -> Reading:
    """Return a reading a minute later, of a device that worked so many seconds and drew so much."""
    return replace(
        last,
        at=last.at + MINUTE,
        observed={name: at + seen for name, at in last.observed.items()},
        active={name: at + busy for name, at in last.active.items()},
        above=tuple(at + busy for at in last.above),
        links={name: at + busy * 1e9 for name, at in last.links.items()},
        joules=None if last.joules is None else last.joules + MINUTE * watts,
        memory_used=last.memory_used,
    )


def anew(last: Reading) -> Reading:
    """Return a reading a minute later whose counters began anew, from nothing."""
    zero = dict.fromkeys(last.active, 0.0)
    return replace(
        last,
        at=last.at + MINUTE,
        epoch=last.epoch + "'",
        observed=dict.fromkeys(last.observed, 30.0),
        active=zero,
        above=(0.0, 0.0),
        joules=None if last.joules is None else 1.0,
    )


#: What happens in a minute to a device, given its newest reading; None for nobody looked.
HAPPENS: dict[str, Callable[[Reading], Reading | None]] = {
    "works": lambda one: went_on(one, 400.0, busy=31.7),
    "works a little": lambda one: went_on(one, 90.0, busy=0.7),
    "rests": lambda one: went_on(one, 70.4, busy=0.0),
    "rests and is hotter": lambda one: went_on(one, 90.0, busy=0.0),
    "draws like work": lambda one: went_on(one, 690.0, busy=0.0),
    "rests, hardly seen": lambda one: went_on(one, 70.4, busy=0.0, seen=20.0),
    "is left": lambda one: replace(went_on(one, 60.0, busy=0.0), processes=0, memory_used=0.0),
    "is taken": lambda one: replace(went_on(one, 71.0, busy=0.0), processes=2, memory_used=9e9),
    "begins anew": anew,
    "counts backwards": lambda one: went_on(one, 70.0, busy=-5.0),
    "tells no energy": lambda one: replace(went_on(one, 70.0, busy=0.0), joules=None),
    "tells energy": lambda one: replace(went_on(one, 70.0, busy=0.0), joules=9e6),
    "is not seen": lambda _: None,
}
LIVED = st.lists(
    st.tuples(st.sampled_from([*HAPPENS]), st.integers(1, 4), st.booleans()), max_size=12
)


@given(lives=st.lists(LIVED, min_size=2, max_size=2), boards=st.booleans())
@settings(max_examples=examples(200), deadline=None)
def test_whole_lives_are_told_alike(lives, boards) -> None:
    """Through gaps, resets and restarts: what is written now and then is gone on from."""
    model = "NVIDIA H100 80GB HBM3" if boards else "unheard of"
    names = ["GPU-0", "GPU-1"]
    cards = [replace(device(number), gpu=gpu, model=model) for number, gpu in enumerate(names)]
    last = {gpu: replace(LAST, gpu=gpu) for gpu in names}
    table = ((70, 119), (75, 1))
    both = Both(
        [DeviceRecord(device=one, reading=last[one.gpu], watts_held=table) for one in cards]
    )
    minutes = [[(what, stop) for what, times, stop in life for _ in range(times)] for life in lives]
    for number in range(max(map(len, minutes))):
        found = {}
        for gpu, lived in zip(names, minutes, strict=True):
            what, stops = lived[number] if number < len(lived) else ("works", False)
            read = HAPPENS[what](last[gpu])
            # Time goes on for a device at which nobody looks, with its counters as they were.
            last[gpu] = read or replace(last[gpu], at=last[gpu].at + MINUTE)
            if read is not None:
                found[gpu] = (read,)
            if stops:
                both.going.settle([gpu])
        both.minute(found)
        assert both.at_a_glance == both.closely
    event("mostly at a glance" if both.glances > len(minutes[0]) else "mostly looked at closely")
