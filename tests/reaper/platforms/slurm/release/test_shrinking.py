"""A shrunk limit: over as soon as Slurm can, never before the job's own signal had its time."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reaper.platforms.slurm.records.lead import LONGEST
from reaper.platforms.slurm.release.shrinking import (
    LEAST,
    MOST,
    Former,
    former,
    restored,
    shrunk,
    soon,
)
from tests.reaper.platforms.slurm.drawn import NOON, job

LEADS = st.sampled_from([0.0, 60.0, 120.0, LONGEST])


@given(ran=st.integers(0, 500_000), limit=st.integers(1, 20_000), lead=LEADS)
def test_what_remains_is_the_lead_and_as_little_as_slurm_takes(ran, limit, lead):
    running = job(started=NOON - ran, limit=limit, ends=NOON - ran + limit * 60)
    assume(running.ends > NOON)

    cut = shrunk(running, now=NOON, lead=lead)

    if cut is None:
        assert running.ends - NOON < lead + LEAST + 60
    else:
        remains = running.ends - (limit - cut) * 60 - NOON
        assert 1 <= cut < limit
        assert lead + LEAST <= remains < lead + LEAST + 60 < lead + MOST


@given(ran=st.integers(0, 500_000), lead=LEADS)
def test_a_job_without_a_limit_gets_one(ran, lead):
    endless = job(started=NOON - ran, limit=None, ends=None)

    limit = shrunk(endless, now=NOON, lead=lead)

    assert limit is not None
    assert lead + LEAST <= limit * 60 - ran <= lead + LEAST + 60


def test_time_spent_suspended_does_not_count():
    endless = job(
        started=NOON - 7200, limit=None, ends=None, paused=NOON - 600, ran_before_pause=600
    )

    assert shrunk(endless, now=NOON, lead=0) == 21


@pytest.mark.parametrize("limit", [None, 180])
@pytest.mark.parametrize("requeue", [True, False])
def test_a_receipt_says_what_stood_before(limit, requeue):
    before = Former(limit=limit, requeue=requeue)

    assert former(f"job 7: TimeLimit=3, Requeue=0; {before}") == before


@pytest.mark.parametrize("text", ["", "found under way", "former TimeLimit=x Requeue=1"])
def test_a_receipt_without_it_says_nothing(text):
    assert former(text) is None


def test_the_claims_end_gives_the_limit_back():
    shortened = job(limit=62, ends=NOON + 120)

    assert restored(shortened, until=NOON + 7200) == 62 + 118
    assert restored(shortened, until=None) is None


def test_only_what_a_release_could_leave_is_soon():
    assert soon(job(ends=NOON + LONGEST + MOST), now=NOON)
    assert not soon(job(ends=NOON + LONGEST + MOST + 1), now=NOON)
    assert not soon(job(ends=None), now=NOON)
