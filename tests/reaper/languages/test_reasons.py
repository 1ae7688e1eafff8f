"""Every reason that the core names is said in every language, with exactly its values."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from fluent.syntax import FluentParser
from fluent.syntax import ast as fluent
from fluent.syntax.visitor import Visitor

import reaper
from reaper.domain.escalation.decision import Refusal
from reaper.domain.reason import QUOTED, TOGETHER, Reason, Words, because, together
from reaper.languages.catalogue import refused, said

ROOT = Path(reaper.__file__).parent
LANGUAGES = ("english", "russian")
IMPORTED = re.compile(r"^from reaper\.domain\.reason import .*\bbecause\b", re.MULTILINE)

#: Messages that other messages and functions ask for by a part of their names.
NAMED = re.compile("rule-|family-|and$")


def constants(module: ast.Module) -> dict[str, str]:
    """Return the texts that stand at the top of a module, by their names."""
    return {
        node.target.id: node.value.value
        for node in module.body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    }


@cache
def given() -> frozenset[tuple[str, frozenset[str]]]:
    """Return the codes that the sources name, and the values that each is given there."""
    # What a request is refused by is said by messages of their own.
    paths = (path for path in ROOT.rglob("*.py") if "requests" not in path.parts)
    texts = (path.read_text(encoding="utf-8") for path in paths)
    return frozenset(
        one for text in texts if IMPORTED.search(text) for one in named(ast.parse(text))
    )


def named(module: ast.Module) -> Iterator[tuple[str, frozenset[str]]]:
    known = constants(module)
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "because":
            values = frozenset(str(one.arg) for one in node.keywords)
            for code in codes(node.args[0], known):
                yield code, values


def codes(node: ast.expr, known: dict[str, str]) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(code)):
            yield code
        case ast.IfExp(body=one, orelse=other):
            yield from (*codes(one, known), *codes(other, known))
        case ast.Name(id=name):
            yield known[name]
        case _:
            raise AssertionError(f"a code must stand in the sources: {ast.unparse(node)}")


class Values(Visitor):
    """Collects the values that a message takes."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.others: set[str] = set()

    def visit_MessageReference(self, node: fluent.MessageReference) -> None:  # noqa: N802
        self.others.add(node.id.name)

    def visit_VariableReference(self, node: fluent.VariableReference) -> None:  # noqa: N802
        self.names.add(node.id.name)


def messages(language: str, theme: str = "reasons") -> dict[str, frozenset[str]]:
    source = (ROOT / "languages" / language / f"{theme}.ftl").read_text(encoding="utf-8")
    asked: dict[str, Values] = {}
    for entry in FluentParser().parse(source).body:
        if isinstance(entry, fluent.Message):
            asked[entry.id.name] = Values()
            asked[entry.id.name].visit(entry)
    return {
        name: frozenset(values.names.union(*(asked[other].names for other in values.others)))
        for name, values in asked.items()
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_is_said_with_the_values_that_it_is_given(language: str) -> None:
    said_here = messages(language, "refusals") | messages(language)

    assert {(code, values) for code, values in given() if said_here.get(code) != values} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_is_unused(language: str) -> None:
    used = {code for code, _ in given()} | {TOGETHER}

    assert {name for name in messages(language) if not NAMED.match(name)} - used == set()


def test_words_that_are_not_ours_have_no_message() -> None:
    assert QUOTED not in messages("english")


IDLE = because("no-work", devices=8, seconds=11100.0, by=because("seen-by", families="power"))


@pytest.mark.parametrize(
    ("words", "english", "russian"),
    [
        (
            together(IDLE, because("memory-held")),
            "no work on 8 GPUs for 3 h 05 min by power; memory or a context held",
            "нет работы на 8 GPU: 3 ч 05 мин (по данным: мощность); занята память или контекст",
        ),
        (
            together(
                because("little-work", devices=1, seconds=90.0, by=""),
                because("nothing-held"),
                because("host-worked", percent=43),
            ),
            (
                "little or no work on GPU for 90 s; no process, no memory held; "
                "its host worked 43% of that time"
            ),
            (
                "почти нет работы на GPU: 90 с; нет процессов, память свободна; "
                "процессор работал 43 % этого времени"
            ),
        ),
        (
            because(
                "no-request-no-work",
                seconds=2520.0,
                by=because("seen-by", families="utilisation context"),
            ),
            "no request for 42 min, no work by utilisation and context",
            "нет запросов: 42 мин, нет работы (по данным: загрузка, процессы)",
        ),
        (
            because("release-failed", run="slurm/1", error="scontrol: denied"),
            "slurm/1: release failed: scontrol: denied",
            "slurm/1: освобождение не удалось: scontrol: denied",
        ),
        ("a platform's own words", "a platform's own words", "a platform's own words"),
    ],
)
def test_a_reason_is_said_with_its_numbers(words: Words, english: str, russian: str) -> None:
    assert (said(words), said(words, "ru")) == (english, russian)


@pytest.mark.parametrize(
    ("rule", "reason", "english", "russian"),
    [
        (
            "presence",
            together(
                because("session-unread", kind="jupyter"), because("waits-longer", seconds=14400)
            ),
            "presence: jupyter: its last input cannot be read; waits for 4 hours of idleness",
            (
                "присутствие: jupyter: последний ввод не прочитать; "
                "ждёт, пока простой не продлится 4 часа"
            ),
        ),
        (
            "budget",
            together(because("budget-hour", acts=5), because("budget-owner", acts=2)),
            "budget: 5 acts an hour; 2 an owner",
            "бюджет: не больше 5 в час; не больше 2 на владельца",
        ),
        (
            "last look",
            because("dropped-in-a-row", why="the run is gone", times=1),
            "last look: the run is gone (1 time in a row)",
            "последняя проверка: the run is gone (1 раз подряд)",
        ),
        ("paused", "new driver", "paused: new driver", "остановлено: new driver"),
        ("a new rule", "so it is", "a new rule: so it is", "a new rule: so it is"),
        ("", because("owner-gave-back"), said(because("owner-gave-back")), None),
    ],
)
def test_a_refusal_is_said_by_its_rule(
    rule: str, reason: Words, english: str, russian: str | None
) -> None:
    held = Refusal(rule=rule, reason=reason)

    assert refused(held) == english
    assert russian is None or refused(held, "ru") == russian


@pytest.mark.parametrize("count", [1, 2, 5])
def test_things_are_counted(count: int) -> None:
    things = Reason("team-holds", (("held", 3), ("allowed", count)))

    assert said(things) == f"its team holds 3 of {count} GPU{'' if count == 1 else 's'}"
