"""
The story: two hours of a cluster in four minutes, first observed, then acted upon.

In its second half the reaper is killed eight times, each time where something hangs in the air.
"""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Final

from reaper.domain.escalation.decision import Phase
from reaper.ports import StoreError
from tests.real.e2e.evidence import Account, Acted, Observed, Post, Seen, look
from tests.real.e2e.jobs import Jobs
from tests.real.e2e.reaper_process import ReaperProcess
from tests.real.e2e.site import GRACE, LONG_GRACE, Site
from tests.real.slurm_cluster import MIRA

OBSERVED_GRACE: Final = 6
"""Observing needs no time to answer in."""

_OBSERVED_WITHIN: Final = 240.0
_ACTED_WITHIN: Final = 500.0
_LOOK: Final = 0.4


def observe(site: Site, jobs: Jobs) -> Observed:
    """Let it watch until it has written down what it would do; ask every command once."""
    reaper = site.reaper("observe", grace=OBSERVED_GRACE, long_grace=OBSERVED_GRACE)
    reaper.start()
    try:
        until = time.monotonic() + _OBSERVED_WITHIN
        while len((seen := seen_now(site)).ids("would release")) < len(jobs.idle):
            if seen.worked(jobs.quiet):
                (site.slurm.work / "quiet").touch()
            assert reaper.alive, reaper.log()
            assert time.monotonic() < until, reaper.log()
            time.sleep(_LOOK)
        socket = ("--socket", str(site.socket))
        answers = {
            "doctor": site.command("doctor", "-c", str(site.configuration("observe"))),
            "status": site.command("status", "--all", *socket),
            "explain": site.command("explain", jobs.quiet, *socket),
            "report": site.command("report", "--json", *socket),
        }
    finally:
        status = reaper.stop()
    return Observed(
        jobs=jobs,
        seen=seen_now(site),
        posts=posts(site),
        calls=site.commands.calls(),
        states={job: site.slurm.state(job) for job in (*jobs.idle, *jobs.never)},
        answers=answers,
        status=status,
    )


def act(site: Site, jobs: Jobs) -> Acted:
    """Let it act, and be in its way."""
    commands, task = site.commands, f"{jobs.array}_0"
    commands.plan("scontrol", task, "before")
    commands.plan("scontrol", jobs.quiet, "during")
    commands.plan("scancel", jobs.shell, "before")
    commands.plan("scancel", jobs.empty, "during")
    commands.plan("scancel", jobs.again, "after")
    reaper = site.reaper("act", grace=GRACE, long_grace=LONG_GRACE)
    reaper.start()
    people = People(site, jobs, reaper)
    try:
        until = time.monotonic() + _ACTED_WITHIN
        while len(people.look().ids("verified")) < len(jobs.released):
            assert time.monotonic() < until, _stuck(site, jobs) + reaper.log()
            reaper.revive()
            time.sleep(_LOOK)
        report = site.command("report", "--json", "--socket", str(site.socket))
        (site.slurm.work / "end").touch()
        for job in jobs.never:
            site.slurm.await_state(job, "COMPLETED")
    finally:
        status = reaper.stop()
    return Acted(
        jobs=jobs,
        seen=seen_now(site),
        posts=posts(site),
        calls=site.commands.calls(),
        accounts=accounts(site),
        report=json.loads(report.stdout),
        kills=people.kills,
        starts=tuple(reaper.starts),
        status=status,
    )


def _stuck(site: Site, jobs: Jobs) -> str:
    """Return what holds the jobs that were to be released and stand."""
    asked = [
        site.command("explain", job, "--socket", str(site.socket))
        for job in sorted(jobs.released - set(seen_now(site).ids("verified")))
    ]
    return "\n".join(answer.stdout for answer in asked)


class People:
    """Everybody who does something when the time has come, and somebody with a heavy hand."""

    def __init__(self, site: Site, jobs: Jobs, reaper: ReaperProcess) -> None:
        self.kills = 0
        self._site, self._jobs, self._reaper = site, jobs, reaper
        self._waiting: list[tuple[Callable[[Seen], bool], Callable[[], object]]] = [
            (lambda seen: seen.told(jobs.again), self._requeue),
            (lambda seen: seen.told(jobs.kept), self._keep),
            (lambda seen: seen.told(jobs.back), (site.slurm.work / "back").touch),
            (lambda seen: _closed(seen, jobs.returns), self._leave),
            (lambda seen: all(map(seen.told, jobs.idle)), self._kill),
            (lambda seen: all(map(self._pending(seen), (jobs.quiet, _task(jobs)))), self._kill),
            (lambda seen: Phase.DONE in seen.phases(jobs.again), self._kill),
        ]

    def look(self) -> Seen:
        """Look at the store, and let everybody do what is due, each once."""
        seen = seen_now(self._site)
        for item in list(self._waiting):
            when, do = item
            if self._reaper.alive and when(seen):
                self._waiting.remove(item)
                do()
        if seen.told(self._jobs.returns) and not _closed(seen, self._jobs.returns):
            self._jobs.terminals["returns"].sendline("date")
        return seen

    def _requeue(self) -> None:
        self._site.slurm.run_as(MIRA, "scontrol", "requeue", self._jobs.again)

    def _keep(self) -> None:
        words = ("keep", self._jobs.kept, "--for", "1h", "--reason", "lunch")
        done = self._site.command(*words, "--socket", str(self._site.socket), user=MIRA)
        assert done.returncode == 0, done.stderr

    def _leave(self) -> None:
        self._jobs.terminals["returns"].sendline("exit")

    def _kill(self) -> None:
        self.kills += 1
        self._reaper.kill()

    @staticmethod
    def _pending(seen: Seen) -> Callable[[str], bool]:
        return lambda job: Phase.BEGUN in seen.phases(job)


def seen_now(site: Site) -> Seen:
    """Look at the store; while there is none yet, there is nothing in it."""
    with suppress(StoreError):
        return site.read(look)
    return Seen(
        events=(),
        cases=(),
        intents=(),
        notices=(),
        holds=(),
        keeps=(),
        outbox=(),
        proven=frozenset(),
        picture=None,
    )


def posts(site: Site) -> tuple[Post, ...]:
    """Return what the workspace took."""
    taken = zip(site.slack.times, site.slack.posts, strict=True)
    return tuple(Post(at=at, channel=post["channel"], text=post["text"]) for at, post in taken)


def accounts(site: Site) -> tuple[Account, ...]:
    """Return every run of every job from Slurm's accounting, requeued ones too."""
    said = site.slurm.daemons.output("sacct", "-anDXP", "--format=JobID,State,End")
    rows = (line.split("|") for line in said.splitlines())
    return tuple(
        Account(job=job, state=state.partition(" ")[0], end=_instant(end))
        for job, state, end in rows
    )


def _instant(text: str) -> float:
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        return 0.0


def _closed(seen: Seen, job: str) -> bool:
    cases = [case for case in seen.cases_of(job) if case.mode == "act"]
    return bool(cases) and cases[0].closed is not None


def _task(jobs: Jobs) -> str:
    return f"{jobs.array}_0"
