"""What the documents show can be done: examples load, commands exist, metrics are all there."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from docs import metrics
from exporter.contract import scenario
from exporter.contract.expectation import STEPS, VERDICTS
from exporter.contract.parts import HAPPENINGS, SUFFERERS
from reaper.app.past.drawn import rules_of
from reaper.app.past.expecting import compare
from reaper.app.past.replaying import replay
from reaper.cli.main import COMMANDS, cli
from reaper.config import check, load
from tests.meta.test_documents import documents
from tests.project import ROOT, name_of

COMMAND = re.compile(r"^(?:/\S+/)?gpu-reaper ((?:[a-z]+)(?: [^`\n]*)?)$", re.MULTILINE)
OPTION = re.compile(r"(?<=\s)--?[a-z][a-z-]*")


def blocks(path: str, language: str) -> list[str]:
    """Return the code blocks of a language in a document."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def commands(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield every command of the reaper that a text quotes, with its options."""
    quoted = re.findall(r"`([^`\n]+)`", text) + re.findall(
        r"^```\n(.*?)^```", text, re.DOTALL | re.MULTILINE
    )
    for piece in quoted:
        for words in COMMAND.findall(piece):
            yield words.split()[0], OPTION.findall(re.sub(r'"[^"]*"', "", words))


@pytest.mark.parametrize("number", range(2))
async def test_an_example_of_the_scenarios_goes_as_it_expects(number: int):
    drawn = scenario.load(blocks("docs/scenarios.md", "toml")[number])
    base = load(environ={"HOME": "/home/mira"})
    rules, _ = rules_of(drawn, source=Path("example.toml"), base=base, configured=False)

    assert drawn.expect.anything
    assert compare(drawn, await replay(drawn, rules)).differences == ()


def test_the_page_of_scenarios_names_every_word_of_the_format():
    page = (ROOT / "docs/scenarios.md").read_text(encoding="utf-8")
    words = (*HAPPENINGS, *STEPS, *VERDICTS, *SUFFERERS)

    assert [word for word in words if f"`{word}`" not in page and f'"{word}"' not in page] == []


@pytest.mark.parametrize("number", range(2))
def test_an_example_of_the_policies_has_no_mistake(tmp_path: Path, number: int):
    file = tmp_path / "gpu-reaper.yaml"
    file.write_text(blocks("docs/policies.md", "yaml")[number], encoding="utf-8")

    found = check([file], environ={"HOME": "/home/mira"})

    assert [str(problem) for problem in found if not problem.lacking] == []


def test_the_page_of_metrics_is_of_the_catalogues():
    assert metrics.text() == metrics.PAGE.read_text(encoding="utf-8"), "run docs/metrics.py"


@pytest.mark.parametrize("document", list(documents()), ids=name_of)
def test_every_command_that_is_shown_exists(document: Path):
    known = {entry.name for entry in COMMANDS}
    context = click.Context(cli)
    for name, options in commands(document.read_text(encoding="utf-8")):
        assert name in known, name
        command = cli.get_command(context, name)
        assert command is not None
        offered = {text for item in command.params for text in item.opts}
        assert set(options) <= offered, f"{name}: {set(options) - offered}"


def test_a_command_and_its_options_are_read_from_a_quote():
    text = 'run `gpu-reaper keep 1 --for 2h --reason "a --b"` and `gpu-reaper` and `gpu-reaper run`'

    assert list(commands(text)) == [("keep", ["--for", "--reason"]), ("run", [])]
