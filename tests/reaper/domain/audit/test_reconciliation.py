"""Two books of the same GPUs agree, or say which run differs and why."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.domain.audit.jobs import Outcome, Unread
from reaper.domain.audit.reconciliation import RECONCILED, Reconciliation, reconcile
from reaper.domain.money.entries import Tenure
from reaper.domain.money.findings import Finding
from tests.books import run_of, tenure_of
from tests.recorded_jobs import BEGAN, HOUR, recorded

END = BEGAN + 24 * HOUR


def held(
    job: str = "101", hours: float | None = 10, *, devices: int = 1, begin: float = BEGAN, **fields
) -> list[Tenure]:
    end = None if hours is None else begin + hours * HOUR
    return [tenure_of(job, f"{job}-{number}", begin, end, **fields) for number in range(devices)]


def of(ours: list[Tenure], *theirs: object) -> Reconciliation:
    return reconcile(ours, theirs, BEGAN, END)


def reasons(found: Reconciliation) -> list[str]:
    return [one.reason for one in found.differences]


def test_the_same_hours_agree():
    found = of(held(devices=4), recorded(devices=4))

    assert (found.ours, found.theirs, found.difference) == (40 * HOUR, 40 * HOUR, 0)
    assert (found.differences, found.finding(), found.runs) == ((), None, 1)


def test_empty_books_agree():
    found = of([])

    assert found.difference is None
    assert found.agrees


def test_hours_beyond_the_span_are_nobodys():
    ours = held(hours=100, begin=BEGAN - 10 * HOUR)
    theirs = recorded(100, began=BEGAN - 10 * HOUR, ended=BEGAN + 90 * HOUR)
    found = of(ours, theirs)

    assert (found.ours, found.theirs, found.clipped) == (24 * HOUR, 24 * HOUR, 1)


def test_a_job_whose_record_makes_no_sense_is_in_neither_sum():
    ours = [*held("101"), *held("102", devices=8)]
    lost = Unread(file="sacct", line=3, what="job 102: odd", job="102")
    doubt = Unread(file="sacct", line=2, what="job 101: limit", job="101", kept=True)
    found = reconcile(ours, [recorded()], BEGAN, END, unread=[lost, doubt])

    assert (found.ours, found.theirs, found.differences) == (10 * HOUR, 10 * HOUR, ())
    assert found.unread == ("sacct:3: job 102: odd",)


def test_a_record_that_stands_twice_counts_once():
    found = of(held(), recorded(), recorded())

    assert (found.theirs, found.repeated) == (10 * HOUR, 1)


def test_each_run_of_a_requeued_job_is_held_against_its_own():
    later = BEGAN + 12 * HOUR
    ours = [*held(hours=5), *held(hours=5, begin=later, run=second_run(later))]
    theirs = (
        recorded(5, outcome=Outcome.REQUEUED, ended=BEGAN + 5 * HOUR),
        recorded(5, began=later, ended=later + 5 * HOUR),
    )
    found = of(ours, *theirs)

    assert (found.differences, found.requeued, found.runs) == ((), 1, 2)


def second_run(began: float) -> object:
    return run_of("101", started=began, restarts=1)


def test_the_components_of_a_het_job_are_one_run():
    ours = held("9", devices=5)
    found = of(ours, recorded(id="9+0", raw="9", devices=4), recorded(id="9+1", raw="10"))

    assert (found.differences, found.runs) == ((), 1)


def test_instances_count_as_the_scheduler_counts_them():
    ours = held(devices=2, share=3 / 7, size=3 / 7)

    assert of(ours, recorded(devices=2, cards=6 / 7)).difference == 0


def test_parts_of_a_gpu_are_told_apart():
    found = of([*held(), *held("shard", share=0.25)], recorded())

    assert (found.difference, found.shared) == (0, 10 * HOUR)


def test_a_different_number_of_devices_is_named():
    found = of(held(devices=2), recorded(devices=4))

    assert reasons(found) == ["2 devices by us, 4 by the scheduler"]
    assert found.difference == -0.5


def test_other_begins_and_ends_are_named():
    found = of(held(hours=9.5, begin=BEGAN + 30), recorded())

    assert reasons(found) == ["begins 30 s later with us; ends 1,770 s earlier with us"]


def test_a_run_that_only_one_side_knows_is_named():
    found = of(held("ours"), recorded(id="theirs"))

    assert [(one.id, one.ours, one.theirs) for one in found.differences] == [
        ("ours", 10 * HOUR, 0),
        ("theirs", 0, 10 * HOUR),
    ]
    assert reasons(found)[0].startswith("only in our books")
    assert reasons(found)[1].startswith("only in the scheduler's books")


def test_a_run_that_still_runs_counts_to_when_each_side_looked():
    theirs = recorded(23.9, outcome=Outcome.RUNNING, ended=None)
    found = of(held(hours=None), theirs)

    assert reasons(found) == ["still runs: each counts to the instant at which it was asked"]


def test_the_largest_difference_comes_first():
    found = of([*held("1"), *held("2", devices=8)])

    assert [one.id for one in found.differences] == ["2", "1"]


def test_jobs_without_gpus_are_nobodys():
    assert of([], recorded(devices=0)).theirs == 0


@pytest.mark.parametrize(("hours", "agrees"), [(9.81, True), (9.79, False), (10.21, False)])
def test_above_two_percent_is_a_finding(hours: float, agrees: bool):
    found = of(held(hours=hours), recorded())

    assert found.agrees is agrees
    assert (found.finding() is None) is agrees


def test_the_finding_is_one_that_a_report_shows():
    found = of(held(hours=5), recorded()).finding()

    assert found == Finding(
        kind=RECONCILED,
        subject="the scheduler's books",
        seconds=5 * HOUR,
        text="we count 5.0 GPU-h, the scheduler 10.0, -50.0 %",
    )


def test_hours_that_only_we_know_are_a_finding():
    assert of(held()).finding().text == "we count 10.0 GPU-h, the scheduler 0.0"


jobs = st.lists(
    st.tuples(st.integers(0, 90_000), st.integers(60, 90_000), st.integers(1, 8)),
    max_size=8,
)


@given(jobs, st.integers(0, 86_400), st.permutations(range(8)))
def test_books_written_from_the_same_jobs_agree_in_every_span(drawn, length, order):
    ours, theirs = [], []
    for number, (begin, seconds, devices) in enumerate(drawn):
        at = BEGAN + begin
        ours += held(str(number), seconds / HOUR, devices=devices, begin=at)
        theirs.append(
            recorded(seconds / HOUR, id=str(number), devices=devices, began=at, ended=at + seconds)
        )
    shuffled = [theirs[place] for place in order if place < len(theirs)]
    found = reconcile(ours, shuffled, BEGAN, BEGAN + length)

    assert found.ours == pytest.approx(found.theirs)
    assert found.differences == ()
    assert found.theirs == pytest.approx(
        sum(
            devices * max(0, min(begin + seconds, length) - begin)
            for begin, seconds, devices in drawn
        )
    )


def test_no_order_matters():
    ours = [*held("1"), *held("2", devices=3)]
    theirs = [recorded(id="1"), recorded(id="2", devices=2)]

    assert reconcile(ours, theirs, BEGAN, END) == reconcile(ours[::-1], theirs[::-1], BEGAN, END)
    assert replace(of(ours, *theirs), differences=()).theirs == 30 * HOUR
