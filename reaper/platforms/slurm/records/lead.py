"""A job's own signal lead: how long before its end it wants its signal (`sbatch --signal`)."""

import re
import shlex
from typing import Final

#: The longest lead that a release waits for; seconds.
LONGEST: Final = 900.0
#: What Slurm takes where a signal is given without a time; seconds.
USUAL: Final = 60.0

_OPTION = re.compile(r"--signal(?:=|\s+)(\S+)")
_VALUE = re.compile(r"(?:[RB]{1,2}:)?[A-Za-z0-9+]+(?:@(\d{1,6}))?", re.ASCII)


def lead(submit_line: str, script: str) -> float:
    """Return the lead in seconds, 0 for none; the command line wins over the script."""
    found = _first(submit_line.partition(" -- ")[0]) or _first(_directives(script))
    return min(found, LONGEST)


def _directives(script: str) -> str:
    """Return the #SBATCH lines, which end at the script's first command."""
    kept: list[str] = []
    for line in script.split("\n"):
        if line.startswith("#SBATCH"):
            kept.append(_uncommented(line.removeprefix("#SBATCH")))
        elif line.strip() and not line.lstrip().startswith("#"):
            break
    return " ".join(kept)


def _uncommented(line: str) -> str:
    try:
        return " ".join(shlex.split(line, comments=True))
    except ValueError:
        return line


def _first(text: str) -> float:
    option = _OPTION.search(f" {text}")
    value = _VALUE.fullmatch(option[1].strip("\"'")) if option else None
    if value is None:
        return 0.0
    return float(value[1]) if value[1] else USUAL
