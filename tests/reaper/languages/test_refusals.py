"""Every request that is refused says so in every language, by a code that has a message."""

import ast

import pytest

from reaper.domain.reason import because
from reaper.languages.catalogue import CODES, catalogue, refusal
from reaper.requests import RefusedError
from tests.project import ROOT

ERRORS = ("RefusedError", "AbsentError", "UnconfirmedError", "UsedTokenError")


def codes():
    """Return the codes that stand in the rooms which refuse requests."""
    found = set()
    for folder in ("reaper/requests", "reaper/web", "reaper/app"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                called = getattr(getattr(node, "func", None), "id", "")
                if called in ERRORS and isinstance(node.args[0], ast.Constant):
                    found.add(node.args[0].value)
    return found


@pytest.mark.parametrize("code", CODES)
def test_every_refusal_has_a_message(code):
    assert len(codes()) > 20
    assert not [one for one in codes() if not catalogue("refusals", code).knows(one)]


def test_a_refusal_is_english_as_a_text():
    assert str(RefusedError("not-disputed", allocation="slurm/1")) == "slurm/1 is not disputed"


def test_why_a_keep_is_refused_is_said_within_the_refusal():
    error = RefusedError("not-kept", why=because("keeps-used-up", allowed=2))

    assert str(error) == "not kept: only 2 keeps a day; an operator can keep or exempt it"
    assert refusal(error.reason, "ru") == (
        "не оставлено: не больше 2 продлений в день; оставить или исключить может оператор"
    )


def test_a_verdicts_reason_is_said_within_a_refusal():
    why = because("not-known", allocation="slurm/1", reason=because("idle-only", seconds=60))

    assert "(idle for 1 minute only)" in refusal(
        because("not-known", **dict(why.values), command="none"), "en"
    )
