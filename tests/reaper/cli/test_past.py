import json

import pytest

from reaper.config import load
from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.track import Track
from reaper.domain.money.entries import Event, Tenure
from reaper.store import open_store
from tests.builders import run as run_of_values
from tests.builders_picture import HOUR, NOW, picture
from tests.project import ROOT

SCENARIO = ROOT / "tests" / "scenarios" / "drawn" / "quiet-shell.toml"


def test_a_file_that_is_no_recording_is_refused(tmp_path, run):
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n")

    answer = run("replay", path)

    assert answer.exit_code == 2
    assert "known forms are" in answer.stderr


@pytest.mark.parametrize("name", ["absent.csv", "absent.toml"])
def test_a_file_that_is_not_there_is_named(tmp_path, run, name):
    answer = run("replay", tmp_path / name)

    assert answer.exit_code == 2
    assert answer.stderr.count("\n") == 1
    assert f"{name}: " in answer.stderr


def test_every_mistake_of_a_scenario_is_named(tmp_path, run):
    path = tmp_path / "x.toml"
    path.write_text("step = 1\n")

    answer = run("replay", path)

    assert answer.exit_code == 2
    assert answer.stderr.startswith(f"gpu-reaper: {path}: ")


def test_a_scenario_that_goes_otherwise_than_expected_ends_with_every_difference(tmp_path, run):
    path = tmp_path / "x.toml"
    path.write_text(SCENARIO.read_text().replace('"release@1h40m"', '"release@2h"'))

    answer = run("replay", path)

    assert answer.exit_code == 1
    assert "instead of release@2h: release@1h40m" in answer.output
    assert "1 difference" in answer.stderr


def test_a_scenario_that_goes_as_expected_says_so(run):
    answer = run("replay", SCENARIO)

    assert answer.exit_code == 0
    assert "as expected: 4 steps, 2 verdicts" in answer.output


def test_policies_that_are_proposed_replace_those_of_a_scenario(run):
    answer = run("replay", SCENARIO, "--policies", "observe")

    assert "would release@1h40m" in answer.output
    assert answer.exit_code == 1


def test_policies_that_are_not_there_are_named_with_those_that_are(run):
    answer = run("replay", SCENARIO, "--policies", "ack")

    assert answer.exit_code == 2
    assert "write observe, notify, act" in answer.stderr


def test_a_scenario_tells_what_would_be_done(configuration, run):
    answer = run("replay", SCENARIO, "--config", configuration)

    assert answer.exit_code == 0
    assert "release intended" in answer.output


async def test_what_is_captured_can_be_replayed(configuration, tmp_path, ask):
    read = load(configuration)
    store = await open_store(read.store, cluster=read.cluster)
    epoch = await store.lead("test", NOW)
    one = run_of_values(started=NOW - HOUR)
    held = Tenure(run=one, gpu="GPU-1", node="gpu01", begin=NOW - HOUR, end=None, owner="mira")
    began = Event(at=NOW - HOUR, kind="run began", run_key=one.key, text=str(one))
    first = NORMAL.minute(NOW) - 59
    async with store.transaction(epoch) as books:
        await books.keep_tenures([held])
        await books.append_events([began])
        await books.append_minutes({"GPU-1": Track(start=first, letters="A" * 20 + "H" * 40)})
        await books.keep_picture(picture(at=NOW, rows=(), cluster="aurora"))
    await store.close()
    path = tmp_path / "captured.toml"

    answer = await ask("capture", one.id, "-o", path, "--config", configuration)
    again = await ask("replay", path, "--config", configuration)

    assert (answer.exit_code, again.exit_code) == (0, 0)
    assert "mira" not in path.read_text()
    assert "case opened" in again.output


def test_an_unknown_allocation_cannot_be_captured(stored, run):
    answer = run("capture", "nope", "--config", stored)

    assert answer.exit_code == 1
    assert answer.stderr.count("\n") == 1


def test_a_scenario_is_told_as_json(configuration, run):
    told = json.loads(run("replay", SCENARIO, "--config", configuration, "--json").output)

    assert told["events"][0]["kind"] == "run began"
