"""A process that keeps a GPU of a shared server for 20 hours without using it."""

import asyncio
from functools import cache
from pathlib import Path

from reaper.app.past.drawn import rules_of
from reaper.app.past.replaying import Replayed, replay
from reaper.config import load
from reaper.languages.catalogue import said
from reaper.reports.traces.drawing import scenario_of
from tests.public_traces import trace

ML8 = "baremetal-ml8-process-samples-41h.csv"
SQUATTER = "2447150"


@cache
def played() -> Replayed:
    """Replay the recorded samples under the shipped policies, in mode act."""
    path = trace(ML8)
    scenario = scenario_of(path)
    base = load(environ={"HOME": "/home/mira"})
    rules, _ = rules_of(scenario, source=Path(path), base=base, configured=False)
    return asyncio.run(replay(scenario, rules))


def kinds(ident: str) -> list[str]:
    """Return what happened to a job's owner and to the job."""
    return [
        event.kind
        for event in played().events
        if event.run_key.startswith(f"{ident}@") and event.kind not in ("run began", "run ended")
    ]


def test_the_job_that_works_on_its_host_and_leaves_its_gpu_alone_is_only_advised() -> None:
    assert kinds(SQUATTER) == ["advice"]


def test_it_is_told_that_its_host_works_while_its_gpu_does_not() -> None:
    events = played().events
    told = next(e for e in events if e.kind == "advice" and e.run_key.startswith(SQUATTER))

    assert "no work on GPU for 11 h 15 min" in said(told.text)
    assert "its host worked 100% of that time" in said(told.text)


def test_no_job_that_uses_its_gpu_is_bothered() -> None:
    told = {"advice", "warning", "final"}
    touched = {e.run_key.partition("@")[0] for e in played().events if e.kind in told}

    assert touched == {SQUATTER}


def test_nothing_is_released() -> None:
    assert [event for event in played().events if event.kind == "release intended"] == []
