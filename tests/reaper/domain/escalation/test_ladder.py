"""The ladder, one rung at a time."""

import pytest

from reaper.domain.escalation.case import State
from reaper.domain.escalation.decision import Hold
from reaper.domain.escalation.ladder import advance, opens
from reaper.domain.escalation.situation import Situation
from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.sign import Presence
from reaper.domain.judgement.hours import Shift
from reaper.domain.judgement.policy import Exemption, Match, Mode
from reaper.domain.judgement.verdict import Kind
from reaper.domain.reason import quoted
from reaper.languages.catalogue import refused
from tests.builders import (
    HOUR,
    MINUTE,
    START,
    allocation,
    case,
    keep,
    notice,
    policy,
    run,
    situation,
    verdict,
)

WARNED = notice(rung=0, delivered=START)
FINAL = notice(rung=1, delivered=START + 30 * MINUTE)
RELEASE_AT = START + HOUR
"""30 min of grace after the final warning's delivery."""
TOMORROW = Shift(begin=START + 9 * HOUR, end=START + 18 * HOUR, after=START + 33 * HOUR)


def at_release(**given: object) -> Situation:
    """Return the moment at which both warnings arrived and the grace is over."""
    return situation(now=RELEASE_AT, idle=90 * MINUTE, notices=(WARNED, FINAL), **given)


def warned_twice(**given: object) -> object:
    """Return a case that has climbed both warnings."""
    return case(rung=2, warned=(START, START + 30 * MINUTE), **given)


def test_a_case_opens_when_the_first_warning_is_due() -> None:
    """Not a minute earlier."""
    assert not opens(situation(idle=29 * MINUTE))
    assert opens(situation(idle=30 * MINUTE))


@pytest.mark.parametrize(
    "given",
    [
        pytest.param({"verdict": verdict(Kind.PARTIAL)}, id="partly idle"),
        pytest.param({"verdict": verdict(Kind.UNKNOWN)}, id="unknown"),
        pytest.param({"keep": keep()}, id="kept"),
        pytest.param({"exemption": Exemption(match=Match(), reason="demo")}, id="exempt"),
    ],
)
def test_no_case_opens_without_ground(given: dict[str, object]) -> None:
    """Each of these alone keeps the peace."""
    assert not opens(situation(**{"idle": 2 * HOUR, **given}))


def test_the_first_warning_is_sent_at_once_and_the_second_waits_for_its_rung() -> None:
    """Two warnings are never closer than their rungs."""
    first = advance(case(), situation(idle=2 * HOUR))
    assert first.warn is not None
    assert first.case.rung == 1

    soon = situation(now=START + 29 * MINUTE, idle=2 * HOUR, notices=(WARNED,))
    assert advance(first.case, soon).warn is None

    later = situation(now=START + 30 * MINUTE, idle=2 * HOUR, notices=(WARNED,))
    second = advance(first.case, later).warn
    assert second is not None
    assert second.final


def test_a_warning_that_never_arrived_holds_everything() -> None:
    """Nothing is escalated on a message that was not delivered."""
    lost = notice(rung=0, error="channel_not_found")
    turn = advance(case(rung=1), situation(now=START + 9 * HOUR, idle=9 * HOUR, notices=(lost,)))

    assert turn.warn is None
    assert turn.act is None
    assert "has not arrived" in refused(turn.refusals[0])


def test_a_delivery_to_nobody_in_person_does_not_count() -> None:
    """The console is no person."""
    console = notice(rung=0, delivered=START, personal=False)

    turn = advance(case(rung=1), situation(now=START + HOUR, idle=2 * HOUR, notices=(console,)))

    assert turn.warn is None


def test_the_release_comes_a_full_grace_after_the_final_delivery() -> None:
    """The clock starts at delivery."""
    early = situation(now=RELEASE_AT - 1, idle=90 * MINUTE, notices=(WARNED, FINAL))
    waiting = advance(warned_twice(), early)
    assert waiting.act is None
    assert waiting.case.due == RELEASE_AT

    assert advance(warned_twice(), at_release()).act is not None


@pytest.mark.parametrize("owner", ["otto", ""])
def test_nothing_is_released_whose_owner_is_not_who_was_warned(owner: str) -> None:
    turn = advance(warned_twice(), at_release(allocation=allocation(user=owner)))

    assert turn.act is None
    assert [refusal.rule for refusal in turn.refusals] == ["owner"]


def test_a_case_of_nobody_gives_way_to_one_of_its_owner() -> None:
    assert advance(case(owner=""), situation()).close == "its owner is known now"


