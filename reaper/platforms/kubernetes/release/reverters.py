"""
Who would undo a stop: GitOps, autoscalers, other operators.  Then its owner is told, no more.

Pure, on what every object says of itself, so that a claim and `doctor` can say it long before
anybody is promised a release.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from reaper.platforms.kubernetes.objects import Meta, kind_of
from reaper.platforms.kubernetes.release.marks import at
from reaper.platforms.kubernetes.release.stops import QUEUED, STOPS, Raw

#: Labels and annotations by which tools say "I keep this as it is written elsewhere".
_SIGNS: Final[tuple[tuple[str, str], ...]] = (
    ("argocd.argoproj.io/tracking-id", "Argo CD"),
    ("argocd.argoproj.io/instance", "Argo CD"),
    ("kustomize.toolkit.fluxcd.io/name", "Flux"),
    ("helm.toolkit.fluxcd.io/name", "Flux"),
    ("configmanagement.gke.io/managed", "Config Sync"),
    ("configsync.gke.io/resource-id", "Config Sync"),
    ("kubernetes.io/config.mirror", "its node, which runs it from a file"),
    ("objectset.rio.cattle.io/hash", "Fleet"),
)

#: Beginnings of the names under which such tools write.
_WRITERS: Final[tuple[tuple[str, str], ...]] = (
    ("argocd", "Argo CD"),
    ("kustomize-controller", "Flux"),
    ("helm-controller", "Flux"),
)

#: Argo CD's tracking label unless it is told otherwise; charts write it too.
_INSTANCE: Final = "app.kubernetes.io/instance"
_RELEASE: Final = "meta.helm.sh/release-name"
_ADDON: Final = "addonmanager.kubernetes.io/mode"

#: Modes of a VPA in which it ends pods by itself.
_EVICTING: Final = ("Auto", "Recreate", "InPlaceOrRecreate")

#: Autoscalers by group and kind, and where they say whose number they set.
SCALERS: Final[Mapping[tuple[str, str], tuple[str, ...]]] = {
    ("autoscaling", "HorizontalPodAutoscaler"): ("spec", "scaleTargetRef"),
    ("keda.sh", "ScaledObject"): ("spec", "scaleTargetRef"),
    ("autoscaling.k8s.io", "VerticalPodAutoscaler"): ("spec", "targetRef"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scaler:
    """An autoscaler, and the kind and name of what it scales in its namespace."""

    kind: str
    namespace: str
    name: str
    of: tuple[str, str]
    group: str = ""
    """The group of what it scales, "" where it does not say."""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


def scaler(raw: Raw, group: str, kind: str) -> Scaler | None:
    """Return an autoscaler that may undo a stop; None for one that never does."""
    target = at(raw, SCALERS[group, kind])
    mode = at(raw, ("spec", "updatePolicy", "updateMode")) or "Auto"
    if not isinstance(target, Mapping) or (kind.startswith("Vertical") and mode not in _EVICTING):
        return None
    version = str(target.get("apiVersion") or "")
    return Scaler(
        kind=kind,
        namespace=str(at(raw, ("metadata", "namespace")) or ""),
        name=str(at(raw, ("metadata", "name"))),
        of=(str(target.get("kind") or "Deployment"), str(target.get("name"))),
        group=version.rpartition("/")[0],
    )


def reverter(meta: Meta, *, scalers: Iterable[Scaler] = ()) -> str:
    """Return who would undo a stop of a workload, "" for nobody."""
    found = (*_signed(meta), *_writers(meta), *_owned(meta), *_scaled(meta, scalers))
    return found[0] if found else ""


def refusal(meta: Meta, *, scalers: Iterable[Scaler] = (), queued: bool = False) -> str:
    """
    Return why a workload is not stopped but only told of, "" where nothing stands against it.

    `queued` tells that Kueue manages it, which can stop kinds that we cannot.
    """
    what = (meta.reference.group, meta.reference.kind)
    if undone := reverter(meta, scalers=scalers):
        return f"{undone} would undo it"
    if not queued and what not in STOPS and what != ("", "Pod"):
        return f"nobody knows how a {meta.reference.kind} is stopped"
    return ""


def _signed(meta: Meta) -> Iterator[str]:
    for sign, who in _SIGNS:
        if value := meta.annotations.get(sign) or meta.labels.get(sign):
            yield f"{who} ({sign}={value})"
    if meta.labels.get(_ADDON) == "Reconcile":
        yield f"the addon manager ({_ADDON}=Reconcile)"


def _writers(meta: Meta) -> Iterator[str]:
    """Yield who has written to it; a label that charts write too says it only by itself."""
    for name in meta.managers:
        found = (who for start, who in _WRITERS if name.startswith(start))
        yield from (f"{who} (it writes as {name})" for who in found)
    instance = meta.labels.get(_INSTANCE)
    if instance and not meta.managers and meta.annotations.get(_RELEASE) != instance:
        yield f"Argo CD, it may be ({_INSTANCE}={instance})"


def _owned(meta: Meta) -> Iterator[str]:
    """
    Yield its owners: whoever made it makes it again.

    What only starts it does not, and a Workload of Kueue's is owned by the pods that it groups.
    """
    group = (meta.reference.group, meta.reference.kind) == (QUEUED.group, QUEUED.kind)
    for owner in () if group else meta.owners:
        kind = kind_of(owner.group, owner.kind)
        if kind is None or not kind.starts:
            yield f"its owner {owner.kind} {owner.name}"


def _scaled(meta: Meta, scalers: Iterable[Scaler]) -> Iterator[str]:
    reference = meta.reference
    for one in scalers:
        same = (one.namespace, *one.of) == (reference.namespace, reference.kind, reference.name)
        if same and one.group in ("", reference.group):
            yield str(one)
