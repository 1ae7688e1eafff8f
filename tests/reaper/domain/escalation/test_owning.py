"""An owner's own release: what forbids it, what does not, and when it is given up."""

from dataclasses import replace

import pytest

from reaper.domain.escalation.case import Case, OwnRelease, State
from reaper.domain.escalation.decision import LACKING, Hold, Refusal
from reaper.domain.escalation.ladder import advance, unmatched
from reaper.domain.escalation.turn import Turn
from reaper.domain.facts.grid import NORMAL
from reaper.domain.judgement.policy import Mode, Rung
from reaper.domain.judgement.verdict import Kind
from reaper.languages.catalogue import said
from tests.builders import (
    HOUR,
    MINUTE,
    START,
    allocation,
    case,
    keep,
    policy,
    situation,
    story,
    verdict,
)

WISH = OwnRelease(by="mira", at=START, reason="done", channel="slack", story=story())


def wished(**given: object) -> Case:
    """Return a case that was opened because its owner asked for the release."""
    return replace(case(own_release=WISH), **given)


def turn(one: Case, *, now: float = START, **given: object) -> Turn:
    """Take one turn, in which the owner's wish still stands."""
    return advance(one, situation(now=now, **{"release_now": True, **given}))


def hold(kind: str = "paused") -> Hold:
    return Hold(id=kind, kind=kind, reason="maintenance", by="otto", begin=START)


def test_it_is_a_release_that_never_requeues_whatever_its_policy_does() -> None:
    saves = policy(Rung(step="warn", after=HOUR, final=True), Rung(step="release", requeue=True))

    assert turn(wished(), policy=saves).act == Rung(step="release")


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.UNKNOWN])
def test_whatever_it_does_it_is_its_owners(kind: Kind) -> None:
    assert turn(wished(), verdict=verdict(kind)).act is not None


def test_a_policy_that_only_warns_has_nothing_against_it() -> None:
    assert turn(wished(), policy=policy(Rung(step="warn", after=HOUR))).act is not None


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({"holds": (hold(),)}, "paused"),
        ({"holds": (hold("killed"),)}, "killed"),
        ({"holds": (hold("upheld"),)}, "upheld"),
        ({"verdict": verdict(Kind.UNKNOWN)}, "evidence"),
        ({"allocation": allocation(user="otto")}, "owner"),
    ],
    ids=["paused", "killed", "upheld", "unknown", "another's"],
)
def test_it_waits_while_something_stops_every_act(given: dict[str, object], rule: str) -> None:
    taken = turn(wished(), **given)

    assert (taken.act, [refusal.rule for refusal in taken.refusals]) == (None, [rule])
    assert taken.case.own_release == WISH


def test_what_our_own_acts_lack_is_nothing_to_it() -> None:
    assert turn(wished(), holds=(hold(LACKING),)).act is not None


def test_after_a_quarter_of_an_hour_it_is_given_up_and_its_case_is_over() -> None:
    late = START + 15 * NORMAL.step

    assert turn(wished(), now=late).act is not None
    given_up = turn(wished(held_by=(Refusal(rule="dropped", reason="no answer"),)), now=late + 1)
    assert (given_up.act, said(given_up.given_up)) == (None, "dropped: no answer")
    assert given_up.close == "its owner's release was not done"


def test_a_case_that_was_warned_goes_on_when_the_wish_is_given_up() -> None:
    warned = wished(rung=1, warned=(START,))

    taken = turn(warned, now=START + 16 * MINUTE)

    assert (taken.close, taken.case.own_release) == ("", None)


def test_in_observe_it_is_given_up_at_once() -> None:
    taken = turn(wished(), policy=policy(mode=Mode.OBSERVE))

    assert (taken.act, said(taken.given_up)) == (None, "its policy only observes now")


def test_a_later_keep_or_dispute_takes_the_wish_back() -> None:
    kept = turn(wished(rung=1, warned=(START,)), release_now=False, keep=keep())

    assert (kept.act, kept.case.own_release) == (None, None)


def test_a_case_opened_for_a_wish_that_was_taken_back_ends_where_work_goes_on() -> None:
    taken = turn(wished(), release_now=False, verdict=verdict(Kind.BUSY))

    assert (taken.act, taken.close) == (None, "it is at work")


@pytest.mark.parametrize(
    ("taken_back", "why"),
    [
        ({"keep": keep(by="otto", operator=True)}, "an operator keeps it"),
        ({"disputed": True}, "an operator disputes it"),
    ],
    ids=["kept", "disputed"],
)
def test_what_an_operator_takes_back_is_said(taken_back: dict[str, object], why: str) -> None:
    stood = wished(rung=1, warned=(START,))
    if "disputed" in taken_back:
        stood = replace(stood, disputed=True, operator_disputes=True)

    taken = turn(stood, release_now=False, **taken_back)

    assert (taken.act, said(taken.given_up)) == (None, why)


@pytest.mark.parametrize("how", ["keep", "dispute"])
def test_of_their_own_change_of_mind_nobody_is_told(how: str) -> None:
    stood = wished(disputed=True) if how == "dispute" else wished()

    taken = turn(stood, release_now=False, keep=keep() if how == "keep" else None)

    assert (taken.given_up, taken.case.own_release) == (None, None)


def test_a_wish_that_no_policy_allows_any_more_is_given_up() -> None:
    taken = unmatched(wished())

    assert (said(taken.given_up), taken.close) == (
        "no policy is for it any more",
        "no policy matches",
    )


def test_a_release_that_has_begun_is_followed_to_its_end_whatever_policies_say() -> None:
    begun = wished(state=State.VERIFYING)

    assert unmatched(begun) == Turn(case=begun)
