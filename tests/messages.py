"""Every letter that is ever written, by name: each has golden files in every language."""

from dataclasses import replace
from typing import Any

from reaper.domain.escalation.notice import Notice
from reaper.domain.reason import because, together
from reaper.ports import Letter
from tests.channels import MIRA, NOON, letter, notice

TRAINING: dict[str, Any] = {
    "allocation": "slurm/815",
    "name": "resnet",
    "devices": 8,
    "nodes": ("gpu01", "gpu02"),
    "purpose": "training",
    "policy": "quiet-training",
    "reason": together(
        because(
            "no-work",
            devices=8,
            seconds=18000.0,
            by=because("seen-by", families="profiling context"),
        ),
        because("nothing-held"),
    ),
    "idle_since": NOON - 18000.0,
    "idle_seconds": 18000.0,
    "cost_per_hour": 15.2,
    "release_at": NOON + 3600.0,
    "can_save": True,
    "requeue": True,
    "keeps_left": 1,
}
DONE: dict[str, Any] = {"release_at": None, "outcome": because("released", run="slurm/4711")}
REVERTED: dict[str, Any] = {
    "release_at": None,
    "outcome": because(
        "release-reverted",
        run="slurm/4711",
        error="its owner object started it again after 4 min",
    ),
}
FAILED: dict[str, Any] = {
    "release_at": None,
    "outcome": because(
        "release-failed", run="slurm/4711", error="scontrol: Access/permission denied"
    ),
}

PARTIAL: dict[str, Any] = {
    "release_at": None,
    "reason": because("advice-partial", spare=5, devices=8, minutes=300, left=3),
    "spare": 5.0,
    "devices": 8,
    "cost_per_hour": 15.2,
    "seen_at": NOON - 28800.0,
}
SLICE: dict[str, Any] = {
    "reason": because(
        "advice-slice", used="4.0", card=80, percent=5, model="NVIDIA A100", slice="10"
    ),
    "spare": 6 / 7,
    "devices": 1,
    "cost_per_hour": 1.9,
}
STARVED: dict[str, Any] = {
    "reason": together(because("bursts-reading", percent=40), because("cure-storage")),
    "spare": 0.0,
}

OTTO = replace(MIRA, user="otto", name="Otto Example", left=True, contact="Mira Example")
"""A person that has left: mira answers."""

POD: dict[str, Any] = {
    "allocation": "kubernetes/lab/notebook/mira",
    "parting": 30.0,
    "back": "gpu-reaper resume-workload kubernetes/lab/notebook/mira",
}

NODES = tuple(f"gpu{number:02}" for number in range(9))

ADDRESS = "https://reaper.example.org/"


def several(kind: Any, **changes: Any) -> tuple[Notice, ...]:
    """Write three notices of a kind about three allocations."""
    return tuple(
        replace(
            notice(kind, **{"allocation": f"slurm/{4711 + number}", "name": name} | changes),
            id=f"case-{number}:{kind}:0",
        )
        for number, name in enumerate(("train", "", "eval"))
    )


LETTERS: dict[str, Letter] = {
    "warning": letter(notice(mornings_left=1)),
    "warning-first": letter(notice(release_at=None, acts=True)),
    "warning-would-be": letter(notice(would=True)),
    "warning-one-gpu": letter(notice(devices=1, cost_per_hour=None, page="", nodes=NODES[:4])),
    "warning-without-release": letter(notice(release_at=None)),
    "warning-keeps-used-up": letter(notice(keeps_left=0)),
    "warning-repeated": letter(replace(notice(), repeats=True)),
    "warning-digest": letter(*several("warning"), page=ADDRESS),
    "final": letter(notice("final")),
    "final-would-be": letter(notice("final", would=True)),
    "final-training": letter(notice("final", **TRAINING)),
    "final-training-would-be": letter(notice("final", **TRAINING, would=True)),
    "final-pod": letter(notice("final", **POD)),
    "final-pod-hooked": letter(notice("final", **POD, hooked=True)),
    "final-for-who-has-left": letter(notice("final"), to=OTTO),
    "final-digest": letter(
        *several("final")[:2], *several("final", can_save=True)[2:], page=ADDRESS
    ),
    "final-digest-would-be": letter(*several("final", would=True), page=ADDRESS),
    "released": letter(notice("released", **DONE)),
    "released-would-be": letter(notice("released", release_at=None, would=True)),
    "released-training": letter(notice("released", **TRAINING | DONE)),
    "released-one-gpu": letter(notice("released", devices=1, **DONE)),
    "released-pod": letter(notice("released", **POD | DONE)),
    "released-digest": letter(*several("released", **DONE), page=ADDRESS),
    "released-as-asked": letter(notice("released", **DONE, own=True)),
    "reverted": letter(notice("reverted", **REVERTED)),
    "failed": letter(notice("failed", **FAILED)),
    "failed-as-asked": letter(notice("failed", **FAILED, own=True)),
    "operator": letter(notice("operator", **FAILED)),
    "advice": letter(notice("advice", **PARTIAL)),
    "advice-unpriced": letter(notice("advice", **PARTIAL | {"cost_per_hour": None})),
    "advice-starved": letter(notice("advice", **PARTIAL | STARVED)),
    "advice-for-who-has-left": letter(notice("advice", **PARTIAL), to=OTTO),
    "advice-digest": letter(
        *several("advice", **PARTIAL | STARVED)[:1],
        *several("advice", **PARTIAL | SLICE)[1:2],
        *several("advice", **PARTIAL)[2:],
        page=ADDRESS,
    ),
    "operator-unknown-owner": letter(notice("operator", **FAILED, user="")),
}


def spoken(written: Letter, language: str) -> Letter:
    """Return a letter to the same person, who reads that language."""
    return replace(written, person=replace(written.person, language=language))
