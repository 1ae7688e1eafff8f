"""
The last look before an act: the nodes' own exporters, asked directly, in every mode.

Unreachable, changed, at work or not proven to be that node means no act.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from reaper.domain.escalation.decision import Intent, Verb
from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.host import AT_WORK, Pressure, load
from reaper.domain.facts.keyed import SKEW
from reaper.domain.facts.minute import CONTRADICTED, ENGINE_ONLY, IDLE, UNSEEN, letter
from reaper.domain.facts.reading import Reading, between
from reaper.domain.facts.receivers import Receivers, united
from reaper.domain.facts.record import IDLE_STRETCH, DeviceRecord
from reaper.domain.facts.share import NodeSign
from reaper.domain.facts.sign import Sign, last_seen
from reaper.domain.facts.thresholds import Thresholds, board_power
from reaper.domain.money.entries import Tenure
from reaper.ports import Activity, Books, NodeReport, Readings, ReaperError

#: Letters of a server at rest: its engine polls, and does no work.
_RESTS: Final = IDLE | {ENGINE_ONLY}


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What the last look needs of the books: a run's tenures, devices and first warning."""

    tenures: tuple[Tenure, ...]
    records: dict[str, DeviceRecord]
    warned: float | None = None
    """When the first warning of its case arrived."""

    @classmethod
    async def load(cls, books: Books, intent: Intent) -> "Looked":
        """Read the open tenures of a run, its devices' records and its case."""
        run_key = intent.effect.run.key
        tenures = [item for item in await books.tenures_of(run_key) if item.end is None]
        gpus = {tenure.gpu for tenure in tenures}
        records = {record.device.gpu: record for record in await books.records_of(gpus)}
        warned = [
            at
            for case in await books.cases_of(run_key)
            if case.id == intent.effect.case_id
            for at in case.warned
            if at is not None
        ]
        return cls(tenures=tuple(tenures), records=records, warned=min(warned, default=None))

    def back_since(self, intent: Intent, pace: Pace) -> float:
        """Return from when on human input means that its person came back, as the case counts."""
        return intent.created - pace.step if self.warned is None else self.warned + pace.step


async def objection(
    looked: Looked,
    activities: Sequence[Activity],
    *,
    intent: Intent,
    pace: Pace,
    thresholds: Thresholds,
    before: Mapping[str, NodeReport],
) -> str:
    """
    Return why the run must not be touched now, or an empty text when nothing speaks against.

    `before` is what its nodes said last, by node: hosts tell what they do by their difference.
    """
    if not looked.tenures or any(tenure.doubt for tenure in looked.tenures):
        return "its devices are not known any more"
    try:
        reports = await _ask(activities, intent.nodes)
    except ReaperError as error:
        return f"the nodes could not be asked: {error}"
    silent = [node for node in intent.nodes if node not in reports or reports[node].error]
    if silent:
        return f"no fresh answer from {', '.join(silent)}"
    loose = [node for node in intent.nodes if reports[node].unbound]
    if loose:
        return f"nothing but its page says that an exporter is that of {', '.join(loose)}"
    if intent.effect.asked_by:
        return _unknown(looked, reports, pace, thresholds)
    since = looked.back_since(intent, pace)
    return (
        _at_work(looked, reports, pace, thresholds)
        or _beside(looked, reports, before, intent)
        or _somebody(looked, reports, intent, since)
        or _deaf(reports, intent)
    )


async def _ask(activities: Sequence[Activity], nodes: tuple[str, ...]) -> dict[str, NodeReport]:
    answers: list[Readings] = [await activity.ask(nodes) for activity in activities]
    return {
        report.node: report
        for answer in answers
        for report in sorted(answer.nodes, key=lambda item: not item.error)
    }


def _doubted(
    looked: Looked,
    reports: dict[str, NodeReport],
    doubt: Callable[[Tenure, DeviceRecord, Reading, Reading], str],
) -> str:
    """
    Return the first doubt about a device of the run; that it does not answer is one.

    `doubt` is given its tenure, its record, and its readings of the last closed minute and of now.
    """
    fresh = {reading.gpu: reading for report in reports.values() for reading in report.readings}
    for tenure in looked.tenures:
        record, now = looked.records.get(tenure.gpu), fresh.get(tenure.gpu)
        if record is None or record.reading is None or now is None:
            return f"{tenure.gpu} does not answer"
        if found := doubt(tenure, record, record.reading, now):
            return f"{tenure.gpu} {found}"
    return ""


def _at_work(
    looked: Looked, reports: dict[str, NodeReport], pace: Pace, thresholds: Thresholds
) -> str:
    def doubt(tenure: Tenure, record: DeviceRecord, last: Reading, now: Reading) -> str:
        still = _RESTS if tenure.purpose is Purpose.INFERENCE else IDLE
        return _since(record, last, now, pace, thresholds, still=still)

    return _doubted(looked, reports, doubt)


