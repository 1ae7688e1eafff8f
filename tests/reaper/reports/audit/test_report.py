"""An audit joins files, refuses to guess, and lists what deserves a second look."""

import json
from dataclasses import replace
from decimal import Decimal

import pytest

from reaper.domain.audit.jobs import Outcome, RecordedJob, Records, Unread
from reaper.domain.prices.rates import Rate, RateCard
from reaper.reports.audit import PAGES, AuditReport, AuditTerms, audited
from tests.builders import policy
from tests.recorded_jobs import HOUR, recorded


def of(*jobs: RecordedJob, **terms: object) -> AuditReport:
    records = Records(source="books.txt", form="sacct text", jobs=jobs, rows=len(jobs))
    return audited([records], AuditTerms(**terms))


def many(*rates: float) -> tuple[RecordedJob, ...]:
    return tuple(recorded(id=str(n), rates=(rate,)) for n, rate in enumerate(rates))


def test_a_job_that_stands_in_two_files_counts_once():
    records = Records(source="a", form="x", jobs=(recorded(),))
    found = audited([records, replace(records, source="b")], AuditTerms())

    assert (found.jobs, found.total.held) == (1, 10 * HOUR)
    assert found.findings[0] == "1 records repeat an execution (101) and count once"


def test_jobs_without_gpus_and_jobs_that_never_began_are_counted_apart():
    found = of(recorded(), recorded(id="2", devices=0), recorded(0, id="3"))

    assert (found.jobs, found.without, found.waiting) == (1, 1, 1)


def test_a_job_that_has_just_begun_has_begun():
    found = of(recorded(0, outcome=Outcome.RUNNING), recorded(0, id="2", outcome=Outcome.CANCELLED))

    assert (found.jobs, found.waiting) == (1, 1)


def test_where_no_use_is_known_waste_is_unknown_and_never_zero():
    found = of(recorded())
    values = json.loads(PAGES["json"](found))["total"]

    assert values["wasted_gpu_hours_at_least"] is None
    assert values["zero_gpu_hours"] is None
    assert "use unknown: 10.00 GPU-h" in PAGES["text"](found)
    assert "unknown" in PAGES["text"](found).partition("Waste by class")[2]


def test_shares_in_place_of_percentages_are_named_and_unknown():
    found = of(*many(0.0, 0.002, 0.004, 0.006, 0.008, 0.01))

    assert found.total.unknown == found.total.held
    assert "no use above 1 %: shares of 1 instead of percent?" in str(found.unread[-1])


def test_a_few_jobs_of_low_use_are_believed():
    assert of(*many(0.001, 0.002)).total.unknown == 0


def test_a_job_that_lost_its_end_is_named_with_what_is_left_out():
    lost = recorded(24, outcome=Outcome.RUNNING, limit=24 * HOUR, beyond_limit=240 * HOUR)

    assert any("240.0 GPU-h beyond the limit are left out" in one for one in of(lost).findings)


def test_jobs_longer_than_their_limit_are_named():
    long = recorded(100, limit=24 * HOUR)

    assert any("are the units wrong?" in one for one in of(long).findings)


def test_instances_and_nameless_models_are_named():
    sliced = recorded(model="3g.20gb", devices=2, cards=6 / 7)
    hidden = recorded(id="2", partition="mig")
    found = " ".join(of(sliced, hidden).findings)

    assert "held 2 MIG instances: 0.86 cards" in found
    assert "1 jobs (10.0 GPU-h) do not say which model" in found
    assert "ran in a MIG partition without a type: counted as whole cards" in found


def test_waste_has_a_price_only_where_a_card_has_one():
    card = RateCard(rates=(Rate(amount=Decimal("2.50"), currency="EUR", model="a100"),))
    found = of(recorded(rates=(0.0,), model="a100"), recorded(id="2", rates=(0.5,)), rates=card)

    assert "that is worth 24.17 EUR, 5.00 GPU-h of it without a price" in PAGES["text"](found)
    assert of(recorded()).worth is None


def test_failures_and_waits_are_told_first():
    jobs = [
        recorded(id="1"),
        recorded(id="2", outcome=Outcome.FAILED),
        recorded(id="3", outcome=Outcome.OUT_OF_MEMORY),
        recorded(5, id="4", outcome=Outcome.OUT_OF_MEMORY),
    ]
    text = PAGES["text"](of(*jobs)).partition("Durations")[0]

    assert "25 % failed (10.0 GPU-h), 50 % out of memory (15.0 GPU-h)" in text
    assert "jobs waited 1.00 h in the median, 90 of 100 at most 1.00 h" in text


def test_what_was_not_read_is_counted_and_listed():
    wrong = Unread(file="books.txt", line=7, what="3 fields, the header has 11")
    records = Records(source="books.txt", form="sacct text", rows=1, unread=(wrong,))
    found = audited([records], AuditTerms())
    text = PAGES["text"](found)

    assert found.lost == 1
    assert "1 records could not be read and are in no figure" in text
    assert "books.txt:7: 3 fields, the header has 11" in text


def test_a_long_list_of_mistakes_says_how_many_more():
    wrong = tuple(Unread(file="x", line=n, what="bad") for n in range(50))
    found = audited([Records(source="x", form="y", unread=wrong)], AuditTerms())

    assert "and 30 more" in PAGES["text"](found)
    assert len(json.loads(PAGES["json"](found))["unread"]) == 50


def test_every_policy_has_its_line():
    text = PAGES["text"](of(recorded(rates=(0.0,)), policies=(policy(),)))

    assert "notebooks" in text.partition("What each policy would have returned")[2]


def test_the_rest_of_a_long_group_is_one_line():
    jobs = [recorded(id=str(n), owner=f"user{n:02}", rates=(0.5,)) for n in range(13)]
    text = PAGES["text"](of(*jobs))

    assert "and 3 more" in text


@pytest.mark.parametrize("name", ["a\nb", "\x1b[31mred", "a\u202eb"])
def test_a_name_cannot_draw_on_the_page(name: str):
    text = PAGES["text"](of(recorded(owner=name, rates=(0.0,))))

    assert "�" in text
    assert name not in text
