"""A drawn scheduler: what runs, what waits, and what an actor changes."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from exporter.contract.scenario import (
    Scenario,
    ScenarioAllocation,
    ScenarioError,
    ScenarioNode,
    ScenarioWaiting,
    device_uuid,
)
from exporter.contract.stage import Stage
from reaper.domain.escalation.decision import Effect, Verb
from reaper.domain.facts.allocation import Claim, Inventory, Place, Purpose
from reaper.edge.clock import JumpingClock
from reaper.platforms import builder
from reaper.platforms.platform import Surroundings
from reaper.platforms.recorded.build import staged
from reaper.platforms.recorded.settings import RecordedPlatformSettings
from reaper.ports import ActionError, Progress, Recheck, SourceError

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
ORIGIN = START.timestamp()
SHELL = ScenarioAllocation(
    id="101",
    user="mira",
    holds=(("gpu01", 0), ("gpu01", 1)),
    begin=60,
    end=600,
    limit=3600,
    name="bash",
    account="physics",
    partition="dev",
    purpose="interactive",
)
BATCH = ScenarioAllocation(
    id="102", user="otto", holds=(("gpu02", 0),), purpose="training", requeueable=True, saves=120
)
SCENARIO = Scenario(
    title="two",
    start=START,
    step=60,
    nodes=tuple(ScenarioNode(name=name, tracks=("H", "A")) for name in ("gpu01", "gpu02")),
    allocations=(SHELL, BATCH),
    waiting=(
        ScenarioWaiting(at=120, gpus=4),
        ScenarioWaiting(at=240, gpus=2),
        ScenarioWaiting(at=360, gpus=0),
    ),
)


class Drawn:
    """The platform on a stage, at a time that the test sets."""

    def __init__(self, **given) -> None:
        self.clock = JumpingClock(at=ORIGIN)
        self.stage = Stage(scenario=SCENARIO, origin=ORIGIN, state=given.pop("state", None))
        self.roles = staged(self.stage, Surroundings(cluster="test", clock=self.clock), **given)

    def at(self, moment: float) -> "Drawn":
        self.clock.jump(ORIGIN + moment)
        return self

    async def claims(self) -> dict[str, Claim]:
        answer = await self.roles.holder.claims(Inventory())
        return {claim.run.id: claim for claim in answer.claims}

    async def effect(self, verb: Verb = Verb.RELEASE, *, of: str = "101") -> Effect:
        return Effect(
            id="e", case_id="c", run=(await self.claims())[of].run, verb=verb, expires=ORIGIN + 900
        )

    async def begin(self, effect: Effect) -> str:
        return (await self.roles.actor.begin(effect, now=self.clock.now())).text


@pytest.fixture(params=["memory", "folder"])
def drawn(request, tmp_path) -> Drawn:
    return Drawn(state=tmp_path if request.param == "folder" else None).at(120)


# ------------------------------------------------------------------ holder


async def test_a_claim_says_what_the_scenario_draws():
    claim = (await Drawn().at(120).claims())["101"]

    assert (claim.user, claim.name, claim.account, claim.partition) == (
        "mira", "bash", "physics", "dev",
    )  # fmt: skip
    assert claim.purpose is Purpose.INTERACTIVE
    assert claim.run.started == ORIGIN + 60
    assert claim.limit == ORIGIN + 3600
    assert claim.as_of == ORIGIN + 120
    assert claim.node_ids == ("101",)


async def test_an_unlimited_allocation_has_no_limit():
    claim = (await Drawn().at(120).claims())["102"]

    assert (claim.limit, claim.requeueable) == (None, True)


async def test_devices_are_named_as_the_simulated_driver_names_them():
    claim = (await Drawn().at(120).claims())["101"]

    assert claim.places == tuple(
        Place(node="gpu01", gpu=device_uuid("gpu01", index)) for index in (0, 1)
    )


async def test_devices_can_be_named_by_their_index():
    claim = (await Drawn(places="index").at(120).claims())["101"]

    assert claim.places == (Place(node="gpu01", index=0), Place(node="gpu01", index=1))


@pytest.mark.parametrize(("moment", "ids"), [(0, {"102"}), (60, {"101", "102"}), (600, {"102"})])
async def test_claims_follow_the_clock(moment, ids):
    assert set(await Drawn().at(moment).claims()) == ids


async def test_capacities_count_what_is_held():
    answer = await Drawn().at(120).roles.holder.claims(Inventory())

    assert {item.node: (item.gpus, item.allocated) for item in answer.capacities} == {
        "gpu01": (2, 2),
        "gpu02": (2, 1),
    }
    assert answer.capacities[0].partitions == ("dev",)


async def test_a_run_has_a_key_of_its_own():
    claims = await Drawn().at(120).claims()

    assert len({claim.run.key for claim in claims.values()}) == 2


# ------------------------------------------------------------------ demand


@pytest.mark.parametrize(
    ("moment", "expected"),
    [(119, []), (120, [(4, 120)]), (300, [(2, 120)]), (360, [])],
)
async def test_what_waits_stands_until_the_next_number_is_drawn(moment, expected):
    waiting = await Drawn().at(moment).roles.demand.waiting()

    assert [(item.gpus, item.since - ORIGIN) for item in waiting.requests] == expected


# ------------------------------------------------------------------ actor


async def test_a_released_allocation_is_gone(drawn):
    effect = await drawn.effect()
    await drawn.begin(effect)

    assert "101" not in await drawn.claims()
    assert await drawn.roles.actor.recheck(effect.run) is Recheck.GONE
    assert await drawn.roles.actor.inspect(effect) is Progress.DONE


async def test_an_effect_that_never_began_is_not_applied(drawn):
    effect = await drawn.effect()

    assert await drawn.roles.actor.recheck(effect.run) is Recheck.SAME
    assert await drawn.roles.actor.inspect(effect) is Progress.NOT_APPLIED


async def test_a_restored_allocation_runs_again(drawn):
    await drawn.begin(release := await drawn.effect())
    restore = replace(release, verb=Verb.RESTORE)
    assert await drawn.roles.actor.inspect(restore) is Progress.NOT_APPLIED
    await drawn.begin(restore)

    assert "101" in await drawn.claims()
    assert await drawn.roles.actor.inspect(restore) is Progress.DONE
    assert await drawn.roles.actor.inspect(release) is Progress.NOT_APPLIED


async def test_an_expired_effect_is_refused(drawn):
    effect = replace(await drawn.effect(), expires=ORIGIN + 120)
    with pytest.raises(ActionError, match="expired"):
        await drawn.begin(effect)

    assert "101" in await drawn.claims()


async def test_another_run_of_the_same_id_is_refused(drawn):
    effect = await drawn.effect()
    other = replace(effect, run=replace(effect.run, key="101@1", started=1.0))
    assert await drawn.roles.actor.recheck(other.run) is Recheck.CHANGED
    with pytest.raises(ActionError, match="changed"):
        await drawn.begin(other)

    assert "101" in await drawn.claims()


async def test_an_ended_run_is_gone_and_cannot_be_released(drawn):
    effect = await drawn.effect()
    drawn.at(700)
    assert await drawn.roles.actor.recheck(effect.run) is Recheck.GONE
    with pytest.raises(ActionError, match="gone"):
        await drawn.begin(effect)


async def test_a_save_is_proven_once_its_time_has_passed(drawn):
    effect = await drawn.effect(Verb.SAVE, of="102")
    assert await drawn.roles.actor.inspect(effect) is Progress.NOT_APPLIED
    await drawn.begin(effect)
    asked = [await drawn.at(moment).roles.actor.inspect(effect) for moment in (121, 240)]

    assert asked == [Progress.NOT_APPLIED, Progress.DONE]


async def test_a_run_that_never_saves_is_never_proven(drawn):
    effect = await drawn.effect(Verb.SAVE, of="101")
    await drawn.begin(effect)

    assert await drawn.at(590).roles.actor.inspect(effect) is Progress.NOT_APPLIED
    assert await drawn.at(610).roles.actor.inspect(effect) is Progress.GONE


# ------------------------------------------------------------------ settings

TEXT = """
version = 1
title = "one"
start = 2026-03-02T09:00:00Z
[[node]]
name = "gpu01"
gpus = ["A"]
[[allocation]]
id = "7"
user = "mira"
holds = "gpu01:0"
"""


async def test_the_platform_is_built_from_a_scenario_file(tmp_path):
    (tmp_path / "one.toml").write_text(TEXT)
    settings = RecordedPlatformSettings(scenario=tmp_path / "one.toml")
    around = Surroundings(cluster="test", clock=JumpingClock(at=ORIGIN))
    platform = builder("recorded").build(settings, around)

    assert [c.run.id for c in (await platform.holder.claims(Inventory())).claims] == ["7"]
    assert [finding.ok for finding in await platform.check()] == [True]


async def test_the_scenario_can_begin_at_another_time(tmp_path):
    (tmp_path / "one.toml").write_text(TEXT)
    settings = RecordedPlatformSettings(scenario=tmp_path / "one.toml", origin=5000.0)

    assert settings.staged().origin == 5000.0


@pytest.mark.parametrize("text", [None, "version = 2", "nonsense ["])
def test_a_scenario_that_cannot_be_read_names_its_file(tmp_path, text):
    if text is not None:
        (tmp_path / "one.toml").write_text(text)
    with pytest.raises(SourceError, match=r"one\.toml") as caught:
        RecordedPlatformSettings(scenario=tmp_path / "one.toml").staged()

    assert not isinstance(caught.value, ScenarioError)
