"""Each job of the story saves itself in its own way, or does not; no work is lost by any."""

from collections.abc import Iterator

import pytest

from reaper.domain.escalation.decision import Phase, Verb
from tests.components import require
from tests.real.e2e.site import GRACE, site
from tests.real.slurm.saving_story import Told, submit, tell
from tests.real.slurm_cluster import SlurmCluster

pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
def told(running_slurm: SlurmCluster) -> Iterator[Told]:
    """Play the whole story."""
    require("root")
    jobs = submit(running_slurm)
    with site(running_slurm) as place:
        yield tell(place, jobs)
    running_slurm.cancel_all()


def test_a_job_that_saves_is_requeued_and_goes_on_from_its_step(told: Told):
    assert told.stories["saves"] == ["begins at 0", "saved 5", "begins at 5"]
    assert told.acts("saves") == [
        "scontrol update Requeue=0",
        "scancel --signal=USR1 --batch",
        "scontrol update Requeue=1",
        "scontrol requeue Incomplete",
    ]
    assert (told.states["saves"], told.flags["saves"]) == ("RUNNING", True)


def test_the_signal_comes_a_whole_grace_after_the_delivered_final_warning(told: Told):
    (case,) = [case for case in told.seen.cases_of(told.jobs["saves"]) if case.warned]
    final = told.seen.notice(case, "final")
    (signal,) = [
        call for call in told.calls if call.program == "scancel" and call.job == told.jobs["saves"]
    ]

    assert final.delivered_at is not None
    assert signal.at >= final.delivered_at + GRACE


def test_a_handler_that_requeues_itself_is_not_allowed_to(told: Told):
    begun, saved, refused, again = told.stories["requeues"]

    assert (begun, saved, refused) == ("begins at 0", "saved 5", "not allowed")
    assert again == "begins at 5"
    assert told.states["requeues"] == "RUNNING"


def test_a_job_without_a_handler_is_never_signalled(told: Told):
    assert told.acts("deaf") == []
    assert told.stories["deaf"] == ["begins at 0"]
    assert (told.states["deaf"], told.flags["deaf"]) == ("RUNNING", True)
    assert told.seen.intents_of(told.jobs["deaf"]) == []


@pytest.mark.parametrize("name", ["lies", "old"])
def test_a_job_that_says_yes_and_writes_nothing_new_is_not_released(told: Told, name: str):
    assert told.stories[name] == ["begins at 0", "yes"]
    assert told.acts(name) == [
        "scontrol update Requeue=0",
        "scancel --signal=USR1 --batch",
        "scontrol update Requeue=1",
    ]
    assert (told.states[name], told.flags[name]) == ("RUNNING", True)
    kinds = {(hold.kind, hold.scope) for hold in told.seen.holds}
    key = told.seen.cases_of(told.jobs[name])[0].run.key
    assert ("not saved", key) in kinds
    assert "could not be released" in told.letters[name]


def test_a_job_that_leaves_when_it_is_asked_has_ended_by_itself(told: Told):
    (intent,) = told.begun("leaves")

    assert (intent.effect.verb, intent.phase) == (Verb.SAVE, Phase.DROPPED)
    assert told.states["leaves"] == "COMPLETED"


def test_a_policy_that_says_so_requeues_without_proof(told: Told):
    assert [one.effect.verb for one in told.begun("forced")] == [Verb.SAVE, Verb.RELEASE]
    assert told.stories["forced"] == ["begins at 0", "yes", "begins at 0"]


def test_warnings_say_who_can_be_saved(told: Told):
    assert "asked to save its work" in told.letters["saves"]
    assert "It cannot be saved for you" in told.letters["deaf"]
