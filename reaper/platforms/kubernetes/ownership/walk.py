"""From a pod by its controllers up to the workload: the object that would be stopped."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from reaper.platforms.kubernetes.objects import Meta, Reference, kind_of

#: No owner is known to stand higher.
_DEEPEST: Final = 16

Find = Callable[[str], Meta | None]
"""Given a UID, what is known of that object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Top:
    """
    The workload of a pod; `meta` is None where only its owner reference is known.

    `chain` are the controllers up to it, the pod itself left out.  `doubt` is why it may be
    another one.
    """

    reference: Reference
    meta: Meta | None = None
    chain: tuple[Reference, ...] = ()
    doubt: str = ""

    @property
    def known(self) -> bool:
        """Tell whether its kind is one that the reaper knows."""
        return kind_of(self.reference.group, self.reference.kind) is not None


def top(pod: Meta, find: Find, trouble: Mapping[str, str]) -> Top:
    """
    Walk from a pod to its workload; it always ends.

    What only starts others from time to time (a CronJob) is not walked to: stopping it ends
    nothing that runs.  Neither is a node, which controls the pods that its kubelet runs from files.
    `trouble` is why kinds could not be read, by name.
    """
    here, chain, seen = pod, list[Reference](), {pod.uid}
    while (above := here.controller) is not None and not _aside(above):
        if above.uid in seen or len(chain) == _DEEPEST:
            return _ended(here, chain, f"its owners go round in a circle at {above}")
        found = find(above.uid)
        seen.add(above.uid)
        chain.append(above)
        if found is None:
            return Top(reference=above, chain=tuple(chain), doubt=_missing(above, trouble))
        if found.odd:
            return Top(reference=above, meta=found, chain=tuple(chain), doubt=_odd(found))
        here = found
    return _ended(here, chain, "")


def _aside(above: Reference) -> bool:
    kind = kind_of(above.group, above.kind)
    return kind is not None and (kind.starts or not kind.namespaced)


def _ended(here: Meta, chain: list[Reference], doubt: str) -> Top:
    return Top(reference=here.reference, meta=here, chain=tuple(chain), doubt=doubt)


def _missing(above: Reference, trouble: Mapping[str, str]) -> str:
    """Return why an owner is not known; somebody's own kind need not be: nothing is done to it."""
    if kind_of(above.group, above.kind) is None:
        return ""
    if not above.uid:
        return f"its owner {above} has no UID"
    if why := trouble.get(above.kind):
        return f"its owner {above} cannot be read: {why}"
    return f"its owner {above} is gone, or is not seen"


def _odd(found: Meta) -> str:
    return f"its owner {found.reference} cannot be read: {found.odd}"
