"""What the findings of one letter add up to."""

import pytest

from reaper.domain.escalation.notice import Story
from reaper.notifiers.letters import write
from reaper.notifiers.sizes import SHOWN, summed
from reaper.notifiers.texts import plain
from tests.channels import letter, notice, story


def finding(spare: float = 1.0, **changes: object) -> Story:
    return story(**{"spare": spare, "devices": 8, "cost_per_hour": 16.0, **changes})


def test_gpus_and_money_add_up() -> None:
    size = summed([finding(5.0), finding(0.5, allocation="slurm/2", cost_per_hour=8.0)])

    assert (size.spare, size.cost, size.allocations) == (5.5, 10.5, 2)


def test_one_without_a_price_leaves_the_sum_without() -> None:
    assert summed([finding(), finding(cost_per_hour=None)]).cost is None


def test_what_frees_nothing_needs_no_price() -> None:
    assert summed([finding(), finding(0.0, cost_per_hour=None)]).cost == 2.0


def test_findings_on_one_allocation_are_one_allocation() -> None:
    assert summed([finding(), finding(0.0)]).allocations == 1


def test_the_largest_are_shown_and_the_others_counted() -> None:
    many = [finding(float(number)) for number in range(SHOWN + 3)]
    size = summed(many)

    assert [one.spare for one in size.shown[:2]] == [SHOWN + 2.0, SHOWN + 1.0]
    assert (len(size.shown), size.more, size.spare) == (SHOWN, 3, sum(range(SHOWN + 3)))


@pytest.mark.parametrize(("language", "said"), [("en", "3 smaller findings"), ("ru", "И ещё 3")])
def test_a_letter_says_how_many_it_does_not_show(language: str, said: str) -> None:
    findings = [notice("advice", spare=1.0) for _ in range(SHOWN + 3)]
    written = letter(*findings)
    person = type(written.person)(user="mira", language=language)

    assert said in plain(write(letter(*findings, to=person)))


def test_it_offers_no_answer() -> None:
    written = write(letter(notice("advice", spare=1.0), notice("advice", spare=2.0)))

    assert written.answers == ()
