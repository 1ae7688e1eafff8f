"""
A story about saves: jobs that idle on a real cluster, and a whole reaper that asks them to save.

Everything is real but the GPUs: each job says in its node's holders file what its processes do.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reaper.domain.escalation.decision import Intent
from reaper.languages.catalogue import refused
from tests.real.e2e.commands import Call
from tests.real.e2e.evidence import Seen
from tests.real.e2e.jobs import holders
from tests.real.e2e.site import GRACE, WINDOW, Site
from tests.real.e2e.story import seen_now
from tests.real.slurm_cluster import MIRA, OTTO, SlurmCluster

WITHIN: Final = 8
"""Seconds that a proof may take."""

_OVER: Final = 400.0
_LOOK: Final = 0.4

#: What each job is: it counts its steps, idles from the fifth on, and does `{asked}` when asked;
#: a run that was put back works on until the file `end` is there.
_SCRIPT: Final = """#!/bin/bash
mine=ckpt.$SLURM_JOB_ID
say() {{ echo "$*" >>story.$SLURM_JOB_ID; }}
play() {{ echo "$SLURM_JOB_GPUS $$ $1" >>holders/$SLURMD_NODENAME; }}
save() {{ mkdir -p $mine; echo $step >$mine/step; say "saved $step"; }}
step=$(cat $mine/step 2>/dev/null || echo 0)
say "begins at $step"
{trap}
play A
if [ $step -gt 0 ]; then until [ -e end ]; do sleep 0.5; done; exit 0; fi
while [ $step -lt 5 ]; do step=$((step + 1)); sleep 0.3; done
play H
while :; do sleep 0.5 & wait $!; done
"""

_ASKED: Final = {
    "saves": "save",
    "requeues": "save; scontrol requeue $SLURM_JOB_ID || say not allowed",
    "deaf": "",
    "lies": "say yes",
    "old": "mkdir -p $mine; echo x >$mine/f; touch -d '1 day ago' $mine/f; say yes",
    "leaves": "say yes; exit 0",
    "forced": "say yes",
}
"""What each job does when it is asked, by its name."""

#: Jobs that are put back, and begin again.
_AGAIN: Final = ("saves", "requeues", "forced")

_PLACES: Final = {"saves": "gpu01", "requeues": "gpu01", "deaf": "gpu01", "lies": "gpu01"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What is left when the story is over; jobs by their names."""

    jobs: Mapping[str, str]
    seen: Seen
    calls: Sequence[Call]
    stories: Mapping[str, Sequence[str]]
    states: Mapping[str, str]
    flags: Mapping[str, bool]
    letters: Mapping[str, str]
    """What Slack was told about each job, the texts joined."""

    def begun(self, name: str) -> list[Intent]:
        """Return what was begun on a job; what a last look dropped was tried again."""
        return [item for item in self.seen.intents_of(self.jobs[name]) if item.receipt]

    def acts(self, name: str) -> list[str]:
        """Return what was asked of Slurm about a job, without its id."""
        job = self.jobs[name]
        found = [call for call in self.calls if any(job in word for word in call.words)]
        return [
            " ".join((call.program, *(word for word in call.words if job not in word)))
            for call in found
        ]


def policies() -> Sequence[dict[str, object]]:
    """Return a policy for jobs that are forced to go, and one for all others."""

    def policy(name: str, match: dict[str, object], unproven: str) -> dict[str, object]:
        proof = {"path": "{workdir}/ckpt.{job}", "within": f"{WITHIN}s", "unproven": unproven}
        return {
            "name": name,
            "match": {"requeueable": True, **match},
            "idle": {"for": f"{WINDOW}s"},
            "when": {"any_hour": True},
            "rungs": [
                {"warn": {"after": f"{WINDOW - 2}s"}},
                {"warn": {"after": f"{WINDOW}s", "final": True}},
                {"save": {"grace": f"{GRACE}s", "proof": proof}},
                {"release": {"requeue": True}},
            ],
            "mode": "act",
        }

    return policy("forced", {"name": "forced"}, "release"), policy("saving", {}, "hold")


def submit(slurm: SlurmCluster) -> dict[str, str]:
    """Submit every job and wait until each idles; return them by name."""
    folder = holders(slurm)
    jobs = {}
    for number, (name, asked) in enumerate(_ASKED.items()):
        trap = f'trap "{asked}" USR1' if "'" in asked else f"trap '{asked}' USR1" if asked else ""
        where = (f"-w{_PLACES.get(name, 'gpu02')}", "--gres=gpu:a100:1", "--time=60")
        user = (MIRA, OTTO)[number % 2]
        jobs[name] = slurm.submit(user, f"-J{name}", *where, script=_SCRIPT.format(trap=trap))
    said = [folder / "gpu01", folder / "gpu02"]
    slurm.await_true(
        lambda: "".join(path.read_text() for path in said).count("H") == len(jobs),
        "not every job idles",
    )
    return jobs


def tell(site: Site, jobs: Mapping[str, str]) -> Told:
    """Let the reaper act until everything that can be told has happened."""
    slurm = site.slurm
    reaper = site.reaper_with("saving", policies())
    reaper.start()
    try:
        until = time.monotonic() + _OVER
        while not over(seen_now(site), jobs):
            assert reaper.alive, reaper.log()
            assert time.monotonic() < until, reaper.log()
            time.sleep(_LOOK)
        for name in _AGAIN:
            slurm.await_true(
                lambda name=name: (
                    sum("begins" in line for line in _story(slurm.work, jobs[name])) == 2
                ),
                f"{name} did not begin again",
            )
        states = {name: slurm.state(job) for name, job in jobs.items()}
        flags = {name: _flag(slurm, job) for name, job in jobs.items()}
    finally:
        reaper.stop()
    (slurm.work / "end").touch()
    return Told(
        jobs=jobs,
        seen=seen_now(site),
        calls=site.commands.calls(),
        stories={name: _story(slurm.work, job) for name, job in jobs.items()},
        states=states,
        flags=flags,
        letters={name: _letters(site, job) for name, job in jobs.items()},
    )


def over(seen: Seen, jobs: Mapping[str, str]) -> bool:
    """Tell whether every job has come to its end, or to the point where it stays."""
    verified = set(seen.ids("verified"))
    return (
        {jobs[name] for name in _AGAIN} <= verified
        and {jobs[name] for name in ("lies", "old")} <= set(seen.ids("not saved"))
        and any(case.outcome == "ended by itself" for case in seen.cases_of(jobs["leaves"]))
        and any(
            "not caught" in refused(one)
            for case in seen.cases_of(jobs["deaf"])
            for one in case.held_by
        )
    )


def _story(work: Path, job: str) -> Sequence[str]:
    return (work / f"story.{job}").read_text().splitlines()


def _flag(slurm: SlurmCluster, job: str) -> bool:
    return "Requeue=1" in slurm.daemons.output("scontrol", "show", "job", job)


def _letters(site: Site, job: str) -> str:
    return "\n".join(str(post) for post in site.slack.posts if job in str(post))
