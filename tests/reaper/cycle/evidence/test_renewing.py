from dataclasses import replace

import pytest

from reaper.cycle.evidence.renewing import EVERY, acted_on, due
from reaper.domain.escalation.decision import Phase
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.tenant import own_name
from tests.builders import START, allocation, device, intent, reading

KNOWN = DeviceRecord(device=device(), reading=reading(START), stretch="A")
LATER = replace(KNOWN, reading=reading(START + 60))


def written(after: DeviceRecord, minute: int, before: DeviceRecord | None = KNOWN) -> int:
    return len(due({"g": after}, {"g": before} if before else {}, minute=minute))


def test_a_record_that_goes_on_is_written_once_in_so_many_minutes():
    assert sum(written(LATER, minute) for minute in range(2 * EVERY)) == 2


def test_a_record_is_written_when_something_begins_anew():
    restarted = replace(LATER, reading=replace(reading(START + 60), epoch="two"))
    moved = replace(LATER, device=device(generation="boot2"))

    for after in (replace(LATER, stretch="i"), restarted, moved):
        assert all(written(after, minute) for minute in range(EVERY))
    assert all(written(LATER, minute, before=None) for minute in range(EVERY))


@pytest.mark.parametrize(
    ("phase", "written"),
    [
        (Phase.INTENDED, True),
        (Phase.BEGUN, True),
        (Phase.PLANNED, False),
        (Phase.VERIFIED, False),
        (Phase.DROPPED, False),
    ],
)
def test_the_records_of_a_run_are_written_while_an_act_on_it_is_under_way(phase, written):
    act = intent(phase=phase)
    held, other = (allocation(number) for number in ("101", "102"))
    held = replace(held, run=act.effect.run)
    found = acted_on([held, other], [act])

    assert found == ({held.gpus[0], own_name(held.gpus[0], held.run.key)} if written else set())
