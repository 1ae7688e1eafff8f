"""What a replay is held against, and how a difference reads."""

from pathlib import Path

import pytest

from exporter.contract.scenario import load
from reaper.app.past.drawn import rules_of
from reaper.app.past.expecting import Compared, compare
from reaper.app.past.replaying import replay
from reaper.config import load as configuration
from tests.project import ROOT

DRAWN = (ROOT / "tests/scenarios/drawn/quiet-shell.toml").read_text(encoding="utf-8")
AWAY = '[[event]]\nat = "50m"\ndo = "outage"\nof = "reaper"\nfor = "20m"'
HEAD = DRAWN[: DRAWN.index("[expect]")]


async def compared(expect: str) -> Compared:
    """Replay the quiet shell against other expectations."""
    scenario = load(f"{HEAD}[expect]\n{expect}")
    base = configuration(environ={"HOME": "/home/mira"})
    rules, _ = rules_of(scenario, source=Path("x.toml"), base=base, configured=False)
    return compare(scenario, await replay(scenario, rules))


@pytest.mark.parametrize(
    "expect",
    [
        '4711 = ["warning@40m", "final@1h10m", "release@1h40m"]',
        '4711 = ["opened@40m", "warning", "final", "release", "verified@1h41m..2h"]',
        '4711 = ["...", "release@1h30m..2h"]',
        '4711 = ["warning", "final", "release", "ended@1h41m"]',
        'never = ["release@0s..1h30m"]',
        '4711 = ["warning: no work on GPU for 30 min", "..."]',
        "4712 = []",
        '"4711@3h" = "gone"',
        '"4711@1h" = { verdict = "idle", held = "" }',
        'never = ["failed", "4712 warning", "interlock"]',
        "cluster = []",
    ],
)
async def test_what_happened_holds(expect: str) -> None:
    assert (await compared(expect)).differences == ()


@pytest.mark.parametrize(
    ("expect", "said"),
    [
        ('4711 = ["warning@40m"]', "not expected: final@1h10m"),
        ("4711 = []", "expected  nothing"),
        ('4711 = ["warning@41m", "..."]', "instead of warning@41m: warning@40m"),
        ('4711 = ["warning", "final", "release", "failed"]', "failed did not happen"),
        ('4711 = ["warning", "ended@1h", "..."]', "instead of ended@1h: final@1h10m"),
        ('never = ["release: NO WORK@1h..2h"]', "release@1h40m happened, and must never"),
        ('4712 = ["warning"]', "at the end: busy: 1 of 1 devices at work"),
        ('4712 = ["warning"]', "held by: nothing: it has no case"),
        ('"4711@9m" = "idle"', "4711 at 9m: expected idle, was busy"),
        ('"4711@40m" = "idle: for 3 h"', "was idle: no work on GPU for 30 min"),
        ('"4711@40m" = { verdict = "idle", held = "budget" }', "expected to be held by 'budget'"),
        (f'"4711@1h" = "idle"\n{AWAY}', "nothing was judged then"),
        ('never = ["release"]', "4711: release@1h40m happened, and must never"),
        ('cluster = ["interlock"]', "interlock did not happen"),
    ],
)
async def test_a_difference_says_what_is_otherwise(expect: str, said: str) -> None:
    found = await compared(expect)

    assert not found.holds
    assert any(said in text for text in found.differences)
