"""A public list of jobs, read as a site's own CSV, gives its known answers to 0.1 GPU-hours."""

from datetime import UTC

import pytest

from reaper.reports.audit import AuditReport, AuditTerms, audited, read_csv
from tests.public_traces import trace

CLOSE = 0.1


@pytest.fixture(scope="module")
def alex() -> AuditReport:
    path = trace("alex-gpu-jobs-2023-02.csv")
    records = read_csv(path.read_text(encoding="utf-8"), source=path.name, zone=UTC)
    return audited([records], AuditTerms())


def test_held_zero_used_and_unused_are_those_of_the_index(alex):
    total = alex.total
    found = [one / 3600 for one in (total.held, total.zero, total.used, total.unused)]

    assert found == pytest.approx([3980.04, 57.62, 2859.88, 1120.16], abs=CLOSE)
    assert (alex.jobs, alex.unread, total.coverage) == (303, (), 1.0)


def test_interactive_jobs_are_those_of_the_index(alex):
    found = alex.by_class["interactive"]

    assert alex.profile.classes["interactive"].jobs == 27
    assert [found.held / 3600, found.unused / 3600, found.zero / 3600] == pytest.approx(
        [100.41, 93.80, 50.05], abs=CLOSE
    )


def test_certain_waste_is_part_of_what_was_at_zero(alex):
    assert 0 < alex.total.least < alex.total.zero < alex.total.most < alex.total.unused


def test_its_owners_add_up_to_the_whole(alex):
    assert len(alex.by_owner) == 41
    assert sum(one.most for one in alex.by_owner.values()) == pytest.approx(alex.total.most)
