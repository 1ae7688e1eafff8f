import json

import pytest

from reaper.config import load
from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.inputs import Entry, Inputs, Witnessed
from reaper.domain.facts.track import Track
from reaper.domain.money.entries import CapacitySpan, Tenure
from reaper.domain.picture import Picture
from reaper.edge.clock import SystemClock
from reaper.store import open_store
from tests.builders import run as run_of_values
from tests.project import ROOT

DRAWN = ROOT / "tests/scenarios/drawn"
QUICK = """
policies:
  - name: quick
    idle: {for: 30m}
    when: {any_hour: true}
    rungs: [{warn: {after: 30m, final: true}}, {release: {grace: 15m}}]
    mode: act
"""


@pytest.fixture
async def recorded(configuration):
    """Leave a store behind with a job that idled for two hours, and worked again."""
    read = load(configuration)
    store = await open_store(read.store, cluster=read.cluster)
    now = NORMAL.ends(NORMAL.closed(SystemClock().now()))
    epoch = await store.lead("test", now)
    one = run_of_values(started=now - 6 * 3600)
    held = Tenure(run=one, gpu="GPU-1", node="gpu01", begin=one.started, end=None, owner="mira")
    letters = "A" * 60 + "H" * 120 + "A" * 60
    async with store.transaction(epoch) as books:
        await books.keep_tenures([held])
        await books.append_minutes(
            {"GPU-1": Track(start=NORMAL.closed(now) + 1 - len(letters), letters=letters)}
        )
    await store.close()
    return configuration


def test_a_drawing_is_decided_again_under_two_sets_of_policies(run):
    path = DRAWN / "many-at-once.toml"

    answer = run("simulate", "act", "--against", "notify", "--from", path)

    assert answer.exit_code == 0
    assert "3 runs on 3 GPUs" in answer.output
    assert "Decided otherwise: 0 runs" in answer.output


def test_another_window_decides_otherwise(run, tmp_path):
    path = tmp_path / "quick.yaml"
    path.write_text(QUICK)

    answer = run("simulate", path, "--against", "act", "--from", DRAWN / "quiet-shell.toml")

    assert "Decided otherwise: 1 run" in answer.output


async def test_the_ledger_tells_after_which_release_work_came_back(recorded, ask, tmp_path):
    path = tmp_path / "quick.yaml"
    path.write_text(QUICK)

    answer = await ask(
        "simulate", path, "--last", "1d", "--config", recorded, "--json", "--back-within", "2h"
    )

    told = json.loads(answer.output)
    assert told["letters_only"] is True
    total = told["proposed"]["sum"]
    assert (total["released"], total["back"], total["known"]) == (1, 1, 1)
    assert total["idle"] == 75 * 60.0


async def test_the_past_begins_no_earlier_than_anything_was_seen(recorded, ask):
    begin = SystemClock().now() - 3 * 3600
    seen = CapacitySpan(node="gpu01", model="H100", gpus=1, state="up", begin=begin, end=None)
    read = load(recorded)
    store = await open_store(read.store, cluster=read.cluster)
    epoch = await store.lead("test", begin)
    async with store.transaction(epoch) as books:
        await books.keep_capacity([seen])
    await store.close()

    answer = await ask("simulate", "act", "--last", "3650d", "--config", recorded, "--json")

    assert json.loads(answer.output)["begin"] == begin


async def test_what_a_reaper_on_a_fast_clock_recorded_is_decided_again(recorded, ask):
    ahead = SystemClock().now() + 3600
    read = load(recorded)
    store = await open_store(read.store, cluster=read.cluster)
    epoch = await store.lead("test", ahead)
    picture = Picture(at=ahead, cluster=read.cluster, sentence="", step=60.0, pace_normal=False)
    async with store.transaction(epoch) as books:
        await books.keep_picture(picture)
    await store.close()

    answer = await ask("simulate", "act", "--config", recorded, "--json")

    assert json.loads(answer.output)["end"] == ahead


async def test_what_is_assumed_of_a_ledger_is_said(recorded, ask):
    answer = await ask("simulate", "observe", "--config", recorded)

    assert "letters only" in answer.output


async def test_it_is_said_of_how_many_runs_all_inputs_are_kept(
    recorded, ask, configuration, tmp_path
):
    path = tmp_path / "quick.yaml"
    path.write_text(QUICK)
    read = load(configuration)
    store = await open_store(read.store, cluster=read.cluster)
    async with store.reading() as books:
        (tenure,) = await books.open_tenures()
    epoch = await store.lead("test", 0.0)
    known = Inputs(owner="mira", devices=(Witnessed(witnesses=("profiling", "power")),))
    entry = Entry(run_key=tenure.run.key, minute=NORMAL.minute(tenure.begin) + 60, inputs=known)
    async with store.transaction(epoch) as books:
        await books.append_inputs([entry])
    await store.close()

    asked = ("simulate", path, "--last", "1d", "--config", recorded)
    page, told = await ask(*asked), json.loads((await ask(*asked, "--json")).output)

    assert "all inputs are kept of 1 of 1 runs" in " ".join(page.output.split())
    assert told["letters_only"] is False
    assert told["proposed"]["sum"]["inputs"] == 1


def test_a_policy_file_with_mistakes_is_refused(run, tmp_path):
    path = tmp_path / "wrong.yaml"
    path.write_text("policies: [{name: x}]")

    answer = run("simulate", path, "--from", DRAWN / "quiet-shell.toml")

    assert answer.exit_code == 2
    assert "idle" in answer.stderr


def test_a_duration_without_a_unit_is_refused(run):
    assert run("simulate", "act", "--last", "7").exit_code == 2
