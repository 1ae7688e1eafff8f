"""What holds a step is said in Russian: whatever the domain says against one."""

import ast
import re

import pytest

from reaper.domain.spoken import english
from reaper.web.russian_lines import line, refusal
from tests.project import ROOT

CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)


@pytest.mark.parametrize("seconds", [30, 60, 45 * 60, 7200, 5400 + 60, 86400 * 3 + 7200])
def test_spans_of_every_length_are_said(seconds: float):
    said = refusal(f"window: idle for {english(seconds)} only")

    assert said is not None
    assert not re.search("[a-z]", said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "presence: jupyter: its last input cannot be read; waits for 4 hours of idleness",
            (
                "присутствие: jupyter: последний ввод не прочитать; "
                "ждёт, пока простой не продлится 4 ч"
            ),
        ),
        (
            "budget: 5 acts an hour; 2 an owner",
            "бюджет: не больше 5 в час; не больше 2 на владельца",
        ),
        ("paused: new driver until noon", "остановлено: new driver until noon"),
        (
            "hours: outside working hours and no job waits for these GPUs",
            "рабочие часы: сейчас нерабочее время, и никто не ждёт этих GPU",
        ),
    ],
)
def test_a_rule_and_its_reason_are_said(text: str, said: str):
    assert line(text) == said


def test_a_reason_without_words_here_is_left_as_it_came():
    assert line("save: the site's own hook said no") == "save: the site's own hook said no"


def plain_reasons() -> list[tuple[str, str]]:
    """Return the rules and reasons that stand as plain text in the rooms that refuse."""
    found = []
    for path in sorted((ROOT / "reaper/domain/escalation").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refusal":
                given = {one.arg: one.value for one in node.keywords}
                rule, reason = given.get("rule"), given.get("reason")
                if isinstance(rule, ast.Constant) and isinstance(reason, ast.Constant):
                    found.append((rule.value, reason.value))
    return found


def test_every_plain_reason_of_the_domain_has_words():
    reasons = plain_reasons()

    assert len(reasons) > 5
    assert [one for one in reasons if not CYRILLIC.search(refusal(": ".join(one)) or "")] == []
