"""
Slurm's commands with a notebook: every act is written down, and some kill the reaper that asked.

A plan says what becomes of each act on a job in turn: `before`, the reaper is killed and nothing
is done; `during`, it is killed and the act is done all the same; `after`, the act is done and it
is killed before it can write that down.  Acts beyond the plan are simply done.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

#: Which calls of a program are acts, by its first word, and where the job stands among its words.
ACTS: Final = {"scontrol": ("update|requeue", 2), "scancel": ("*", -1)}

_SCRIPT: Final = """#!/bin/bash
case "$1" in
{acts}) ;;
*) exec {real} "$@" ;;
esac
job=${{@:{job}:1}}
job=${{job#JobId=}}
turn=$(($(grep -cE " {name} (.*[ =])?$job( |$)" {notebook}) + 1))
how=$(sed -n "${{turn}}p" {plans}/{name}.$job 2>/dev/null)
echo "$EPOCHREALTIME ${{how:-done}} {name} $*" >>{notebook}
case "$how" in
before) kill -KILL $PPID; exit 1 ;;
during) kill -KILL $PPID; exec {real} "$@" ;;
after) {real} "$@"; kill -KILL $PPID; exit 1 ;;
esac
exec {real} "$@"
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """An act as it was called: when (Unix seconds), how it went, and what was asked."""

    at: float
    how: str
    program: str
    words: tuple[str, ...]

    @property
    def happened(self) -> bool:
        return self.how != "before"

    @property
    def job(self) -> str:
        """Return the one job that it names."""
        return self.words[-1] if self.program == "scancel" else self.words[1].partition("=")[2]

    @property
    def ends(self) -> bool:
        """Tell whether it cancels, or shrinks a limit."""
        limits = any(word.startswith("TimeLimit=") for word in self.words)
        return self.program == "scancel" or limits


@dataclass(frozen=True, slots=True)
class Commands:
    """The folder of commands that the reaper is given."""

    folder: Path

    def write(self, found: Mapping[str, str]) -> None:
        """Write a command for each of Slurm's, by the path of the real one."""
        self.folder.mkdir()
        self._notebook.touch()
        for name, real in found.items():
            path = self.folder / name
            words = {"real": real, "name": name, "notebook": self._notebook}
            script = f'#!/bin/bash\nexec {real} "$@"\n'
            if name in ACTS:
                acts, job = ACTS[name]
                script = _SCRIPT.format(acts=acts, job=f" {job}", plans=self.folder, **words)
            path.write_text(script)
            path.chmod(0o755)

    def plan(self, program: str, job: str, *how: str) -> None:
        """Say what becomes of a program's first acts on a job, in turn."""
        (self.folder / f"{program}.{job}").write_text("".join(f"{word}\n" for word in how))

    def calls(self) -> Sequence[Call]:
        """Return every act that was asked for, in order."""
        return [_call(line) for line in self._notebook.read_text().splitlines()]

    @property
    def _notebook(self) -> Path:
        return self.folder / "notebook"


def _call(line: str) -> Call:
    at, how, program, *words = line.split()
    return Call(at=float(at), how=how, program=program, words=tuple(words))
