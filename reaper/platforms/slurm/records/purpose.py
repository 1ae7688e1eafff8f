"""What a job is for: an operator's rules first, then the evidence that a person sits in it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from reaper.domain.facts.allocation import Purpose
from reaper.platforms.slurm.records.record import Job

STRONG: Final = 2
MEDIUM: Final = 1

#: Names that front-ends give the sessions they start: Open OnDemand, batchspawner, salloc.
_NAMES: Final = ("sys/dashboard*", "interactive", "spawner-jupyterhub*", "ondemand*", "no-shell")
_SHELLS: Final = frozenset(("bash", "csh", "dash", "fish", "ksh", "sh", "tcsh", "tmux", "zsh"))
_SALLOC = re.compile(r"(?:^|/|\s)salloc(?:\s|$)")
_PTY = re.compile(r"\s--pty(?:\s|=|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """An operator's word on jobs that fit every given list of shell-style patterns."""

    purpose: Purpose
    partition: tuple[str, ...] = ()
    qos: tuple[str, ...] = ()
    account: tuple[str, ...] = ()
    name: tuple[str, ...] = ()

    def fits(self, job: Job) -> bool:
        """Tell whether the rule is for this job."""
        pairs = (
            (self.partition, job.partition),
            (self.qos, job.qos),
            (self.account, job.account),
            (self.name, job.name),
        )
        return all(not wanted or _any(wanted, value) for wanted, value in pairs)


def purpose(job: Job, rules: Sequence[Rule] = ()) -> tuple[Purpose, tuple[str, ...], bool]:
    """
    Return what a job is for, what says so, and whether that is an operator's rule.

    Any evidence of a person makes it interactive, which protects it most: a wrong "interactive"
    delays a release, a wrong "training" could end a person's session.
    """
    for number, rule in enumerate(rules, start=1):
        if rule.fits(job):
            return rule.purpose, (f"purpose rule {number} of the configuration",), True
    evidence = tuple(_evidence(job))
    if sum(weight for weight, _ in evidence) >= MEDIUM:
        return Purpose.INTERACTIVE, tuple(line for _, line in evidence), False
    return Purpose.TRAINING, ("a batch script, and nothing that points to a person",), False


def _evidence(job: Job) -> Iterator[tuple[int, str]]:
    if not job.batch:
        yield STRONG, "no batch script: salloc or srun"
    if _SALLOC.search(job.submit_line):
        yield STRONG, "submitted by salloc"
    if _PTY.search(job.submit_line):
        yield STRONG, "submitted by srun --pty"
    if not job.batch and job.command.rpartition("/")[2] in _SHELLS:
        yield STRONG, f"runs a shell: {job.command}"
    if _any(_NAMES, job.name):
        yield MEDIUM, f"named like a session: {job.name}"


def _any(patterns: Sequence[str], value: str) -> bool:
    return any(fnmatchcase(value, pattern) for pattern in patterns)
