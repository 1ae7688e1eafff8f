"""Rows of sacct's text as its books hold them, with everything that a test does not care about."""

from reaper.domain.audit.jobs import RecordedJob, Records
from reaper.platforms.slurm.accounting import Told, read_text

HEAD = "JobID|JobIDRaw|JobName|User|State|ExitCode|Submit|Start|End|ElapsedRaw|AllocTRES"
NAME_LAST = "JobID|ElapsedRaw|AllocTRES|JobName"
GPUS = "cpu=8,gres/gpu:a100=2,gres/gpu=2,mem=64G"


def line(ident: str = "101", **given: str) -> str:
    """Return one row under HEAD."""
    usual = {
        "raw": ident,
        "name": "train",
        "user": "mira",
        "state": "COMPLETED",
        "exit": "0:0",
        "submit": "2026-11-02T09:00:00",
        "start": "2026-11-02T10:00:00",
        "end": "2026-11-02T12:00:00",
        "elapsed": "7200",
        "tres": GPUS,
    }
    return "|".join((ident, *{**usual, **given}.values()))


def read(*lines: str, head: str = HEAD, **told: object) -> Records:
    text = "\n".join((*([head] if head else []), *lines, ""))
    columns = told.pop("columns", ())
    return read_text(text, source="books.txt", told=Told(**told), columns=columns)


def only(*lines: str, **told: object) -> RecordedJob:
    found = read(*lines, **told)
    assert found.unread == ()
    (job,) = found.jobs
    return job


def said(found: Records) -> list[str]:
    return [str(one) for one in found.unread]
