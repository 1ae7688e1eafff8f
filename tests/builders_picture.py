"""Pictures of a cluster as the cycle writes them: small ones to vary."""

from dataclasses import replace

from reaper.domain.picture import (
    CaseLine,
    DeviceLine,
    HoldLine,
    NodeLine,
    Picture,
    Row,
    SourceLine,
)
from reaper.languages.catalogue import refused
from reaper.web.html.view import Next

NOW = 1773153120.0
"""Tuesday 2026-03-10 14:32:00 UTC."""

HOUR = 3600.0
MINUTE = 60.0


def device(**changes) -> DeviceLine:
    line = DeviceLine(
        gpu="GPU-11111111-2222-3333-4444-555555555555",
        node="node01",
        index=0,
        model="NVIDIA A100-SXM4-80GB",
        letters="A" * 20 + "H" * 40,
        letters_begin=NOW - 60 * MINUTE,
        memory_used=21.5 * 2**30,
        power=62.0,
        witnesses=("profiling", "utilisation"),
        signals=("sm gpm ok", "engine nvml ok", "power nvml ok", "tensor gpm ok"),
    )
    return replace(line, **changes)


def devices(*letters: str, node="node01", **changes) -> tuple[DeviceLine, ...]:
    """Draw one device per track; each track ends now."""
    return tuple(
        device(
            gpu=f"GPU-{node}-{index}",
            index=index,
            node=node,
            letters=track,
            letters_begin=NOW - len(track) * MINUTE,
            **changes,
        )
        for index, track in enumerate(letters)
    )


def case_line(**changes) -> CaseLine:
    line = CaseLine(
        id="case-1",
        policy="notebooks",
        mode="act",
        state="open",
        opened=NOW - 40 * MINUTE,
        warned=(NOW - 40 * MINUTE, NOW - 10 * MINUTE),
        next_step="release",
        due=NOW + 20 * MINUTE,
    )
    return replace(line, **changes)


def row(**changes) -> Row:
    line = Row(
        run_key="sim/slurm/4711/0/1773130000",
        platform="slurm",
        id="4711",
        name="jupyter",
        owner="mira",
        team="vision",
        account="vision",
        partition="gpu-dev",
        purpose="interactive",
        purpose_evidence=("salloc without a script", "a pty step"),
        nodes=("node01",),
        model="NVIDIA A100-SXM4-80GB",
        gpus=1,
        started=NOW - 5 * HOUR,
        limit=NOW + 7 * HOUR,
        verdict="idle",
        reason="no SM, tensor or memory work for 40 min; profiling and utilisation agree",
        idle_since=NOW - 40 * MINUTE,
        idle_seconds=40 * MINUTE,
        idle_gpus=1,
        coverage=1.0,
        presence="away: last input 38 min ago (tmux)",
        cost_per_hour=2.5,
        policy="notebooks",
        mode="act",
        case=case_line(),
        devices=(device(),),
    )
    return replace(line, **changes)


def busy(**changes) -> Row:
    line = row(
        run_key="sim/slurm/4700/0/1773100000",
        id="4700",
        name="pretrain",
        owner="otto",
        team="language",
        partition="gpu",
        purpose="training",
        verdict="busy",
        reason="SM 71 % on average over the last 15 min",
        idle_since=None,
        idle_seconds=0.0,
        idle_gpus=0,
        cost_per_hour=0.0,
        presence="",
        policy="quiet-training",
        mode="observe",
        case=None,
        devices=(device(letters="A" * 60, witnesses=()),),
    )
    return replace(line, **changes)


def source(**changes) -> SourceLine:
    return replace(SourceLine(name="slurm", role="holder", as_of=NOW - 8, took=0.21), **changes)


def node(**changes) -> NodeLine:
    return replace(NodeLine(node="node01", as_of=NOW - 12, gpus=4, state="up"), **changes)


def hold(**changes) -> HoldLine:
    line = HoldLine(
        id="paused",
        kind="paused",
        reason="maintenance of the file system",
        by="root",
        begin=NOW - 2 * HOUR,
        until=None,
        scope="",
    )
    return replace(line, **changes)


def picture(**changes) -> Picture:
    line = Picture(
        at=NOW - 12,
        cluster="sim",
        sentence="cycle 480: 2 allocations judged, 1 idle, nothing due",
        step=60.0,
        pace_normal=True,
        currency="EUR",
        rows=(row(), busy()),
        sources=(source(), source(name="exporters", role="activity", took=0.04)),
        nodes=(node(),),
        gpus=4,
        allocated=2,
        idle=1,
        waiting_gpus=0,
        coverage=1.0,
        cost_per_hour=2.5,
        counts={"busy": 1, "idle": 1},
        totals={
            "cycles:written": 480.0,
            "cycles:failed": 1.0,
            "cycle_seconds": 4.8,
            "judged:notebooks": 210.0,
            "judged:quiet-training": 0.0,
            "notices:slack:delivered": 7.0,
            "notices:console:assumed": 2.0,
            "acts:verified": 3.0,
            "refusals:hours": 4.0,
            "waited:gpu:training:300": 1.0,
            "waited:gpu:training:3600": 2.0,
            "waited:gpu:training:+Inf": 3.0,
            "waited:gpu:training:sum": 9000.0,
            "ended:gpu:training:completed": 12.0,
            "ended:gpu:training:out of memory": 1.0,
        },
    )
    return replace(line, **changes)


def step_said(step: Next) -> str:
    """Say what is next in one line, with what holds it."""
    return "; ".join(part for part in (step.short, step.rest, *map(refused, step.held)) if part)
