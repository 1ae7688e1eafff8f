"""When runs ended, by whatever name a platform remembers them."""

from dataclasses import replace

import pytest

from reaper.domain.audit.jobs import Outcome, Records
from reaper.domain.facts.ending import Ended, ends_of
from reaper.platforms.slurm.ending import forgotten
from tests.builders import HOUR, START, run
from tests.recorded_jobs import recorded

RUN = run("77_3")


def test_a_run_that_is_named_by_its_key_ended_then():
    named = Ended(key=RUN.key, outcome="failed", at=START + HOUR)

    assert ends_of([named], [RUN]) == {RUN.key: START + HOUR}


@pytest.mark.parametrize(
    ("off", "known"), [(0.0, True), (-1.0, True), (1.0, True), (-90.0, False), (90.0, False)]
)
def test_what_accounting_alone_knows_is_found_by_the_second_in_which_it_began(off, known):
    record = recorded(
        id=RUN.id, raw="80", began=RUN.started + off, ended=START + HOUR, outcome=Outcome.FAILED
    )

    found = ends_of(forgotten(Records(source="slurmdbd", form="sacct", jobs=(record,)), ()), [RUN])

    assert found.get(RUN.key) == (START + HOUR if known else None)


def test_of_two_runs_of_one_id_each_has_its_own_end():
    again = replace(RUN, key="77_3.1", started=RUN.started + HOUR)
    records = [
        recorded(
            id=RUN.id, raw="80", began=one.started, ended=one.started + 60, outcome=Outcome.FAILED
        )
        for one in (RUN, again)
    ]

    found = ends_of(
        forgotten(Records(source="slurmdbd", form="sacct", jobs=tuple(records)), ()), [RUN, again]
    )

    assert (found[RUN.key], found[again.key]) == (RUN.started + 60, again.started + 60)
