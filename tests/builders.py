"""Values of the domain with everything that a test does not care about filled in."""

from dataclasses import replace

from reaper.domain.escalation.case import Case
from reaper.domain.escalation.decision import Effect, Intent, Phase, Verb
from reaper.domain.escalation.keep import Keep
from reaper.domain.escalation.notice import Delivery, Notice, Story
from reaper.domain.escalation.situation import Situation
from reaper.domain.facts.allocation import Allocation, Claim, Place, Purpose, Run
from reaper.domain.facts.device import Device
from reaper.domain.facts.evidence import FAMILIES, Evidence
from reaper.domain.facts.grid import NORMAL, Pace
from reaper.domain.facts.reading import Reading
from reaper.domain.facts.sign import Presence
from reaper.domain.judgement.policy import Mode, Policy, Rung
from reaper.domain.judgement.verdict import Kind, Verdict
from reaper.domain.reason import quoted

MINUTE = 60.0
HOUR = 3600.0
START = 1_800_000_000.0
"""A Friday, 08:00 UTC, on the minute grid."""


def device(index: int = 0, *, node: str = "gpu01", **given: object) -> Device:
    """Return a device named after its node and index."""
    base = Device(gpu=f"GPU-{node}-{index}", node=node, index=index, gres_index=index)
    return replace(base, **{"model": "NVIDIA H100 80GB HBM3", "generation": "boot1", **given})


def run(ident: str = "101", *, started: float = START - 3 * HOUR) -> Run:
    """Return a run of the Slurm platform."""
    return Run(
        cluster="test", platform="slurm", id=ident, key=f"{ident}.0.{int(started)}", started=started
    )


def claim(ident: str = "101", *, gpus: int = 1, node: str = "gpu01", **given: object) -> Claim:
    """Return a claim of the first GPUs of a node."""
    base = Claim(
        run=run(ident),
        places=tuple(Place(node=node, index=index) for index in range(gpus)),
        user="mira",
        as_of=START,
        purpose=Purpose.INTERACTIVE,
        partition="interactive",
        node_ids=(ident,),
    )
    return replace(base, **given)


def allocation(
    ident: str = "101", *, gpus: int = 1, node: str = "gpu01", doubt: str = "", **given: object
) -> Allocation:
    """Return an allocation of the first GPUs of a node."""
    held = claim(ident, gpus=gpus, node=node, **given)
    return Allocation(
        run=held.run,
        devices=tuple(device(index, node=node) for index in range(gpus)),
        expected=gpus,
        claim=held,
        doubt=doubt,
    )


def evidence(minutes: float, *, witnesses: tuple[str, ...] = FAMILIES[:2]) -> Evidence:
    """Return evidence of so many idle minutes by these witnesses."""
    seconds = minutes * MINUTE
    return Evidence(seconds=seconds, witnesses=dict.fromkeys(witnesses, seconds))


def reading(at: float, *, gpu: str = "GPU-gpu01-0", busy: float = 0.0, **given: object) -> Reading:
    """Return a reading of a device seen since START whose SMs worked `busy` seconds."""
    seen = at - START
    base = Reading(
        gpu=gpu,
        at=at,
        epoch="one",
        observed=dict.fromkeys(("sm", "tensor", "dram", "engine"), seen),
        active={"sm": busy, "tensor": 0.0, "dram": 0.0, "engine": busy},
        above=(busy, busy, busy, busy),
        memory_used=20e9,
        processes=1,
    )
    return replace(base, **given)


def policy(*rungs: Rung, mode: Mode = Mode.ACT, **given: object) -> Policy:
    """Return a policy: warn at 30 min, finally at 60, release half an hour later."""
    ladder = rungs or (
        Rung(step="warn", after=30 * MINUTE),
        Rung(step="warn", after=HOUR, final=True),
        Rung(step="release", grace=30 * MINUTE),
    )
    base = Policy(name="notebooks", version="v1", rungs=ladder, mode=mode, any_hour=True)
    return replace(base, **given)


def verdict(
    kind: Kind = Kind.IDLE, *, now: float = START, idle: float = 0.0, **given: object
) -> Verdict:
    """Return a verdict at `now`, idle for so many seconds."""
    base = Verdict(
        kind=kind,
        reason=quoted("no work on GPU"),
        at=now,
        held_until=now + MINUTE,
        since=now - idle if kind in (Kind.IDLE, Kind.EMPTY) else None,
        devices=1,
        newest=now,
    )
    return replace(base, **given)


def case(**given: object) -> Case:
    """Return a case just opened."""
    base = Case(
        id="101@0",
        run=run(),
        owner="mira",
        policy="notebooks",
        policy_version="v1",
        mode=Mode.ACT,
        opened=START,
        devices=1,
        nodes=("gpu01",),
    )
    return replace(base, **given)


def situation(
    *, now: float = START, idle: float = 0.0, pace: Pace = NORMAL, **given: object
) -> Situation:
    """Return a situation in which nothing stands in the way; what waits has done so since START."""
    base = Situation(
        now=now,
        pace=pace,
        policy=policy(),
        allocation=allocation(),
        verdict=verdict(now=now, idle=idle),
        presence=Presence(away=True, since=now - idle, reason=quoted("no human input")),
        observed_for=30 * 86400.0,
    )
    waits = {"wanted": START} if given.get("waiting") else {}
    return replace(base, **{**waits, **given})


def story(**given: object) -> Story:
    """Return a story of an idle shell."""
    base = Story(
        allocation="slurm/101",
        user="mira",
        name="bash",
        nodes=("gpu01",),
        devices=1,
        model="NVIDIA H100 80GB HBM3",
        purpose="interactive",
        verdict="idle",
        reason="no work on GPU for 60 min",
        idle_since=START - HOUR,
        idle_seconds=HOUR,
        policy="notebooks",
        would=False,
    )
    return replace(base, **given)


def notice(*, rung: int = 0, delivered: float | None = None, **given: object) -> Notice:
    """Return the notice of a rung, delivered to the person or still queued."""
    base = Notice(
        id=f"101@0:warning:{rung}:0",
        case_id="101@0",
        run_key=run().key,
        to="mira",
        kind="final" if rung else "warning",
        rung=rung,
        story=story(),
        created=START,
    )
    if delivered is not None:
        base = base.delivered(channel="slack", at=delivered, personal=True, handle="1.1")
    else:
        base = replace(base, delivery=Delivery.QUEUED)
    return replace(base, **given)


def keep(*, begin: float = START, seconds: float = HOUR, **given: object) -> Keep:
    """Return a keep of the usual run."""
    base = Keep(
        id="k1", run_key=run().key, by="mira", reason="lunch", begin=begin, until=begin + seconds
    )
    return replace(base, **given)


def intent(*, phase: Phase = Phase.INTENDED, created: float = START, **given: object) -> Intent:
    """Return a release intended for the usual case."""
    effect = Effect(
        id="101@0#0", case_id="101@0", run=run(), verb=Verb.RELEASE, expires=created + MINUTE
    )
    base = Intent(
        effect=effect,
        phase=phase,
        created=created,
        changed=created,
        nodes=("gpu01",),
        node_ids=("101",),
        owner="mira",
        devices=1,
    )
    return replace(base, **given)
