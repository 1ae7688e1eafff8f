"""An audit says the same however little of its files it holds at once."""

import json
from datetime import UTC
from io import BytesIO

from hypothesis import given
from hypothesis import strategies as st

from reaper.app.books.auditing import Audit, read
from reaper.domain.audit.shelves import Held
from reaper.platforms.slurm.accounting import Told
from reaper.reports.audit import PAGES, AuditTerms, audited
from tests.builders import policy
from tests.sacct_lines import HEAD, line

TOLD = Told(zone=UTC)
TERMS = AuditTerms(policies=(policy(),))
IDS = st.sampled_from(["7", "8", "9_1", "9_2", "11+0", "11+1"])
STEPS = st.sampled_from(["", "", ".batch", ".0", ".extern"])
RATES = st.sampled_from(["", "0", "0.4", "0.9", "37"])


@st.composite
def rows(draw, numbered):
    """
    Give rows of few jobs, so that runs, steps and records of the same job meet.

    In one file the scheduler's own numbers are those of people, or are not; never now and then.
    """
    ident, minute = draw(IDS) + draw(STEPS), draw(st.integers(0, 3))
    row = line(
        ident,
        raw=ident.replace("9_", "4") if numbered else ident,
        name=draw(st.sampled_from(["train", "two\nlines", "a|b"])),
        user=draw(st.sampled_from(["mira", "otto"])),
        state=draw(st.sampled_from(["COMPLETED", "FAILED", "REQUEUED", "RUNNING", "STRANGE"])),
        start=f"2026-11-02T1{minute}:00:00",
        end=draw(st.sampled_from(["2026-11-02T18:00:00", "2026-11-03T12:30:00", "Unknown"])),
        elapsed=draw(st.sampled_from(["0", "7200", "100000", "-5"])),
        exit=draw(st.sampled_from(["0:0", "0:125"])),
    )
    return f"{row}|{draw(RATES)}"


FILE = st.booleans().flatmap(
    lambda numbered: st.lists(rows(numbered) | st.just("broken|row"), max_size=12)
)
FILES = st.lists(FILE, min_size=1, max_size=3)


@given(FILES)
def test_few_rows_at_once_make_the_same_audit(files):
    texts = ["\n".join((f"{HEAD}|GPUUtil", *lines, "")).encode() for lines in files]

    assert told(audit(texts, kept=2)) == told(audit(texts, kept=10_000))


@given(FILES)
def test_files_that_are_streamed_make_the_audit_of_their_records(files):
    texts = ["\n".join((f"{HEAD}|GPUUtil", *lines, "")).encode() for lines in files]
    records = [read(BytesIO(text), source="books.txt", reader=TOLD) for text in texts]

    assert told(audit(texts, kept=10_000)) == told(audited(records, TERMS))


def audit(texts, *, kept):
    found = Audit(TERMS, TOLD, room=Held, kept=kept)
    for text in texts:
        found.add(BytesIO(text), source="books.txt")
    return found.report()


def told(report):
    """Return an audit as values; in which order findings name their jobs does not matter."""
    values = json.loads(PAGES["json"](report))
    values["findings"] = sorted("".join(sorted(one)) for one in values["findings"])
    return values
