"""The exporter's own facts as rows: build, driver, a release, a stuck call, collectors, cost."""

from dataclasses import dataclass

from exporter.contract import catalog
from exporter.release import Window
from exporter.sampling.sources import SourceState
from exporter.sampling.state import NodeState
from exporter.sampling.unidentified import Unidentified

Row = tuple[tuple[str, ...], float]
RowsByFamily = dict[str, list[Row]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What a page needs beside the state: when it is rendered, and the exporter's own facts.

    `now` is monotonic, `wall_offset` turns it into Unix seconds; `stuck` is a call and its age.
    `released` is the window in which the driver is let go, `released_until` its end in Unix
    seconds; `sources` are those that the exporter itself reads; `unidentified` is what is counted
    and has no series of its own.
    """

    now: float
    wall_offset: float
    version: str
    node: str
    boot: str
    started: float
    cpu_seconds: float
    resident_bytes: float
    trouble: str = ""
    stuck: tuple[str, float] | None = None
    released: Window | None = None
    released_until: float = 0.0
    sources: tuple[SourceState, ...] = ()
    unidentified: tuple[Unidentified, ...] = ()


def add_vitals(rows: RowsByFamily, state: NodeState, moment: Moment) -> None:
    """Add every row that is about the exporter and its sources, or a device without a name."""
    _add_identity(rows, state, moment)
    _add_driver(rows, state, moment)
    for one in moment.unidentified:
        rows[catalog.UNIDENTIFIED.name].append((one.labels, 1))
    for turn, at in state.turns.values():
        labels = (turn.collector,)
        success = turn.finding is not None and state.fresh(at, "health", moment.now)
        rows[catalog.COLLECTOR_SUCCESS.name].append((labels, int(success)))
        rows[catalog.COLLECTOR_DURATION.name].append((labels, round(turn.duration, 6)))
    for source in (*moment.sources, *state.sources(moment.now)):
        rows[catalog.SOURCE_INFO.name].append(((source.source, source.state, source.reason), 1))
    rows[catalog.SELF_CPU.name].append(((), round(moment.cpu_seconds, 3)))
    rows[catalog.SELF_MEMORY.name].append(((), moment.resident_bytes))


def _add_identity(rows: RowsByFamily, state: NodeState, moment: Moment) -> None:
    driver = _driver(state, moment)
    rows[catalog.BUILD_INFO.name].append(((moment.version, str(catalog.VERSION), driver), 1))
    rows[catalog.EXPORTER_START.name].append(((), moment.started))
    rows[catalog.NODE_INFO.name].append(((moment.node, moment.boot), 1))


def _add_driver(rows: RowsByFamily, state: NodeState, moment: Moment) -> None:
    answers = state.fresh(state.sampled_at, "activity", moment.now)
    rows[catalog.DRIVER_UP.name].append(((), int(answers and _driver(state, moment) != "none")))
    if moment.released is not None:
        labels = (moment.released.by, moment.released.reason)
        rows[catalog.RELEASE_UNTIL.name].append((labels, round(moment.released_until, 3)))
    if moment.stuck is not None:
        call, age = moment.stuck
        rows[catalog.DRIVER_STUCK.name].append(((call,), round(age, 3)))
    if state.sampled_at is not None:
        age = max(0.0, moment.now - state.sampled_at)
        rows[catalog.SAMPLE_AGE.name].append(((), round(age, 3)))


def _driver(state: NodeState, moment: Moment) -> str:
    if moment.released is not None or state.round is None:
        return "none"
    return state.round.driver or "none"
