from dataclasses import replace

from reaper.cycle.renewing import EVERY, renewed, watched
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.tenant import own_name
from tests.builders import START, allocation, device, reading

KNOWN = DeviceRecord(device=device(), reading=reading(START), stretch="A")
LATER = replace(KNOWN, reading=reading(START + 60))


def written(after: DeviceRecord, minute: int, before: DeviceRecord | None = KNOWN, names=()) -> int:
    known = {"g": before} if before else {}
    return len(renewed({"g": after}, known, names, minute=minute))


def test_a_record_that_goes_on_is_written_once_in_so_many_minutes():
    assert sum(written(LATER, minute) for minute in range(2 * EVERY)) == 2


def test_a_record_is_written_when_something_begins_anew():
    restarted = replace(LATER, reading=replace(reading(START + 60), epoch="two"))
    moved = replace(LATER, device=device(generation="boot2"))

    for after in (replace(LATER, stretch="i"), restarted, moved):
        assert all(written(after, minute) for minute in range(EVERY))
    assert all(written(LATER, minute, before=None) for minute in range(EVERY))


def test_a_record_of_a_run_with_a_case_is_written_every_minute():
    held = allocation("101")
    names = watched([held, allocation("102")], {held.run.key})

    assert names == {held.gpus[0], own_name(held.gpus[0], held.run.key)}
    assert all(written(LATER, minute, names={"g"}) for minute in range(EVERY))
