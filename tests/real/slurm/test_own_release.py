"""An owner's `gpu-reaper release` ends exactly his job on a real cluster, in notify mode."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.real.e2e.jobs import CANCELLED, batch, holders
from tests.real.e2e.reaper_process import ReaperProcess
from tests.real.e2e.site import GRACE, Site, site
from tests.real.e2e.story import seen_now
from tests.real.slurm_cluster import MIRA, OTTO, SlurmCluster

pytestmark = pytest.mark.timeout(240)

#: Seconds within which a turn, a release and its verification are over at this pace.
WITHIN = 60.0

IDLE, BUSY = "play H; sleep 900", "play A; sleep 900"


@dataclass(frozen=True, slots=True, kw_only=True)
class Jobs:
    """Jobs that run side by side on one node."""

    mine: str
    """Idle, mira's: she gives it back."""
    other: str
    """Idle, mira's too: she says nothing of it."""
    busy: str
    """At work, mira's."""
    foreign: str
    """Idle, otto's."""


@pytest.fixture
def place(slurm: SlurmCluster) -> Iterator[Site]:
    """Give a site around the cluster."""
    holders(slurm)
    with site(slurm, "notifying") as found:
        yield found


@pytest.fixture
def jobs(place: Site) -> Jobs:
    """Let four jobs run."""
    one = ("--gres=gpu:1", *CANCELLED)
    found = Jobs(
        mine=batch(place.slurm, MIRA, "gpu01", IDLE, *one),
        other=batch(place.slurm, MIRA, "gpu01", IDLE, *one),
        busy=batch(place.slurm, MIRA, "gpu02", BUSY, *one),
        foreign=batch(place.slurm, OTTO, "gpu02", IDLE, *one),
    )
    for job in (found.mine, found.other, found.busy, found.foreign):
        place.slurm.await_state(job, "RUNNING")
    return found


@pytest.fixture
def reaper(place: Site) -> Iterator[ReaperProcess]:
    """Let a reaper run that only notifies."""
    process = place.reaper("notify", grace=GRACE, long_grace=GRACE)
    process.start()
    try:
        yield process
    finally:
        process.stop()


def known(place: Site, job: str, *verdicts: str) -> bool:
    """Tell whether the reaper has judged a job so."""
    picture = seen_now(place).picture
    rows = picture.rows if picture else ()
    return any(row.id == job and row.verdict in verdicts for row in rows)


def await_true(reaper: ReaperProcess, true) -> None:
    """Wait until something is so."""
    until = time.monotonic() + WITHIN
    while not true():
        assert reaper.alive, reaper.log()
        assert time.monotonic() < until, reaper.log()
        time.sleep(0.4)


def test_it_ends_exactly_the_jobs_that_their_owner_gives_back(place, jobs, reaper):
    def asked(job: str, user: str) -> tuple[int, str]:
        words = ("release", job, "--yes", "--reason", "done", "--socket", str(place.socket))
        done = place.command(*words, user=user)
        return done.returncode, done.stderr

    await_true(reaper, lambda: known(place, jobs.mine, "idle"))
    await_true(reaper, lambda: known(place, jobs.busy, "busy"))

    for user in (OTTO, "root"):
        status, said = asked(jobs.mine, user)
        assert (status, "only its owner may give it back" in said) == (1, True), said
    assert asked(jobs.mine, MIRA)[0] == 0
    assert asked(jobs.busy, MIRA)[0] == 0
    await_true(reaper, lambda: seen_now(place).ids("given back") == [jobs.mine])
    await_true(reaper, lambda: seen_now(place).ids("ended by its owner") == [jobs.busy])

    assert {place.slurm.state(job) for job in (jobs.mine, jobs.busy)} == {"CANCELLED"}
    assert {place.slurm.state(job) for job in (jobs.other, jobs.foreign)} == {"RUNNING"}
    assert {call.job for call in place.commands.calls()} == {jobs.mine, jobs.busy}
    assert seen_now(place).ids("verified") == []
