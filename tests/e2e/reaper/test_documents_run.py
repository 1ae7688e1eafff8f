"""Every command that the documents show is typed as it stands, at a demonstration that runs."""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.request import HTTPCookieProcessor, build_opener

import pytest
from click.testing import CliRunner, Result

from reaper.app.demo.visiting import COMMANDS
from reaper.cli.main import cli
from tests.meta.test_documents import documents
from tests.project import ROOT

PROMPT = re.compile(r"^(?:[A-Z_]+=\S+ )*(gpu-(?:reaper|exporter))(?: ([^#|]*))?(?:#.*)?$")

#: What the documents write where a reader puts in their own.
PLACES: Mapping[str, str] = {
    "<allocation>": "4721",
    "ALLOCATION": "4721",
    "NAME": "notebooks",
    "<id>": "paused",
    "…": "tried",
}

#: Commands that cannot be typed here as they stand, each with its reason.
ELSEWHERE: Mapping[str, str] = {
    "gpu-exporter": "needs a GPU node: tests/e2e/exporter types them at a simulated one",
    "gpu-reaper run": "the demonstration is it; what it starts from is in tests/properties",
    "gpu-reaper demo": "it runs already",
    "gpu-reaper rates draft": "needs a catalogue of prices that is fetched beforehand",
    "gpu-reaper audit": "needs recorded jobs: tests/reaper/cli/test_audit.py has them",
    "gpu-reaper buy-or-rent --jobs": "needs recorded jobs, which a scenario does not keep",
    "gpu-reaper replay samples.csv": "needs recorded samples, which a scenario does not keep",
    "gpu-reaper reconcile": "needs the books of a scheduler, which a scenario does not keep",
    "gpu-reaper approve": "needs an act on many GPUs: tests/scenarios/test_operators.py has one",
    "gpu-reaper rule": "needs a dispute: the story below has one",
    "gpu-reaper resume-workload": "needs a Kubernetes: tests/real/kubernetes/test_acts.py has one",
    "gpu-reaper release": "is its owner's alone, and no owner lives on this machine: see below",
    "gpu-reaper dispute": "stops what the other commands are about: the story below has one",
    "gpu-reaper resume --hold": "needs that hold: the story below has one",
}

#: What a young demonstration may refuse, by the command and the words with which it does.
REFUSED: Mapping[str, str] = {
    "keep 4721 --until-morning": "morning",
}


@dataclass(frozen=True)
class Demo:
    """A demonstration that runs: its folder, and what it said."""

    folder: Path
    said: list[str]

    def type(self, line: str) -> Result:
        """Type a command at it."""
        environ = {
            "GPU_REAPER_SOCKET": str(self.folder / "reaper.sock"),
            "GPU_REAPER_CONFIG": str(self.folder / "gpu-reaper.yaml"),
        }
        return CliRunner(env=environ).invoke(cli, shlex.split(line), input="y\n")

    def wait_for(self, idle: int) -> None:
        """Wait until so many allocations have a case."""
        until = time.monotonic() + 240
        while time.monotonic() < until:
            answer = self.type("status --json")
            rows = json.loads(answer.stdout)["picture"]["rows"] if answer.exit_code == 0 else []
            if sum(row["case"] is not None for row in rows) >= idle:
                return
            time.sleep(1)
        pytest.fail(f"nothing idles: {self.said[-5:]}")


@pytest.fixture(scope="module")
def demo() -> Iterator[Demo]:
    with tempfile.TemporaryDirectory(prefix="gr-") as name:
        folder = Path(name)
        words = ["-m", "reaper", "demo", "--listen", "127.0.0.1:0", "--directory", name]
        with (
            (folder / "said").open("w") as said,
            subprocess.Popen(
                [sys.executable, *words, "--lasts", "900"], cwd=ROOT, stdout=said, stderr=said
            ) as running,
        ):
            try:
                found = Demo(folder, [])
                found.wait_for(idle=2)
                found.type('pause --reason "nothing is to end while the documents are tried"')
                found.said[:] = (folder / "said").read_text().splitlines()
                yield found
            finally:
                running.terminate()
                running.wait(60)


