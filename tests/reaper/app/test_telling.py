"""A scenario that expects words, an operator's queue or an alert is told where they are missing."""

import asyncio
from collections.abc import Iterable

import pytest

from exporter.contract.scenario import ScenarioError, load
from reaper.app.past.expecting import compare
from reaper.app.past.replaying import replay
from reaper.cycle.rules import Rules
from reaper.domain.judgement.policy import Rung
from tests.builders import MINUTE, policy

QUICK = policy(
    Rung(step="warn", after=6 * MINUTE),
    Rung(step="warn", after=8 * MINUTE, final=True),
    Rung(step="release", grace=4 * MINUTE),
    idle_for=8 * MINUTE,
    away_for=3 * MINUTE,
)
DRAWN = """
version = 1
start = 2026-03-02T09:00:00Z
background = 20
length = "1h"
[[node]]
name = "gpu01"
gpus = ["A*10 H*60"]
[[allocation]]
id = "1"
user = "mira"
purpose = "interactive"
holds = ["gpu01:0"]
begin = "-1h"
sessions = [{ kind = "shell", inputs = ["9m"] }]
[[event]]
at = "19m"
do = "pause"
[expect]
"""


def differences(expected: Iterable[str]) -> str:
    """Return every difference of a drawing in which acts are paused before the release."""
    scenario = load(DRAWN + "\n".join(expected))
    played = asyncio.run(replay(scenario, Rules(cluster="test", policies=(QUICK,))))
    return "\n".join(compare(scenario, played).differences)


@pytest.mark.parametrize(
    "line",
    [
        'says = ["1 final@18m: no work on GPU for 8 min"]',
        'says = ["warning: /no work .* for \\\\d min/"]',
        'never_says = ["1 notice: no such words", "warning@0s..10m: work"]',
        'operator = ["1: paused@30m", "refusals"]',
        'alerts = ["gpureaper_allocation_idle_seconds > 1200@35m..40m", "GpuReaperHeld@20m"]',
        'never_alerts = ["GpuReaperInterlock", "GpuReaperHeld@0s..15m"]',
    ],
)
def test_what_is_told_as_expected_differs_in_nothing(line: str) -> None:
    assert differences([line]) == ""


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('says = ["1 final@16m: no work"]', "no notice says 1 final@16m: no work: nothing is told"),
        ('says = ["1 final: rest"]', "no notice says 1 final: rest: @18m "),
        ('never_says = ["warning: /no work/"]', "a notice says warning: /no work/, and must never"),
        ('operator = ["1: paused@10m"]', "no operator is told 1: paused@10m"),
        ('alerts = ["GpuReaperInterlock"]', "its condition does not hold"),
        ('alerts = ["GpuJobsFailing"]', "increase() needs more than one moment"),
        ('never_alerts = ["GpuReaperHeld"]', "its condition holds at 19m, and must never"),
    ],
)
def test_what_is_missing_or_must_never_be_told_is_named(line: str, said: str) -> None:
    assert said in differences([line])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('says = ["1 last: x"]', "no notice 'last'; known are warning"),
        ('says = ["2 final: x"]', "no allocation '2'; drawn are 1"),
        ('says = ["1 final: /(/"]', "no regular expression"),
        ('operator = ["1: x@2h..1h"]', "ends before it begins"),
    ],
)
def test_a_mistake_in_what_is_expected_is_named(line: str, said: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        load(DRAWN + line)

    assert said in str(caught.value)
