"""By which rules a scenario is judged, and how their mistakes are named."""

from pathlib import Path

import pytest

from exporter.contract.scenario import Scenario, load
from reaper.app.past.drawn import rules_of
from reaper.app.past.replaying import replay
from reaper.config import ConfigError
from reaper.config import load as configuration
from reaper.cycle.rules import Rules

HEAD = """version = 1
start = 2026-03-02T09:00:00Z
[[node]]
name = "gpu01"
gpus = ["A*10 H*90"]
[[allocation]]
id = "1"
user = "mira"
begin = "-1h"
holds = "gpu01:0"
"""

WARNS = """
[[policy]]
name = "{name}"
{when}
idle = {{ for = "{window}" }}
rungs = [{{ warn = {{ after = "{window}" }} }}]
mode = "notify"
"""


def ruled(more: str) -> tuple[Scenario, Rules]:
    scenario = load(HEAD + more)
    base = configuration(environ={"HOME": "/home/mira"})
    rules, _ = rules_of(scenario, source=Path("x.toml"), base=base, configured=False)
    return scenario, rules


def test_every_mistake_of_the_rules_is_named_with_its_line() -> None:
    wrong = (
        WARNS.format(name="Not a name", when="", window="20m")
        + '[budgets]\nper_hours = 3\n[interlocks]\ncoverage = "ninety"\n'
        + '[[exemption]]\nmatch = { usr = "mira" }\nreason = "demo"\n'
    )

    with pytest.raises(ConfigError) as caught:
        ruled(wrong)

    assert [problem.line for problem in caught.value.problems] == [13, 19, 21, 23]


async def test_a_policy_that_is_changed_closes_the_case() -> None:
    scenario, rules = ruled(
        WARNS.format(name="quiet", when='until = "40m"', window="20m")
        + WARNS.format(name="quiet", when='from = "40m"', window="50m")
    )

    found = await replay(scenario, rules)

    told = [(event.kind, (event.at - found.begin) / 60) for event in found.events]
    assert [item for item in told if item[0] != "run began"] == [
        ("case opened", 30.0),
        ("warning", 30.0),
        ("case closed", 40.0),
        ("case opened", 60.0),
        ("warning", 60.0),
    ]


async def test_a_policy_of_an_age_decides_in_the_minute_in_which_it_is_reached() -> None:
    match = 'match = { older_than = "101m" }'
    scenario, rules = ruled(WARNS.format(name="aged", when=match, window="20m"))

    found = await replay(scenario, rules)

    assert [event.at - found.begin for event in found.events if event.kind == "warning"] == [2460.0]
