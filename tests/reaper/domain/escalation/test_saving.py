"""Who can be asked to save itself, what follows when, and for how long a save is good."""

from dataclasses import replace

import pytest

from reaper.domain.escalation.case import Case, Saving
from reaper.domain.escalation.saving import GOOD_FOR, asked, due, impossible, lapsed, savable
from reaper.domain.escalation.situation import Situation
from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.receivers import Catches, Receivers, united
from reaper.domain.judgement.policy import Policy, Rung, Save
from reaper.languages.catalogue import said
from tests.builders import (
    MINUTE,
    START,
    allocation,
    case,
    policy,
    situation,
    verdict,
)

USR1 = frozenset(("USR1",))
BOTH = frozenset(("USR1", "USR2"))
SAVE = Save(signal="USR1", path="/ckpt", within=600.0)
ANY = replace(SAVE, signal="")


def saving(save: Save = SAVE) -> Policy:
    """Return a policy that saves before it releases."""
    return policy(
        Rung(step="warn", after=MINUTE, final=True),
        Rung(step="save", save=save, grace=MINUTE),
        Rung(step="release", requeue=True),
    )


def seen(
    catches: Catches, *, save: Save = SAVE, purpose: Purpose = Purpose.TRAINING, **more: object
) -> Situation:
    """Return a situation of a job that catches these signals."""
    held = allocation(purpose=purpose, batch=True)
    return situation(allocation=held, catches=catches, policy=saving(save), **more)


def proven(at: float = START, **more: object) -> Case:
    """Return a case whose save was proven."""
    return case(rung=1, saving=Saving(requeueable=True, asked=at - 60, proven=at), **more)


# ------------------------------------------------------------------ who catches


@pytest.mark.parametrize(
    ("save", "catches", "wanted"),
    [
        pytest.param(SAVE, {"batch": USR1, "step": USR1}, ("USR1", "batch"), id="the script first"),
        pytest.param(SAVE, {"batch": frozenset(), "step": USR1}, ("USR1", "step"), id="the steps"),
        pytest.param(replace(SAVE, to="step"), {"batch": USR1}, None, id="only whom it names"),
        pytest.param(SAVE, {"batch": frozenset(("USR2",))}, None, id="only what it names"),
        pytest.param(ANY, {"batch": frozenset(("USR2",))}, ("USR2", "batch"), id="any usual one"),
        pytest.param(ANY, {"batch": frozenset(("USR2",)), "step": USR1}, ("USR1", "step"), id="1"),
        pytest.param(ANY, {"batch": frozenset(("INT", "TERM"))}, None, id="none that ends"),
        pytest.param(SAVE, {"pod": USR1}, None, id="nobody else"),
        pytest.param(SAVE, {}, None, id="unknown"),
    ],
)
def test_a_signal_is_asked_of_those_who_catch_it(
    save: Save, catches: Catches, wanted: tuple[str, str] | None
) -> None:
    """And of nobody else."""
    assert asked(save, catches) == wanted


def test_one_node_that_does_not_catch_it_speaks_for_all() -> None:
    """A target that a node does not have is no matter there."""
    words = [
        Receivers(node="a", id="1", start=1.0, catches={"batch": USR1, "step": BOTH}),
        Receivers(node="b", id="1", start=1.0, catches={"step": frozenset(("USR2",))}),
    ]

    assert united(words) == {"batch": USR1, "step": frozenset(("USR2",))}


def test_an_interactive_session_can_never_be_asked() -> None:
    """Whatever it catches."""
    session = seen({"batch": USR1}, purpose=Purpose.INTERACTIVE)

    assert "never signalled" in said(impossible(SAVE, session))
    assert not savable(session)


def test_only_a_policy_that_saves_can_save() -> None:
    """Its owner is told so."""
    assert savable(seen({"batch": USR1}))
    assert not savable(replace(seen({"batch": USR1}), policy=policy()))


# ------------------------------------------------------------------ what is due


def test_the_save_is_due_before_the_release() -> None:
    """One rung after the other."""
    rung, against = due(case(rung=1), seen({"batch": USR1}))

    assert (rung.step, against) == ("save", ())


def test_a_save_that_cannot_be_asked_for_refuses_the_release() -> None:
    """It names the signal."""
    _, against = due(case(rung=1), seen({}))

    assert [refusal.rule for refusal in against] == ["save"]
    assert "USR1 not caught" in said(against[0].reason)


def test_a_policy_may_release_what_cannot_save_itself() -> None:
    """Where it says so."""
    rung, against = due(case(rung=1), seen({}, save=replace(SAVE, unproven="release")))

    assert (rung.step, against) == ("release", ())


@pytest.mark.parametrize(("newest", "allowed"), [(59.0, False), (60.0, True)])
def test_the_release_waits_for_a_whole_minute_after_the_proof(
    newest: float, *, allowed: bool
) -> None:
    """What the run does now is its own again."""
    now = seen({"batch": USR1}, verdict=verdict(newest=START + newest))

    rung, against = due(proven(), now)

    assert rung.step == "release"
    assert (against == ()) is allowed


@pytest.mark.parametrize(
    "standing",
    [
        Saving(requeueable=True),
        Saving(requeueable=True, asked=START),
        Saving(requeueable=True, asked=START, proven=START, lapsed=START),
    ],
    ids=["intended", "asked", "lapsed"],
)
def test_nothing_but_a_standing_proof_leads_to_the_release(standing: Saving) -> None:
    """A save that lapsed is asked for anew."""
    rung, _ = due(case(rung=1, saving=standing), seen({"batch": USR1}))

    assert rung.step == "save"


# ------------------------------------------------------------------ how long it is good


@pytest.mark.parametrize(
    ("saved", "late", "over"),
    [
        pytest.param(proven(), GOOD_FOR * MINUTE, False, id="in time"),
        pytest.param(proven(), GOOD_FOR * MINUTE + 1, True, id="too late"),
        pytest.param(proven(kept=True), 0.0, True, id="kept"),
        pytest.param(proven(disputed=True), 0.0, True, id="disputed"),
        pytest.param(replace(proven(), rung=0), 0.0, True, id="back at the final notice"),
        pytest.param(case(rung=1), 9999.0, False, id="never saved"),
    ],
)
def test_a_save_lapses_when_no_release_follows(saved: Case, late: float, *, over: bool) -> None:
    """What it changed is put back, and it is asked for anew."""
    now = seen({"batch": USR1}, now=START + late)

    assert lapsed(saved, now) is over
