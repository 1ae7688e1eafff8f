"""The worker answers requests, spares cards, and survives its collectors and its driver."""

import io
from dataclasses import replace

import pytest

from exporter.collectors.sight import Places
from exporter.sampling import frames
from exporter.sampling.calls import CallBoard, Calls
from exporter.sampling.driver import DriverAbsent
from exporter.sampling.frames import Ask, Setup, SimulatedSetup
from exporter.sampling.snapshot import Round
from exporter.sampling.unidentified import Unidentified
from exporter.sampling.worker import Worker, serve
from tests.exporter.fakes import StillClock
from tests.exporter.scenes import TEXT

EVERYTHING = Ask(due=frozenset({"activity", "memory", "proc", "health"}))


@pytest.fixture
def setup(tmp_path):
    path = tmp_path / "scenario.toml"
    path.write_text(TEXT)
    clock = StillClock()
    played = SimulatedSetup(scenario=str(path), node="gpu01", origin=clock.wall())
    return Setup(
        driver="simulated",
        clock=clock,
        places=Places(proc=str(tmp_path), sys=str(tmp_path), cgroup=str(tmp_path)),
        board=-1,
        simulated=played,
    )


@pytest.fixture
def worker(setup):
    return Worker(setup, Calls(None, setup.clock.monotonic))


def turns(answer):
    return {turn.collector: turn for turn in answer.turns}


def test_only_what_is_due_takes_its_turn(worker):
    worker.answer(EVERYTHING)

    assert set(turns(worker.answer(Ask(due=frozenset({"activity"}))))) == {
        "activity",
        "tenants",
        "recorded_tenants",
    }


def test_every_device_collector_succeeds(worker):
    found = turns(worker.answer(EVERYTHING))

    assert [found[name].error for name in ("activity", "memory", "power", "health")] == [""] * 4


class Broken:
    name = "broken"
    cadence = "activity"

    def __init__(self, error):
        self.error = error

    def collect(self, sight):
        raise self.error


def test_a_collector_that_raises_costs_its_own_turn_alone(worker):
    worker._collectors = (Broken(KeyError("x")), *worker._collectors)
    found = turns(worker.answer(EVERYTHING))

    assert (found["broken"].finding, found["broken"].error) == (None, "KeyError: 'x'")
    assert found["activity"].finding is not None


def test_a_driver_that_does_not_serve_is_an_answer(worker):
    worker._collectors = (Broken(DriverAbsent("no library")), *worker._collectors)
    answer = worker.answer(EVERYTHING)

    assert (answer.driver, answer.trouble, answer.devices) == ("", "no library", ())


def test_a_spared_card_is_lost_and_the_others_are_measured(worker):
    devices = worker.answer(EVERYTHING).devices
    found = turns(worker.answer(replace(EVERYTHING, spared={0: devices[:1]})))
    states = {
        item.gpu: {getattr(value, "state", "ok") for value in item.signals.values()}
        for item in found["activity"].finding
    }

    assert states == {
        devices[0].uuid: {"lost"},
        devices[1].uuid: {"ok"},
        devices[2].uuid: {"ok"},
    }


def test_a_card_that_is_left_alone_and_has_no_name_says_why(worker):
    worker.answer(EVERYTHING)
    worker._driver.unidentified = (
        Unidentified(index=5, reason="left alone"),
        Unidentified(index=6, reason="refused"),
    )
    answer = worker.answer(replace(EVERYTHING, reasons={5: "its call did not return"}))

    assert [one.reason for one in answer.unidentified] == ["its call did not return", "refused"]


def test_a_spared_card_gives_no_reading_of_any_kind(worker):
    devices = worker.answer(EVERYTHING).devices
    found = turns(worker.answer(replace(EVERYTHING, spared={0: devices[:1]})))
    values = (
        found["memory"].finding[0].memory,
        found["power"].finding[0].power,
        found["processes"].finding[0].processes,
    )

    assert [value.state for value in values] == ["lost"] * 3
    assert found["health"].finding[0].lost


def test_served_frames_answer_each_request(setup):
    board = CallBoard.create()
    requests = io.BytesIO(
        frames.encode(replace(setup, board=board.descriptor)) + frames.encode(EVERYTHING) * 2
    )
    answers = io.BytesIO()
    serve(requests, answers)
    answers.seek(0)

    assert [type(frames.read(answers)) for _ in range(2)] == [Round, Round]
    with pytest.raises(EOFError):
        frames.read(answers)


def test_a_stream_that_does_not_begin_with_a_setup_is_refused():
    with pytest.raises(TypeError, match="Ask"):
        serve(io.BytesIO(frames.encode(EVERYTHING)), io.BytesIO())


def listings(worker, clock, *, moved):
    """Count enumerations over twelve seconds in which the driver hints at a change, or does not."""
    worker.answer(EVERYTHING)
    inner, count = worker._driver, 0

    class Hinting:
        name = inner.name

        def __getattr__(self, name):
            return getattr(inner, name)

        def devices(self, spared):
            nonlocal count
            count += 1
            return inner.devices(spared)

    worker._driver = Hinting()
    worker._driver.moved = moved
    for _ in range(12):
        clock.pause(1)
        worker.answer(Ask(due=frozenset({"activity"})))
    return count


@pytest.mark.parametrize(("moved", "count"), [(True, 2), (False, 0)])
def test_a_hint_at_a_change_is_followed_at_most_every_five_seconds(worker, setup, moved, count):
    assert listings(worker, setup.clock, moved=moved) == count
