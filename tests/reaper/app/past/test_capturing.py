"""A decision becomes a scenario that decides the same."""

from dataclasses import replace
from pathlib import Path

import pytest

from exporter.contract.scenario import load
from reaper.app.past.capturing import CaptureError, capture
from reaper.app.past.expecting import Compared, compare
from reaper.app.past.replaying import Replayed, replay
from reaper.cycle.rules import Rules
from reaper.domain.facts.grid import NORMAL, Pace
from reaper.domain.judgement.policy import Mode, Policy, Rung
from tests.builders import MINUTE, policy
from tests.drawn_files import FOLDER, rules_for
from tests.lab import Lab, lab

SITUATIONS = (
    ("quiet-shell", "4711", 50),
    ("quiet-shell", "4711", 95),
    ("quiet-shell", "4711", None),
    ("keep-past-the-deadline", "1", None),
    ("keep-in-the-last-minute", "1", 120),
    ("two-kinds-of-sessions", "1", 120),
    ("over-night", "1", 240),
    ("upheld", "1", None),
    ("disputed", "1", None),
    ("channel-is-slow", "1", None),
    ("observe-touches-nobody", "1", None),
    ("preprocesses-for-twenty-hours", "1", 600),
    ("saved-then-released", "88", None),
    ("polling-server", "1", None),
    ("release-is-undone", "1", None),
    ("opened-again-after-the-last-warning", "1", None),
)
"""A drawing, whose allocation is captured, and after how many minutes (None: at its end)."""


async def played(text: str, path: Path, minutes: float | None = None) -> tuple[Replayed, Rules]:
    """Replay a drawing by its rules, to its end or for some minutes."""
    scenario = load(text)
    if minutes is not None:
        scenario = replace(scenario, length=minutes * MINUTE)
    rules = rules_for(scenario, path)
    return await replay(scenario, rules), rules


async def again(text: str) -> Compared:
    """Replay what was captured and compare it with what it expects."""
    scenario = load(text)
    return compare(scenario, await replay(scenario, rules_for(scenario, Path("captured.toml"))))


@pytest.mark.parametrize(("name", "allocation", "minutes"), SITUATIONS)
async def test_what_was_captured_decides_the_same(
    name: str, allocation: str, minutes: float | None
) -> None:
    path = FOLDER / f"{name}.toml"
    first, rules = await played(path.read_text(encoding="utf-8"), path, minutes)

    text = await capture(
        first.store, f"recorded/{allocation}", pace=NORMAL, policies=rules.policies
    )

    assert (await again(text)).differences == ()
    assert load(text).expect.anything


async def test_nobody_is_named_in_what_was_captured() -> None:
    path = FOLDER / "quiet-shell.toml"
    first, rules = await played(path.read_text(encoding="utf-8"), path)

    text = await capture(first.store, "recorded/4711", pace=NORMAL, policies=rules.policies)

    assert not [word for word in ("mira", "otto", "gpu01", "4711") if word in text]


async def test_a_workload_of_a_namespace_is_captured_and_nobody_named() -> None:
    path, ident = FOLDER / "quiet-shell.toml", "vision/notebook/mira"
    lives = f'id = "{ident}"\nplatform = "kubernetes"\nnamespace = "vision"'
    drawn = path.read_text(encoding="utf-8")
    text = drawn.replace('id = "4711"', lives).replace('"4711', f'"{ident}')
    first, rules = await played(text, path)

    captured = await capture(
        first.store, f"kubernetes/{ident}", pace=NORMAL, policies=rules.policies
    )

    assert (await again(captured)).differences == ()
    assert not [word for word in ("mira", "vision", "gpu01") if word in captured]


async def test_a_policy_that_is_no_more_is_not_made_up() -> None:
    path = FOLDER / "quiet-shell.toml"
    first, _ = await played(path.read_text(encoding="utf-8"), path)

    text = await capture(first.store, "recorded/4711", pace=NORMAL)

    assert "# Its policy is not known here" in text
    assert not load(text).expect.anything


def brisk(step: float) -> tuple[Pace, Policy]:
    """Return a pace and a policy whose ladder takes ninety of its minutes."""
    ladder = policy(
        Rung(step="warn", after=30 * step),
        Rung(step="warn", after=60 * step, final=True),
        Rung(step="release", grace=30 * step),
        idle_for=60 * step,
        away_for=30 * step,
        mode=Mode.ACT,
    )
    return Pace(step=step, startup=20 * step, verify=15 * step), ladder


async def lived(step: float, minutes: int) -> tuple[Lab, Policy]:
    pace, chosen = brisk(step)
    bench = lab(chosen, pace=pace)
    await bench.play({"GPU-gpu01-0": "A" * 25 + "H" * minutes})
    return bench, chosen


@pytest.mark.parametrize("step", [2.0, 30.0, 60.0])
@pytest.mark.parametrize("minutes", [40, 70, 120])
async def test_it_decides_the_same_at_any_pace(step: float, minutes: int) -> None:
    bench, chosen = await lived(step, minutes)

    text = await capture(bench.store, "slurm/101", pace=Pace(step=step), policies=(chosen,))

    assert (await again(text)).differences == ()
    assert ("release@" in text) is (minutes == 120)


async def test_what_holds_no_known_device_cannot_be_captured() -> None:
    path = FOLDER / "index-not-confirmed.toml"
    first, rules = await played(path.read_text(encoding="utf-8"), path)

    with pytest.raises(CaptureError, match="its devices are not known"):
        await capture(first.store, "recorded/1", pace=NORMAL, policies=rules.policies)


async def test_a_mig_instance_is_drawn_without_utilisation_whatever_is_shown_of_it() -> None:
    """Graphics that its profiling reads stand where utilisation does, and are no witness."""
    path = FOLDER / "quiet-shell.toml"
    first, rules = await played(path.read_text(encoding="utf-8"), path)
    async with first.store.transaction(await first.store.lead("test", 0.0)) as books:
        await books.keep_records(
            [
                replace(record, device=replace(record.device, mig_profile="1g.10gb"))
                for record in await books.records()
            ]
        )

    drawn = await capture(first.store, "4711", pace=NORMAL, policies=rules.policies)

    assert "utilisation = false" in drawn