def _unknown(
    looked: Looked, reports: dict[str, NodeReport], pace: Pace, thresholds: Thresholds
) -> str:
    """An owner may end what is at work, but nothing is done to a device that is not seen."""

    def doubt(_tenure: Tenure, record: DeviceRecord, last: Reading, now: Reading) -> str:
        newer = now.epoch != last.epoch or now.at > last.at
        seen = _letter(record, last, now, pace, thresholds) if newer else ""
        if seen in (None, UNSEEN, CONTRADICTED):
            return f"is not seen well enough ({seen or UNSEEN})"
        return ""

    return _doubted(looked, reports, doubt)


def _since(
    record: DeviceRecord,
    last: Reading,
    now: Reading,
    pace: Pace,
    thresholds: Thresholds,
    *,
    still: frozenset[str],
) -> str:
    """Say what happened since the last closed minute, if it is more than the `still` letters."""
    if now.epoch == last.epoch and now.at <= last.at:
        rests = record.stretch == IDLE_STRETCH or record.stretch in still
        return "" if rests else "was not idle when last seen"
    seen = _letter(record, last, now, pace, thresholds)
    if seen is None:
        return "has begun its counters anew"
    return "" if seen in still else f"is not idle any more ({seen})"


def _letter(
    record: DeviceRecord, last: Reading, now: Reading, pace: Pace, thresholds: Thresholds
) -> str | None:
    """Return what a device has done since it was last seen; None where its counters began anew."""
    delta = between(last, now)
    if delta is None:
        return None
    return letter(
        delta,
        thresholds=thresholds,
        pace=pace,
        baseline=record.baseline,
        mig=record.device.is_mig,
        board=board_power(record.device.model),
    ).letter


def _beside(
    looked: Looked,
    reports: Mapping[str, NodeReport],
    before: Mapping[str, NodeReport],
    intent: Intent,
) -> str:
    """Say what has begun beside its GPUs since its nodes were looked at: a host, a kernel."""
    if looked.tenures[0].purpose is Purpose.INFERENCE:
        return ""
    earlier = {node: before[node] for node in reports if node in before}
    last, now = _pressures(earlier, intent), _pressures(reports, intent)
    for place in sorted(last.keys() | now.keys()):
        if found := _hosted(last.get(place), now.get(place)):
            return f"{found} ({place[0]})"
    began = _busy(reports, intent) and not _busy(earlier, intent)
    return "its kernel works now" if began else ""


def _pressures(
    reports: Mapping[str, NodeReport], intent: Intent
) -> dict[tuple[str, str], Pressure]:
    return {
        (node, item.id): item
        for node, report in reports.items()
        for item in report.pressures
        if _is_of(item, intent)
    }


def _is_of(word: Pressure | Receivers | NodeSign, intent: Intent) -> bool:
    """Tell whether a node's word is on a run; an older exporter does not always name a platform."""
    run = intent.effect.run
    return (
        word.platform in {"", run.platform}
        and word.id in intent.node_ids
        and word.start >= run.started - SKEW
    )


def _hosted(last: Pressure | None, now: Pressure | None) -> str:
    """Say what a host has done between two words; it is unknown where one of them is missing."""
    if last is not None and now is not None and last.start == now.start and now.at <= last.at:
        return ""
    found = load({last.node: last}, {last.node: now}) if last and now else None
    if found is None:
        return "nothing tells what its host does now"
    return "its host works now" if found.letter == AT_WORK else ""


def _busy(reports: Mapping[str, NodeReport], intent: Intent) -> bool:
    return any(sign.state == "busy" for sign in _signs(reports, intent))


def _signs(reports: Mapping[str, NodeReport], intent: Intent) -> list[Sign]:
    """Return the signs of a run."""
    return [
        item.sign for report in reports.values() for item in report.signs if _is_of(item, intent)
    ]


def _somebody(looked: Looked, reports: dict[str, NodeReport], intent: Intent, since: float) -> str:
    if looked.tenures[0].purpose is not Purpose.INTERACTIVE:
        return ""
    last = last_seen(_signs(reports, intent))
    return "its person came back" if last is not None and last > since else ""


def _deaf(reports: dict[str, NodeReport], intent: Intent) -> str:
    """A save is asked for only while every receiver of its signal catches it."""
    effect = intent.effect
    if effect.verb is not Verb.SAVE:
        return ""
    catches = united(
        word for report in reports.values() for word in report.receivers if _is_of(word, intent)
    )
    caught = effect.signal in catches.get(effect.target, ())
    return "" if caught else f"{effect.signal} is not caught by its {effect.target} any more"