def quoted(path: Path) -> Iterator[str]:
    """Yield what a document quotes in a line, or shows in a block of commands."""
    text = path.read_text(encoding="utf-8")
    yield from re.findall(r"`([^`\n]+)`", text)
    blocks = re.findall(r"^ *```(\w*)\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
    for language, block in blocks:
        if language in ("", "sh", "bash"):
            yield from (line.strip() for line in block.splitlines())


def shown() -> list[str]:
    """Return every command that is shown with something behind its name, each once."""
    now = (path for path in documents() if path.name != "CHANGELOG.md")
    found = (PROMPT.match(line) for path in now for line in quoted(path))
    lines = {f"{one[1]} {one[2].strip()}" for one in found if one and (one[2] or "").strip()}
    return sorted(lines)


def elsewhere(line: str) -> str:
    return next((why for words, why in ELSEWHERE.items() if line.startswith(words)), "")


def typed(line: str, folder: Path) -> str:
    words = line.removeprefix("gpu-reaper ")
    for place, meant in PLACES.items():
        words = words.replace(place, meant)
    words = words.replace("POLICIES", str(folder / "policies.yaml"))
    if words.startswith("capture"):
        return words.replace("FILE", str(folder / "captured.toml"))
    policies = words.startswith("simulate FILE")
    return words.replace("FILE", str(folder / ("policies.yaml" if policies else "scenario.toml")))


def needs_arguments(line: str) -> bool:
    """Tell whether a quote is a command's name alone, spoken of where arguments stand elsewhere."""
    words = line.split()
    needy = ("keep", "release", "dispute", "approve", "explain", "capture", "replay", "simulate")
    return len(words) == 2 and words[1] in (*needy, "audit", "rule", "effect", "pause", "resume")


TYPED = [line for line in shown() if not elsewhere(line) and not needs_arguments(line)]


def works(demo: Demo, words: str) -> None:
    """Type a command: it is done, or refused as a young demonstration must."""
    answer = demo.type(words)
    if words.startswith("resume"):
        demo.type("pause --reason again")
    said = next((said for begin, said in REFUSED.items() if words.startswith(begin)), None)

    assert answer.exception is None or isinstance(answer.exception, SystemExit), answer.output
    assert answer.exit_code == 0 or (answer.exit_code == 1 and said and said in answer.output), (
        answer.output
    )


@pytest.mark.parametrize("line", TYPED)
def test_a_command_of_the_documents_works_as_it_is_written(demo: Demo, line: str):
    works(demo, typed(line, demo.folder))


@pytest.mark.parametrize("words", [command for command, _ in COMMANDS])
def test_a_command_of_the_demonstration_itself_works(demo: Demo, words: str):
    works(demo, words)


def test_a_reason_is_asked_of_nobody_in_vain(demo: Demo):
    """What changes something and is shown with arguments is shown with its reason."""
    changing = ("keep", "release", "dispute", "pause", "resume", "rule", "approve")
    bare = [
        line
        for line in shown()
        if line.split()[1] in changing and not needs_arguments(line) and "--reason" not in line
    ]

    assert bare == []


def test_a_dispute_is_ruled_and_a_pause_lifted_as_the_documents_say(demo: Demo):
    steps = (
        'resume --hold paused --reason "looked"',
        'pause --policy notebooks --reason "trial over"',
        'resume --reason "on again"',
        'dispute 4730 --reason "it computes"',
        'rule 4730 --upheld --reason "it does"',
    )
    answers = [(step, demo.type(step)) for step in steps]

    assert [(step, one.output) for step, one in answers if one.exit_code] == []


def test_what_is_its_owners_to_give_back_is_refused_to_others(demo: Demo):
    answer = demo.type('release 4721 --reason "done"')

    assert answer.exit_code == 1
    assert "only its owner may give it back" in answer.output


def test_every_exception_is_of_a_command_that_is_shown():
    known = [words for words in ELSEWHERE if any(line.startswith(words) for line in shown())]

    assert known == list(ELSEWHERE)


def test_the_links_that_it_prints_lead_to_the_pages_of_its_people(demo: Demo):
    found = {}
    for link in re.findall(r"(http://\S+/as/\S+)  # as (?:an )?(\w+)", "\n".join(demo.said)):
        opener = build_opener(HTTPCookieProcessor())
        with opener.open(link[0], timeout=30) as page:
            found[link[1]] = (page.url.rpartition("/")[2], page.read().decode())

    assert {who: path for who, (path, _) in found.items()} == {"mira": "mine", "operator": "queue"}
    assert "recorded/4711" in found["mira"][1]
    assert "recorded/4721" not in found["mira"][1]


def test_what_it_prints_can_be_exported_and_typed(demo: Demo):
    told = [line.split("export ", 1)[1] for line in demo.said if "export " in line]

    assert {line.partition("=")[0] for line in told} == {
        "GPU_REAPER_SOCKET",
        "GPU_REAPER_CONFIG",
        "PATH",
    }
    assert os.access(demo.folder / "gpu-reaper.yaml", os.R_OK)
