"""Values to keep in a store, each with a name and a time of its own."""

from reaper.domain.escalation.case import Case, State
from reaper.domain.escalation.decision import Effect, Hold, Intent, Phase, Verb
from reaper.domain.escalation.keep import Keep
from reaper.domain.escalation.notice import Delivery, Notice, Story
from reaper.domain.facts.allocation import Purpose, Run
from reaper.domain.facts.device import Device
from reaper.domain.facts.evidence import Evidence
from reaper.domain.facts.reading import Reading
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.track import Track
from reaper.domain.money.entries import CapacitySpan, Event, Tenure

ODD = "job\n{\"a\"}\\n \x00 'ü' \udcff \U0001f600"
"""A name as a platform may give it: line breaks, quotes, NUL, half-decoded bytes."""

TRACK = Track(start=1, letters="AH")

STORY = Story(
    allocation="slurm/41",
    user="mira",
    name="demo",
    nodes=("node1",),
    devices=2,
    model="H100",
    purpose="interactive",
    verdict="idle",
    reason="idle for 40 min",
    idle_since=100.0,
    idle_seconds=2400.0,
    policy="notebooks",
    would=True,
)


def run(key: str = "41+0") -> Run:
    return Run(cluster="alpha", platform="slurm", id=key.partition("+")[0], key=key, started=100.0)


def record(gpu: str, **fields: object) -> DeviceRecord:
    known = {
        "device": Device(gpu=gpu, node="node1", index=3, model="H100", generation="g1"),
        "reading": Reading(
            gpu=gpu, at=90.5, epoch="e1", observed={"sm": 59.0}, active={"sm": 0.0}, above=(0.1,)
        ),
        "stretch": "i",
        "evidence": Evidence(seconds=60.0, seen={"sm": 59.0}, witnesses={"power": 60.0}),
        "watts_held": ((70, 12), (71, 3)),
    }
    return DeviceRecord(**(known | fields))


def case(name: str, *, key: str = "41+0", opened: float = 10.0, **fields: object) -> Case:
    known = {
        "id": name,
        "run": run(key),
        "owner": "mira",
        "policy": "notebooks",
        "policy_version": "v1",
        "mode": "act",
        "opened": opened,
        "devices": 2,
        "nodes": ("node1", "node2"),
        "warned": (11.0, None),
    }
    return Case(**(known | fields))


def closed(name: str, *, opened: float, at: float) -> Case:
    return case(name, opened=opened, state=State.CLOSED, closed=at, outcome="active again")


def keep(name: str, begin: float, until: float) -> Keep:
    return Keep(id=name, run_key="41+0", by="mira", reason="demo", begin=begin, until=until)


def notice(name: str, *, case_id: str = "c1", created: float = 1.0, **fields: object) -> Notice:
    known = {
        "id": name,
        "case_id": case_id,
        "run_key": "41+0",
        "to": "mira",
        "kind": "warning",
        "rung": 0,
        "story": STORY,
        "created": created,
        "delivery": Delivery.QUEUED,
    }
    return Notice(**(known | fields))


def intent(name: str, *, created: float = 1.0, phase: Phase = Phase.INTENDED) -> Intent:
    effect = Effect(
        id=name, case_id="c1", run=run(), verb=Verb.RELEASE, expires=99.0, member_ids=("41", "42")
    )
    return Intent(effect=effect, phase=phase, created=created, changed=created)


def hold(name: str, begin: float = 1.0) -> Hold:
    return Hold(id=name, kind="paused", reason="maintenance", by="otto", begin=begin)


def tenure(gpu: str, begin: float, end: float | None, *, key: str = "41+0") -> Tenure:
    return Tenure(
        run=run(key), gpu=gpu, node="node1", begin=begin, end=end, purpose=Purpose.TRAINING
    )


def capacity(node: str, begin: float, end: float | None, state: str = "up") -> CapacitySpan:
    return CapacitySpan(
        node=node, model="H100", gpus=8, state=state, begin=begin, end=end, partitions=("gpu",)
    )


def event(at: float, text: str = "", *, key: str = "") -> Event:
    return Event(at=at, kind="noted", run_key=key, text=text, numbers={"n": at})
