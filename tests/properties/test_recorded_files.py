"""Whatever stands in a file, it is read to its end, and every record of it is accounted for."""

import json
from datetime import UTC

from hypothesis import given
from hypothesis import strategies as st

from reaper.domain.audit.jobs import Records
from reaper.platforms.slurm.accounting import Told, read_answer, read_text
from reaper.reports.audit import PAGES, AuditTerms, audited, read_csv
from tests.sacct_lines import HEAD, line

PIECES = st.sampled_from(
    [
        line("7"),
        line("7.batch"),
        line("7_1"),
        line("9+1"),
        "|",
        "||",
        "",
        " ",
        "7|7",
        "\t",
        "x",
        ".",
    ]
)
WORDS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 2**65),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
)
KEYS = st.sampled_from(
    [
        *("job_id", "time", "elapsed", "start", "end", "state", "current", "tres", "allocated"),
        *("type", "name", "count", "steps", "array", "task_id", "het", "set", "number", "limit"),
        *("comment", "administrator", "exit_code", "signal", "id", "requested", "max", "user"),
    ]
)
VALUES = st.recursive(
    WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=25,
)


def whole(found: Records) -> None:
    """Every record is a job, a step or named as unread; and it can be shown."""
    lost = sum(not one.kept for one in found.unread)
    assert len(found.jobs) + found.steps + lost == found.rows
    for page in PAGES.values():
        assert page(audited([found], AuditTerms()))


@given(st.lists(st.lists(PIECES, max_size=4).map("".join), max_size=12))
def test_sacct_text(lines):
    found = read_text("\n".join((HEAD, *lines)), source="x", told=Told())

    whole(found)


@given(st.lists(st.lists(st.text(max_size=6), max_size=12).map("|".join), max_size=6))
def test_sacct_text_of_anything(lines):
    whole(read_text("\n".join((HEAD, *lines)), source="x", told=Told()))


@given(st.lists(st.dictionaries(KEYS, VALUES, max_size=8), max_size=4))
def test_sacct_json(jobs):
    found = read_answer(json.dumps({"jobs": jobs}), source="x", told=Told())

    lost = sum(not one.kept for one in found.unread)
    assert len(found.jobs) + lost == len(jobs)
    assert PAGES["json"](audited([found], AuditTerms()))


@given(st.text(max_size=60))
def test_an_answer_of_anything(text):
    assert read_answer(text, source="x", told=Told()).unread


@given(st.lists(st.lists(st.text(max_size=6), max_size=6).map(",".join), max_size=8))
def test_jobs_as_csv(lines):
    head = "job_id,user,start_time,duration_s,num_gpus"

    whole(read_csv("\n".join((head, *lines)), source="x", zone=UTC))
