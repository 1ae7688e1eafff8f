"""What a simulation takes into account beyond letters."""

from dataclasses import replace

from reaper.cycle.rules import Rules
from reaper.cycle.simulation.past import Past, PastRun
from reaper.cycle.simulation.play import Played, play
from reaper.domain.escalation.budget import Limits
from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.inputs import History
from reaper.domain.facts.track import Track
from reaper.domain.judgement.policy import Exemption, Match, Policy
from reaper.languages.catalogue import said
from tests.builders import HOUR, MINUTE, START, allocation, policy

FIRST = NORMAL.minute(START) + 1


def runs(count: int, *, each: int = 1, team: str = "vision") -> Past:
    """Return so many idle jobs, each on GPUs of a node of its own."""
    held = [
        allocation(str(n), gpus=each, node=f"gpu{n}", purpose=Purpose.TRAINING, team=team)
        for n in range(count)
    ]
    return Past(
        begin=START,
        end=START + 10 * HOUR,
        runs=tuple(
            PastRun(allocation=item, begin=START - HOUR, end=None, history=History())
            for item in held
        ),
        tracks={gpu: Track(start=FIRST, letters="H" * 600) for item in held for gpu in item.gpus},
    )


def simulated(past: Past, *policies: Policy, **given: object) -> Played:
    rules = Rules(cluster="test", policies=policies or (policy(),), **given)
    return play(past, rules, lifts_after=HOUR)


def test_budgets_ration_what_is_released() -> None:
    """Two an owner within an hour."""
    played = simulated(runs(5), limits=Limits(share=1.0))

    moments = sorted(at - START for at in played.released.values())
    assert moments == [90 * MINUTE, 90 * MINUTE, 150 * MINUTE, 150 * MINUTE, 210 * MINUTE]


def test_an_interlock_stops_every_release_until_it_is_lifted() -> None:
    """Half of a large cluster turns idle at once."""
    past = runs(20)
    late = {
        gpu: replace(track, letters="A" * 30 + track.letters[30:])
        for gpu, track in past.tracks.items()
    }

    played = simulated(replace(past, tracks=late))

    assert [said(e.text) for e in played.events if e.kind == "interlock"] == [
        "20 of 20 devices turned idle within 15 min"
    ]
    assert min(played.released.values()) == START + 151 * MINUTE


def test_a_quota_spares_a_team_within_it() -> None:
    """What a released run held counts no more."""
    played = simulated(runs(3), replace(policy(), team_idle_over=2))

    assert len(played.released) == 1


def test_what_is_exempt_is_left_alone_until_its_end() -> None:
    exempt = Exemption(match=Match(), reason="demo", until=START + 5 * HOUR)

    played = simulated(runs(1), exemptions=(exempt,))

    assert list(played.released.values()) == [START + 6 * HOUR]


def test_a_run_that_no_policy_matches_is_not_looked_at_twice() -> None:
    played = simulated(runs(1), replace(policy(), match=Match(user=("otto",))))

    assert (played.released, played.visits) == ({}, 1)


def test_a_policy_for_old_runs_waits_until_they_are() -> None:
    played = simulated(runs(1), replace(policy(), match=Match(older_than=5 * HOUR)))

    assert list(played.released.values()) == [START + 3 * HOUR]


def test_what_waits_for_approval_is_told_anew_when_its_notice_is_good_no_more() -> None:
    """Twenty GPUs need two operators, whom a simulation does not have."""
    played = simulated(runs(1, each=20))

    finals = [event.at - START for event in played.events if event.kind == "final"]
    assert finals[:2] == [60 * MINUTE, 151 * MINUTE]
    assert played.visits < 30


def test_a_case_that_a_quota_holds_goes_on_when_its_team_holds_more() -> None:
    """Other runs clear that rule, and no change of the run itself."""
    past = runs(3)
    first, ends, begins = past.runs
    ends = replace(ends, end=START + 45 * MINUTE)
    begins = replace(begins, begin=START + 5 * HOUR)
    spares = replace(policy(), team_held_over=1)

    played = simulated(replace(past, runs=(first, ends, begins)), spares)

    assert START + 5 * HOUR < played.released[first.key] < START + 7 * HOUR
