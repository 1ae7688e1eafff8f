"""What a workload is for: an operator's rules first, then its kind and the signs of a person."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from reaper.domain.facts.allocation import Purpose
from reaper.platforms.kubernetes.objects import Container, Family, Pod

#: On the pods of servers that a hub or Coder starts for one person.
_SESSIONS: Final = (
    "hub.jupyter.org/username",
    "com.coder.workspace.id",
    "com.coder.user.username",
    "notebook-name",
)
_SHELLS: Final = frozenset(("ash", "bash", "csh", "dash", "fish", "ksh", "sh", "tcsh", "zsh"))
#: Programs that people sit in front of.
_PROGRAMS: Final = frozenset(
    (
        "code-server",
        "jupyter",
        "jupyter-lab",
        "jupyter-notebook",
        "jupyterhub-singleuser",
        "openvscode-server",
        "rserver",
        "sleep",
        "sshd",
        "tmux",
        "ttyd",
    )
)
_WAITS: Final = re.compile(
    r"\bsleep\s+(?:inf|[0-9]{4,}|[0-9.]+[hd])|\btail\s+-f\s+/dev/null|\b(?:code-server|jupyter"
    r"|openvscode-server|rserver|sshd|tmux|ttyd)\b"
)
_BY_FAMILY: Final[Mapping[Family, Purpose]] = {
    Family.NOTEBOOK: Purpose.INTERACTIVE,
    Family.CLUSTER: Purpose.INTERACTIVE,
    Family.JOB: Purpose.TRAINING,
    Family.DEPLOYMENT: Purpose.INFERENCE,
    Family.SERVER: Purpose.INFERENCE,
}
#: A pod by itself that Kubernetes does not start again has an end, as jobs have.
_ENDS: Final = frozenset(("Never", "OnFailure"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What is asked about: a workload's kind, its names and one of its pods."""

    namespace: str
    kind: str
    name: str
    family: Family | None
    pod: Pod
    queue: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """
    An operator's word on workloads that fit every given list of shell-style patterns.

    `kind` is matched in lower case.
    """

    purpose: Purpose
    namespace: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    name: tuple[str, ...] = ()
    queue: tuple[str, ...] = ()
    priority_class: tuple[str, ...] = ()

    def fits(self, subject: Subject) -> bool:
        """Tell whether the rule is for this workload."""
        pairs = (
            (self.namespace, subject.namespace),
            (tuple(kind.lower() for kind in self.kind), subject.kind.lower()),
            (self.name, subject.name),
            (self.queue, subject.queue),
            (self.priority_class, subject.pod.priority_class),
        )
        return all(
            not wanted or any(fnmatchcase(value, glob) for glob in wanted)
            for wanted, value in pairs
        )


def purpose(subject: Subject, rules: Sequence[Rule] = ()) -> tuple[Purpose, tuple[str, ...], bool]:
    """
    Return what a workload is for, what says so, and whether that is an operator's rule.

    Any evidence of a person makes it interactive, which protects it most: a wrong "interactive"
    delays a release, a wrong "training" could end a person's session.
    """
    for number, rule in enumerate(rules, start=1):
        if rule.fits(subject):
            return rule.purpose, (f"purpose rule {number} of the configuration",), True
    if evidence := tuple(_evidence(subject.pod)):
        return Purpose.INTERACTIVE, evidence, False
    if subject.family is Family.BARE:
        ends = subject.pod.restart in _ENDS
        kind = Purpose.TRAINING if ends else Purpose.OTHER
        how = "is not started again" if ends else "is started again whenever it ends"
        return kind, (f"a pod by itself that {how}, and nothing that points to a person",), False
    known = _BY_FAMILY.get(subject.family) if subject.family else None
    return known or Purpose.OTHER, (f"a {subject.kind}",), False


def personal(pod: Pod) -> bool:
    """Tell whether a pod shows any sign of a person."""
    return any(True for _ in _evidence(pod))


def _evidence(pod: Pod) -> Iterator[str]:
    for name in _SESSIONS:
        if name in pod.meta.labels or name in pod.meta.annotations:
            yield f"it bears {name}: a session of a person"
    for container in pod.containers:
        if container.stdin and container.tty:
            yield f"its container {container.name} has a terminal"
        elif shown := _sits(container):
            yield f"its container {container.name} runs {shown}"


def _sits(container: Container) -> str:
    """Return what a container runs that a person sits in front of, "" where nothing is."""
    words = container.command
    if not words:
        return ""
    program, given = words[0].rpartition("/")[2], words[1:]
    if program in _PROGRAMS:
        return program
    if program in _SHELLS:
        script = " ".join(word for word in given if not word.startswith("-"))
        if not script:
            return program
        if found := _WAITS.search(script):
            return found[0]
    if program == "tail" and "/dev/null" in given:
        return "tail -f /dev/null"
    if program.startswith("python") and (found := _WAITS.search(" ".join(given[:3]))):
        return found[0]
    return ""
