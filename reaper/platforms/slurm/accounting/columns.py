"""The header of sacct's text: its delimiter, its columns in any order, what it must hold."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

RATES: Final = (
    "gpuutil",
    "gpu_util",
    "gpu_utilisation",
    "gpu_utilization",
    "gpu_util_avg_pct",
    "gpuutilization",
)
"""Columns that sites add: the mean use of a job's GPUs in percent; the first there is counts."""

FREE_TEXT: Final = ("jobname", "submitline", "workdir", "comment", "systemcomment", "admincomment")
"""Columns in which users write, so that a delimiter may stand in them."""

ENOUGH: Final = (
    "sacct -a -D -P --format=JobID,JobIDRaw,Cluster,User,Account,Partition,QOS,JobName,State,"
    "ExitCode,Submit,Eligible,Start,End,ElapsedRaw,Suspended,TimelimitRaw,AllocTRES,MaxRSS,"
    "NodeList,AdminComment"
)
"""The question whose answer tells everything."""

HELD: Final = (
    "JobID",
    "JobIDRaw",
    "Cluster",
    "User",
    "Account",
    "Partition",
    "State",
    "Submit",
    "Eligible",
    "Start",
    "End",
    "ElapsedRaw",
    "Suspended",
    "AllocTRES",
    "NodeList",
)
"""What holding the two books against each other needs: no column in which users write."""

_NAMES: Final = (
    "account alloctres admincomment cluster elapsed elapsedraw eligible end exitcode jobid "
    "jobidraw jobname maxrss nodelist partition qos reqmem start state submit submitline "
    "suspended timelimit timelimitraw user"
)
_KNOWN: Final = frozenset(_NAMES.split())

_DELIMITER = re.compile(r"[A-Za-z]([^A-Za-z0-9_ ]+)[A-Za-z]")
_TABLE = re.compile(r"\s*-{3,}(?:\s+-{3,})+\s*")


class HeaderError(ValueError):
    """A first line from which nothing can be read; the message says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The columns of a file, lower case; of two with one name the first counts."""

    delimiter: str
    columns: tuple[str, ...]
    trailing: bool = False
    """Every line ends in a delimiter (`sacct -p`)."""

    def place(self, name: str) -> int | None:
        """Return where a column stands; None where it does not."""
        return self.columns.index(name) if name in self.columns else None

    @property
    def rate(self) -> str:
        """Return the column of a job's mean use; "" where there is none."""
        return next((name for name in RATES if name in self.columns), "")


def is_accounting(first: str) -> bool:
    """Tell whether a first line is a header of sacct, or the head of its JSON."""
    if first.lstrip().startswith("{"):
        return True
    names = {name.lower() for name in re.split(r"[^A-Za-z0-9]+", first)}
    return bool({"jobid", "jobidraw"} & names) and len(names & _KNOWN) > 2


def header(first: str, second: str = "") -> Header:
    """Return the columns that a first line names; raise HeaderError."""
    if _TABLE.fullmatch(second):
        raise HeaderError(f"is sacct's table, in which texts are cut off; ask with -P: {ENOUGH}")
    found = _DELIMITER.search(first)
    delimiter = found[1] if found else "|"
    names = [name.strip().lower() for name in first.split(delimiter)]
    trailing = names[-1] == ""
    return checked(names[:-1] if trailing else names, delimiter, trailing=trailing)


def checked(names: Sequence[str], delimiter: str, *, trailing: bool = False) -> Header:
    """Return the header of these columns; raise HeaderError with everything that is missing."""
    made = Header(delimiter=delimiter, columns=tuple(names), trailing=trailing)
    missing = [] if {"jobid", "jobidraw"} & set(names) else ["JobID"]
    if "alloctres" not in names:
        missing.append("AllocTRES")
    if not {"elapsedraw", "elapsed"} & set(names) and not {"start", "end"} <= set(names):
        missing.append("ElapsedRaw")
    if missing:
        raise HeaderError(f"lacks the columns {', '.join(missing)}; ask with: {ENOUGH}")
    return made
