"""A whole cluster on an ordinary afternoon: every verdict and kind of next step, one blind node."""

from typing import Final

from reaper.domain.escalation.decision import Refusal
from reaper.domain.picture import Picture, Row
from reaper.domain.reason import because
from tests.builders_picture import (
    MINUTE,
    NOW,
    busy,
    case_line,
    devices,
    hold,
    node,
    picture,
    row,
    source,
)

H100 = "NVIDIA H100 80GB HBM3"


IDLE: Final[tuple[Row, ...]] = (
    row(
        run_key="k1",
        id="48213",
        name="llm-debug",
        owner="mira",
        team="language",
        gpus=8,
        idle_gpus=8,
        nodes=("node07",),
        model=H100,
        cost_per_hour=31.2,
        idle_since=NOW - 98 * MINUTE,
        idle_seconds=98 * MINUTE,
        reason="no SM, tensor or memory work for 98 min on 8 of 8; two witnesses",
        case=case_line(id="c1", due=NOW + 12 * MINUTE),
        devices=devices(*["A" * 12 + "LL" + "H" * 46] * 8, node="node07", model=H100),
    ),
    row(
        run_key="k2",
        id="48377",
        name="notebook",
        owner="jonas",
        team="vision",
        gpus=4,
        idle_gpus=4,
        nodes=("node03",),
        cost_per_hour=10.0,
        idle_since=NOW - 210 * MINUTE,
        idle_seconds=210 * MINUTE,
        verdict="empty",
        reason="no process on 4 of 4 for 210 min; utilisation and context agree",
        kept_until=NOW + 105 * MINUTE,
        case=case_line(
            id="c2",
            due=NOW + 105 * MINUTE,
            next_step="final warning",
            held_by=(Refusal(rule="keep", reason=because("kept", giver="mira")),),
        ),
        devices=devices(*["E" * 60] * 4, node="node03"),
    ),
    row(
        run_key="k3",
        id="48402",
        name="eval-sweep",
        owner="ada",
        team="vision",
        purpose="training",
        partition="gpu",
        gpus=2,
        idle_gpus=2,
        nodes=("node02",),
        cost_per_hour=5.0,
        idle_since=NOW - 41 * MINUTE,
        idle_seconds=41 * MINUTE,
        mode="observe",
        policy="quiet-training",
        presence="",
        case=None,
        devices=devices("A" * 19 + "H" * 41, "A" * 17 + "LL" + "H" * 41, node="node02"),
    ),
    row(
        run_key="k4",
        id="rstudio-7",
        platform="host",
        name="rstudio",
        owner="noor",
        team="",
        gpus=1,
        idle_gpus=1,
        nodes=("ws-11",),
        model="NVIDIA RTX A6000",
        cost_per_hour=None,
        idle_since=NOW - 66 * MINUTE,
        idle_seconds=66 * MINUTE,
        presence="rstudio: nothing can prove that its person is away",
        case=case_line(
            id="c4",
            mode="notify",
            warned=(NOW - 6 * MINUTE,),
            next_step="final warning",
            due=NOW + 24 * MINUTE,
            held_by=(Refusal(rule="presence", reason=because("waits-longer", seconds=14400)),),
        ),
        mode="notify",
        devices=devices(
            "A" * 3 + "H" * 20 + "?" * 3 + "H" * 34, node="ws-11", model="NVIDIA RTX A6000"
        ),
    ),
)


OTHERS: Final[tuple[Row, ...]] = (
    busy(
        run_key="b1",
        id="48120_3",
        name="pretrain",
        gpus=32,
        nodes=tuple(f"node{n:02d}" for n in (8, 9, 10, 11)),
        model=H100,
        devices=devices(*["A" * 60] * 3, "A" * 40 + "L" * 3 + "A" * 17, node="node08", model=H100),
    ),
    busy(
        run_key="b2",
        id="48390",
        name="finetune",
        owner="lena",
        team="vision",
        gpus=8,
        idle_gpus=7,
        verdict="partial",
        nodes=("node05",),
        cost_per_hour=17.5,
        reason="7 of 8 GPUs idle for 55 min: one GPU would do",
        devices=devices("A" * 60, *["H" * 60] * 7, node="node05"),
    ),
    busy(
        run_key="b3",
        id="48011",
        name="sim-fluid",
        owner="ravi",
        team="climate",
        gpus=4,
        verdict="unknown",
        coverage=0.0,
        cost_per_hour=None,
        nodes=("node06",),
        reason="node06 has not answered for 22 min",
        devices=devices(*["A" * 38 + "?" * 22] * 4, node="node06"),
    ),
    busy(
        run_key="b4",
        id="48388",
        name="render",
        owner="ada",
        gpus=2,
        nodes=("node02",),
        devices=devices("A" * 60, "A" * 28 + "X" * 4 + "A" * 28, node="node02"),
    ),
    busy(
        run_key="b5",
        id="48404",
        name="warm-up",
        owner="otto",
        gpus=1,
        nodes=("node04",),
        started=NOW - 9 * MINUTE,
        reason="start-up until 14:43: not judged yet",
        devices=devices("L" * 9, node="node04"),
    ),
)


def gallery(**changes) -> Picture:
    """Draw the whole cluster."""
    nodes = tuple(node(node=f"node{n:02d}", gpus=8, as_of=NOW - 9 - n % 4) for n in range(1, 12))
    blind = node(
        node="node06", gpus=8, as_of=NOW - 22 * MINUTE, error="no answer within 5 s (10.0.0.6)"
    )
    return picture(
        **{
            "cluster": "aurora",
            "sentence": "cycle 8123: 9 allocations judged, 4 idle, 1 release due at 14:44",
            "rows": (*OTHERS, *IDLE),
            "sources": (
                source(name="exporters", role="activity", as_of=NOW - 9, took=0.18),
                source(name="slurm", role="holder", as_of=NOW - 21, took=0.34),
                source(name="slurm", role="demand", as_of=NOW - 21, took=0.11),
                source(name="host", role="holder", as_of=NOW - 14, took=0.01),
                source(
                    name="jupyterhub",
                    role="front",
                    as_of=NOW - 9 * MINUTE,
                    took=5.0,
                    failures=9,
                    error="no answer within 5 s",
                ),
            ),
            "nodes": (
                *(item for item in nodes if item.node != "node06"),
                blind,
                node(node="ws-11", gpus=1, as_of=NOW - 11),
            ),
            "holds": (
                hold(
                    id="interlock:coverage",
                    kind="interlock",
                    reason="only 88 % of the allocated devices are seen",
                    by="gpu-reaper",
                    begin=NOW - 20 * MINUTE,
                ),
            ),
            "gpus": 89,
            "allocated": 62,
            "idle": 22,
            "unknown": 4,
            "waiting_gpus": 12,
            "coverage": 0.935,
            "cost_per_hour": 63.7,
            "unpriced_gpus": 1,
            "counts": {"busy": 3, "partial": 1, "idle": 3, "empty": 1, "unknown": 1},
        }
        | changes
    )