def test_a_case_that_an_operator_kept_names_nobody() -> None:
    given = keep(begin=START, by="vera", operator=True)

    assert "vera" not in str(advance(warned_twice(), at_release(keep=given)).case.held_by)


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        pytest.param({"verdict": verdict(now=RELEASE_AT, idle=59 * MINUTE)}, "window", id="window"),
        pytest.param(
            {"presence": Presence(away=False, since=None, reason=quoted("tmux: unreachable"))},
            "presence",
            id="presence unknown",
        ),
        pytest.param(
            {"presence": Presence(away=True, since=RELEASE_AT - MINUTE, reason=quoted("typed"))},
            "presence",
            id="typed a minute ago",
        ),
        pytest.param({"policy": policy(any_hour=False), "shift": TOMORROW}, "hours", id="at night"),
        pytest.param({"policy": policy(demand="waiting")}, "demand", id="nobody waits"),
        pytest.param({"observed_for": 6.9 * 86400}, "observed", id="a young policy"),
        pytest.param(
            {"holds": (Hold(id="p", kind="paused", reason="upgrade", by="otto", begin=0.0),)},
            "paused",
            id="paused",
        ),
        pytest.param({"keep": keep(begin=START)}, "keep", id="kept"),
        pytest.param(
            {"verdict": verdict(Kind.UNKNOWN, now=RELEASE_AT)}, "evidence", id="unknown now"
        ),
    ],
)
def test_each_rule_alone_refuses_the_release(given: dict[str, object], rule: str) -> None:
    """And says which one it was."""
    turn = advance(warned_twice(), at_release(**given))

    assert turn.act is None
    assert rule in [refusal.rule for refusal in turn.refusals]


def test_a_case_that_waits_for_days_is_the_same_from_minute_to_minute() -> None:
    """So that nothing is written of it."""
    young = 3 * 86400.0 + 10 * MINUTE
    before, after = (
        advance(
            warned_twice(),
            situation(
                now=RELEASE_AT + minutes * MINUTE,
                idle=90 * MINUTE,
                notices=(WARNED, FINAL),
                observed_for=young + minutes * MINUTE,
            ),
        ).case.held_by
        for minutes in (0, 1)
    )

    assert [refusal.rule for refusal in before] == ["observed"]
    assert after == before


def test_a_dispute_holds_until_an_operator_rules() -> None:
    """However idle it is."""
    turn = advance(warned_twice(disputed=True), at_release())

    assert turn.act is None
    assert turn.refusals[0].rule == "dispute"


def test_where_presence_cannot_be_known_the_window_is_four_times_as_long() -> None:
    """At least four hours."""
    unknown = Presence(away=False, since=None, reason=quoted("vscode: nothing can prove it"))
    old = {"presence": unknown, "allocation": allocation(run=run(started=START - 9 * HOUR))}
    short = at_release(verdict=verdict(now=RELEASE_AT, idle=3.9 * HOUR), **old)
    longer = at_release(verdict=verdict(now=RELEASE_AT, idle=4 * HOUR), **old)

    assert advance(warned_twice(), short).act is None
    assert advance(warned_twice(), longer).act is not None


def test_training_needs_no_proof_that_a_person_is_away() -> None:
    """A batch job has nobody in it."""
    batch = allocation(purpose=Purpose.TRAINING)
    nobody = Presence(away=False, since=None, reason=quoted("no session seen"))

    assert advance(warned_twice(), at_release(allocation=batch, presence=nobody)).act is not None


def test_two_active_minutes_after_a_warning_close_the_case() -> None:
    """One may be a blip."""
    one = advance(warned_twice(), at_release(active_minutes=1))
    assert one.close == ""
    assert one.case.active_minutes == 1

    two = advance(one.case, at_release(active_minutes=1))
    assert two.close == "activity returned"


def test_a_person_who_comes_back_closes_the_case() -> None:
    """Human input after the first warning is an answer."""
    turn = advance(warned_twice(), at_release(last_human=START + 40 * MINUTE))

    assert turn.close == "its person came back"


def test_a_changed_policy_closes_the_case() -> None:
    """A case keeps the version it was opened under."""
    assert advance(case(), situation(policy=policy(version="v2"))).close == "policy changed"


def test_after_a_keep_the_case_returns_to_its_final_notice() -> None:
    """A keep is always honoured, and its end gives a full grace again."""
    kept = advance(warned_twice(), at_release(keep=keep(begin=START))).case
    ended = situation(now=START + 5 * HOUR, idle=6 * HOUR, notices=(WARNED, FINAL))

    turn = advance(kept, ended)

    assert turn.act is None
    assert turn.warn is not None
    assert turn.warn.final
    assert turn.case.round == 1


def test_time_in_which_we_were_deaf_extends_the_grace() -> None:
    """An owner could not have answered."""
    deaf = warned_twice(extension=10 * MINUTE)

    assert advance(deaf, at_release()).act is None


def test_observe_decides_as_act_does_on_assumed_deliveries() -> None:
    """Same rungs, same moments; only the phase of the intent differs."""
    seen = policy(mode=Mode.OBSERVE)
    assumed = (notice(rung=0), notice(rung=1, created=START + 30 * MINUTE))
    observing = situation(
        now=RELEASE_AT, idle=90 * MINUTE, notices=assumed, policy=seen, observed_for=0.0
    )

    turn = advance(case(mode=Mode.OBSERVE, rung=2), observing)

    assert turn.act is not None


def test_a_case_that_acts_is_left_alone() -> None:
    """Its intent's fate moves it."""
    turn = advance(warned_twice(state=State.ACTING), at_release())

    assert (turn.act, turn.warn, turn.close) == (None, None, "")
