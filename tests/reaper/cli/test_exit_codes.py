"""The exit code of every command that is asked in a wrong way, or with what cannot be read."""

import pytest

from reaper.cli.ending import Wrong, ending
from reaper.cli.main import COMMANDS

#: How each command is asked wrongly: FILE stands for a file of which nothing can be read.
WRONG = {
    "run": ["--config FILE", "--log-level loud"],
    "demo": ["--scenario FILE", "--listen nowhere", "--rate 0", "--directory /proc/1/demo"],
    "status": ["--config FILE", "extra words"],
    "explain": ["", "4711 --config FILE"],
    "keep": [
        "4711 --reason x",
        "4711 --for soon --reason x",
        "4711 --for 2h",
        "4711 --for 2h --reason x --config FILE",
    ],
    "release": ["4711 --yes", "4711 --yes --reason x --config FILE"],
    "dispute": ["4711", "4711 --reason x --config FILE"],
    "pause": ["", "--for soon --reason x", "--reason x --config FILE"],
    "resume": ["", "--reason x --config FILE"],
    "resume-workload": ["", "nowhere", "kubernetes/ml/job/x --config FILE"],
    "rule": ["4711 --reason x", "4711 --upheld --reason x --config FILE"],
    "queue": ["--config FILE"],
    "approve": ["4711", "4711 --reason x --config FILE"],
    "report": ["--week 2026-W99", "--format papyrus", "--config FILE"],
    "reconcile": ["--week 2026-W99", "--week last", "--config FILE", "--config GOOD"],
    "audit": [
        "",
        "FILE",
        "FILE JOBS",
        "JOBS --zone Mars",
        "JOBS --capacity FILE",
        "JOBS --config FILE",
    ],
    "rates": [
        "show --config FILE",
        "show --config GOOD",
        "draft",
        "draft --provider aws",
        "draft --provider aws --catalogue GONE",
    ],
    "buy-or-rent": [
        "--jobs FILE",
        "--jobs JOBS --capacity FILE",
        "--jobs JOBS --own nothing",
        "--weeks 0",
        "--config FILE",
    ],
    "check": ["FILE"],
    "doctor": ["--config FILE"],
    "replay": ["FILE", "", "FILE --policies act", "DRAWN --policies FILE", "DRAWN --config FILE"],
    "simulate": [
        "act --from FILE",
        "FILE --from DRAWN",
        "act --from DRAWN --against FILE",
        "act --last soon",
        "act --config FILE",
    ],
    "effect": ["", "--policy x --at someday", "--policy x --span long", "--policy x --config FILE"],
    "capture": ["", "4711 --config FILE"],
    "version": ["extra"],
}

DRAWN = """version = 1
title = "nobody"
start = 2026-03-02T09:00:00Z
lasts = "1h"
[[node]]
name = "gpu01"
model = "A100"
gpus = ["E"]
"""

JOBS = """job_id,user,start_time,end_time,num_gpus,state
1,ada,2026-03-02T09:00:00Z,2026-03-02T12:00:00Z,2,COMPLETED
"""

LINES = [(name, line) for name, lines in WRONG.items() for line in lines]
#: Only what starts refuses a configuration that says nothing: elsewhere it means the defaults.
OF_FILES = [
    (name, line, content)
    for name, line in LINES
    for content in (b"\xff\xfe\x00{[", b"no table, no drawing\n", b"", None)
    if "FILE" in line.split() and not (content == b"" and "--config FILE" in line and name != "run")
]


@pytest.fixture
def places(tmp_path):
    (tmp_path / "drawn.toml").write_text(DRAWN)
    (tmp_path / "jobs.csv").write_text(JOBS)
    (tmp_path / "good.yaml").write_text("cluster: sim\n")
    return {
        "DRAWN": str(tmp_path / "drawn.toml"),
        "JOBS": str(tmp_path / "jobs.csv"),
        "GOOD": str(tmp_path / "good.yaml"),
        "GONE": str(tmp_path / "gone"),
        "FILE": str(tmp_path / "gone.csv"),
    }


@pytest.fixture
def ask_wrongly(run, places):
    """Give `ask_wrongly(name, line, FILE=…)`: the exit code, and what was said."""

    def ask(name, line, **others):
        return run(name, *({**places, **others}.get(word, word) for word in line.split()))

    return ask


def test_every_command_is_asked_wrongly_here():
    assert list(WRONG) == [entry.name for entry in COMMANDS]


@pytest.mark.parametrize(("name", "line"), LINES)
def test_what_is_asked_wrongly_ends_with_two(name, line, ask_wrongly):
    told = ask_wrongly(name, line)

    assert told.exit_code == 2, told.output


@pytest.mark.parametrize(("name", "line", "content"), OF_FILES)
def test_a_file_that_holds_nothing_readable_ends_with_two(
    name, line, content, tmp_path, ask_wrongly
):
    path = tmp_path / "odd.csv"
    path.mkdir() if content is None else path.write_bytes(content)

    told = ask_wrongly(name, line, FILE=str(path))

    assert told.exit_code == 2, told.output


def test_a_file_that_cannot_be_written_ends_with_two(stored, tmp_path, run):
    nowhere = tmp_path / "gone" / "x"

    told = run("report", "--config", stored, "--output", nowhere)

    assert (told.exit_code, str(nowhere) in told.output) == (2, True)


def test_a_file_that_nobody_named_is_a_fault_of_the_program():
    named = FileNotFoundError(2, "No such file", "/srv/x/report.html")
    words = ("report", "-o", "/srv/x/report.html")

    assert isinstance(ending(named, words), Wrong)
    assert isinstance(ending(named, ("report", "--output=/srv/x")), Wrong)
    assert ending(named, ("run", "--config", "/etc/gpu-reaper.yaml")) is None
    assert ending(OSError("no file at all"), words) is None


def test_records_that_cannot_be_read_in_a_file_that_can_are_a_problem_found(tmp_path, run):
    path = tmp_path / "partly.csv"
    path.write_text(JOBS + "2,ada,yesterday,,1,COMPLETED\n")

    assert run("audit", path).exit_code == 1
