"""
What proves a save: a file that is newer than the request, by the clock of the file server.

Pure: the shell scripts that look, what they say, and what that means.  A file counts that its
owner can read and that is not empty: a full disk leaves empty ones.
"""

import re
from dataclasses import dataclass
from typing import Final

from reaper.platforms.slurm.records.record import Job
from reaper.ports import ActionError

#: Prints the later of "now" and the newest file there is, in the file server's own time.  "Now"
#: is the time of a file that lives for a moment in the folder, or in the nearest one that exists.
MARK: Final = r"""
PATH=/usr/bin:/bin
place=$1
if [ -e "$place" ] && ! { [ -r "$place" ] && { [ ! -d "$place" ] || [ -x "$place" ]; }; }; then
  echo "refused its user cannot read $place"; exit 0
fi
until [ -d "$place" ]; do place=$(dirname "$place"); done
probe=$(mktemp "$place/.gpu-reaper.XXXXXX" 2>/dev/null) || {
  echo "refused its user cannot write in $place"; exit 0
}
trap 'rm -f "$probe"' EXIT
newest=$(find -H "$probe" "$1" -type f -printf '%T@\n' 2>/dev/null | sort -n | tail -n 1)
echo "mark $newest"
"""

#: Prints time and size of every file that is newer than a mark, then that this is all.
LOOK: Final = r"""
PATH=/usr/bin:/bin
find -H "$1" -type f -readable -size +0c -newermt "@$2" -printf 'file %T@ %s\n' 2>/dev/null
echo end
"""

_MARKED: Final = re.compile(r"^mark (\d+\.\d+)$", re.MULTILINE | re.ASCII)
_REFUSED: Final = re.compile(r"^refused (.+)$", re.MULTILINE)
_FILE: Final = re.compile(r"^file (\d+\.\d+) (\d+)$", re.MULTILINE | re.ASCII)
_KEPT: Final = re.compile(r"\bproof after (\d+\.\d+)\b", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The files newer than a mark: two looks that agree mean that nobody writes any more."""

    files: tuple[tuple[str, int], ...]
    """Time (as the file server writes it) and bytes of each, sorted."""


def path(template: str, job: Job) -> str:
    """Return where a job's proof lies; raise ActionError where Slurm does not say."""
    if "{workdir}" in template and not job.workdir.startswith("/"):
        raise ActionError(
            f"job {job.address}: Slurm does not say where it works; write an absolute path",
            recoverable=False,
        )
    names = {"{workdir}": job.workdir, "{job}": str(job.id), "{user}": job.user}
    return re.sub(r"\{(?:workdir|job|user)\}", lambda found: names[found[0]], template)


def marked(said: str) -> str:
    """Return the mark that a script printed; raise ActionError with what it says instead."""
    refused = _REFUSED.search(said)
    if refused:
        raise ActionError(f"no save can be proven: {refused[1]}", recoverable=False)
    found = _MARKED.search(said)
    if found is None:
        raise ActionError("its proof cannot be read: the look said nothing", recoverable=True)
    return found[1]


def written(mark: str) -> str:
    """Return a mark as a receipt holds it."""
    return f"proof after {mark}"


def kept(receipt: str) -> str:
    """Return the mark that a receipt holds, or an empty text."""
    found = _KEPT.search(receipt)
    return found[1] if found else ""


def found(said: str) -> Found:
    """Return what a look saw; raise ActionError when it did not come to its end."""
    if "end" not in said.split("\n"):
        raise ActionError("its proof cannot be read: the look broke off", recoverable=True)
    files = sorted((time, int(size)) for time, size in _FILE.findall(said))
    return Found(files=tuple(files))
