import os
from pathlib import Path

import pytest

from exporter.kernel.probe import Answer, Probe


def answer(probe: Probe, now: float = 0.0) -> Answer:
    while (found := probe.poll(now)) is None:
        os.sched_yield()
    return found


def test_both_outputs_are_the_answer():
    probe = Probe(("sh", "-c", "echo out; echo err >&2"))
    probe.start(0)

    assert sorted(answer(probe).text.split()) == ["err", "out"]
    assert not probe.running


def test_a_failure_is_named():
    probe = Probe(("sh", "-c", "exit 4"))
    probe.start(0)

    assert answer(probe) == Answer(text="", failure="sh: ended with status 4")


def test_what_cannot_be_started_says_why(tmp_path: Path):
    probe = Probe((str(tmp_path / "none"),))

    assert probe.start(0).endswith("none: No such file or directory")
    assert not probe.running


def test_a_command_is_ended_when_it_takes_too_long():
    probe = Probe(("sleep", "600"), timeout=5)
    probe.start(0)

    assert probe.poll(5) is None
    assert answer(probe, now=6) == Answer(text="", failure="sleep: no answer within 5 s")


def test_a_running_command_is_not_joined_by_a_second():
    probe = Probe(("sleep", "600"))
    probe.start(0)
    probe.start(1)
    probe.close()

    assert not probe.running


@pytest.mark.parametrize("size", [0, 70_000])
def test_any_length_of_output_is_taken(size: int):
    probe = Probe(("head", "-c", str(size), "/dev/zero"))
    probe.start(0)

    assert len(answer(probe).text) == size


def test_bad_bytes_are_text():
    probe = Probe(("printf", "\\377x"))
    probe.start(0)

    assert answer(probe).text == "\ufffdx"
