import json

import pytest

from tests.project import ROOT

SCENARIO = ROOT / "tests" / "scenarios" / "drawn" / "quiet-shell.toml"


def test_a_file_that_is_no_recording_is_refused(tmp_path, run):
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n")

    answer = run("replay", path)

    assert answer.exit_code == 1
    assert "known forms are" in answer.stderr


@pytest.mark.parametrize("name", ["absent.csv", "absent.toml"])
def test_a_file_that_is_not_there_is_named(tmp_path, run, name):
    answer = run("replay", tmp_path / name)

    assert answer.exit_code == 1
    assert answer.stderr.count("\n") == 1
    assert f"{name}: " in answer.stderr


def test_every_mistake_of_a_scenario_is_named(tmp_path, run):
    path = tmp_path / "x.toml"
    path.write_text("step = 1\n")

    answer = run("replay", path)

    assert answer.exit_code == 1
    assert answer.stderr.startswith(f"gpu-reaper: {path}: ")


def test_a_scenario_tells_what_would_be_done(configuration, run):
    answer = run("replay", SCENARIO, "--config", configuration)

    assert answer.exit_code == 0
    assert "case" in answer.output


def test_a_scenario_is_told_as_json(configuration, run):
    told = json.loads(run("replay", SCENARIO, "--config", configuration, "--json").output)

    assert told["events"][0]["kind"] == "run began"
