"""Reads pods."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from reaper.platforms.kubernetes.objects.counting import GPUS, Resources, asked, effective
from reaper.platforms.kubernetes.objects.metas import meta
from reaper.platforms.kubernetes.objects.record import Container, Pod, Toleration, Wants, Wish
from reaper.platforms.kubernetes.objects.scalars import Reading, shown

_PHASES: Final = frozenset(("Pending", "Running", "Succeeded", "Failed", "Unknown"))
#: The kubelet's mark on pods that it runs from a file: the UID that it gave them.
_STATIC: Final = "kubernetes.io/config.mirror"
_GRACE: Final = 30.0


def pod(raw: Mapping[str, Any], resources: Resources = GPUS) -> Pod:
    """Return a pod; what of it cannot be read is its doubt."""
    notes = Reading()
    about = meta(raw, "", "Pod", notes)
    spec, status = notes.within(raw, "spec"), notes.within(raw, "status")
    gpus = effective(spec, resources, notes)
    claims, awaited, covered = _claims(spec, status, notes)
    phase, started = notes.text(status, "phase"), notes.instant(status, "startTime")
    seconds = notes.number(spec, "activeDeadlineSeconds")
    waits, since = _unschedulable(status, notes)
    grace = notes.number(spec, "terminationGracePeriodSeconds")
    return Pod(
        meta=about,
        phase=phase,
        node=notes.text(spec, "nodeName"),
        started=started,
        gpus={name: number for name, number in gpus.items() if name not in covered},
        claims=claims,
        awaited=awaited,
        containers=tuple(_containers(spec, resources, notes)),
        wants=wants(spec, notes),
        grace=_GRACE if grace is None else grace,
        priority_class=notes.text(spec, "priorityClassName"),
        deadline=None if seconds is None or started is None else started + seconds,
        scheduler=notes.text(spec, "schedulerName"),
        restart=notes.text(spec, "restartPolicy") or "Always",
        gates=tuple(notes.text(gate, "name") for gate in notes.each(spec, "schedulingGates")),
        unschedulable=waits,
        unschedulable_since=since,
        static=about.annotations.get(_STATIC, ""),
        doubt=_doubt(phase, about.uid, notes),
    )


def _doubt(phase: str, uid: str, notes: Reading) -> str:
    if not uid:
        return "it has no UID"
    if phase not in _PHASES:
        return f"its phase is {shown(phase)}, which is none that is known"
    if phase == "Unknown":
        return "its node does not say whether it runs (phase Unknown)"
    return "; ".join(notes.odd[:3])


def _claims(
    spec: Mapping[str, Any], status: Mapping[str, Any], notes: Reading
) -> tuple[tuple[str, ...], tuple[str, ...], frozenset[str]]:
    """
    Return the names of a pod's resource claims, of those not made yet, and what they stand for.

    A claim made from a template is named in the status.  Where a DRA driver serves an extended
    resource (KEP-5004), the claim that it made stands for that resource.
    """
    made = {
        notes.text(entry, "name"): notes.text(entry, "resourceClaimName")
        for entry in notes.each(status, "resourceClaimStatuses")
    }
    found: list[str] = []
    awaited: list[str] = []
    for entry in notes.each(spec, "resourceClaims"):
        source = notes.within(entry, "source") or entry
        name = notes.text(entry, "name")
        claim = notes.text(source, "resourceClaimName") or made.get(name, "")
        # Named there and empty: the template makes none.
        if claim:
            found.append(claim)
        elif name not in made:
            awaited.append(name)
    extended = notes.within(status, "extendedResourceClaimStatus")
    if name := notes.text(extended, "resourceClaimName"):
        found.append(name)
    covered = [notes.text(one, "resourceName") for one in notes.each(extended, "requestMappings")]
    return tuple(dict.fromkeys(found)), tuple(awaited), frozenset(covered)


def _containers(
    spec: Mapping[str, Any], resources: Resources, notes: Reading
) -> Iterator[Container]:
    """Yield the containers that run as long as the pod: sidecars are among them."""
    sidecars = (one for one in notes.each(spec, "initContainers") if _stays(one))
    for raw in (*notes.each(spec, "containers"), *sidecars):
        yield Container(
            name=notes.text(raw, "name"),
            command=(*notes.texts(raw, "command"), *notes.texts(raw, "args"))[:8],
            stdin=notes.flag(raw, "stdin"),
            tty=notes.flag(raw, "tty"),
            pre_stop=bool(notes.within(raw, "lifecycle", "preStop")),
            gpus=sum(asked(raw, resources, notes).values()),
        )


def _stays(container: Mapping[str, Any]) -> bool:
    return container.get("restartPolicy") == "Always"


def wants(spec: Mapping[str, Any], notes: Reading) -> Wants:
    """Return where a pod of this spec may run."""
    required = notes.within(
        spec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"
    )
    return Wants(
        selector=notes.words(spec, "nodeSelector"),
        terms=terms(required, notes),
        tolerations=tuple(_tolerations(spec, notes)),
    )


def terms(selector: Mapping[str, Any], notes: Reading) -> tuple[tuple[Wish, ...], ...]:
    """Return the terms of a node selector: one of them has to hold."""
    return tuple(
        (
            *_wishes(term, "matchExpressions", notes, of_field=False),
            *_wishes(term, "matchFields", notes, of_field=True),
        )
        for term in notes.each(selector, "nodeSelectorTerms")
    )


def _wishes(term: Mapping[str, Any], key: str, notes: Reading, *, of_field: bool) -> Iterator[Wish]:
    for entry in notes.each(term, key):
        yield Wish(
            key=notes.text(entry, "key"),
            operator=notes.text(entry, "operator"),
            values=notes.texts(entry, "values"),
            of_field=of_field,
        )


def _tolerations(spec: Mapping[str, Any], notes: Reading) -> Iterator[Toleration]:
    for entry in notes.each(spec, "tolerations"):
        yield Toleration(
            key=notes.text(entry, "key"),
            operator=notes.text(entry, "operator") or "Equal",
            value=notes.text(entry, "value"),
            effect=notes.text(entry, "effect"),
        )


def _unschedulable(status: Mapping[str, Any], notes: Reading) -> tuple[str, float | None]:
    for condition in notes.each(status, "conditions"):
        if notes.text(condition, "type") == "PodScheduled" and condition.get("status") == "False":
            reason = notes.text(condition, "reason") or "not scheduled"
            said = notes.text(condition, "message")
            since = notes.instant(condition, "lastTransitionTime")
            return f"{reason}: {said}"[:500] if said else reason, since
    return "", None
