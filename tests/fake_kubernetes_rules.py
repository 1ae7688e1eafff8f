"""The rules by which the fake API server selects, merges, refuses and lets evict."""

import copy
from collections.abc import Iterable, Mapping

from aiohttp import web

CREATED = "2026-07-06T08:00:00Z"


class Refusal(Exception):
    """What a server answers instead: a Status."""

    def __init__(
        self,
        status: int,
        reason: str,
        message: str,
        *,
        causes: tuple[dict, ...] = (),
        retry_after: str = "",
    ) -> None:
        super().__init__(message)
        self._status = status
        self._reason = reason
        self._message = message
        self._causes = causes
        self._retry_after = retry_after

    def status(self) -> dict:
        """Return it as an object."""
        return {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": self._message,
            "reason": self._reason,
            "details": {"causes": list(self._causes)} if self._causes else {},
            "code": self._status,
        }

    def response(self) -> web.Response:
        """Return it as an answer."""
        headers = {"Retry-After": self._retry_after} if self._retry_after else {}
        return web.json_response(self.status(), status=self._status, headers=headers)


def merged(found: dict, changed: Mapping) -> dict:
    """Return an object with a merge patch applied; null removes."""
    made = copy.deepcopy(found)
    for key, value in changed.items():
        if value is None:
            made.pop(key, None)
        elif isinstance(value, Mapping):
            before = made.get(key)
            made[key] = merged(before if isinstance(before, dict) else {}, value)
        else:
            made[key] = copy.deepcopy(value)
    return made


def must_be(found: dict, body: Mapping) -> None:
    """Refuse what names another object or another version of it."""
    about, asked = found["metadata"], body.get("metadata") or {}
    for name in ("uid", "resourceVersion"):
        if asked.get(name) and asked[name] != about[name]:
            text = f"the object has been modified: {name} is {about[name]}, not {asked[name]}"
            raise Refusal(409, "Conflict", text)


def blocking(pod: dict, budgets: Iterable[dict]) -> None:
    """Refuse an eviction that its disruption budgets forbid."""
    about = pod["metadata"]
    labels = about.get("labels") or {}
    own = [
        one
        for one in budgets
        if one["metadata"].get("namespace") == about.get("namespace")
        and _fits(labels, (one["spec"].get("selector") or {}).get("matchLabels") or {})
    ]
    if len(own) > 1:
        raise Refusal(
            500,
            "InternalError",
            "This pod has more than one PodDisruptionBudget, which the "
            "eviction subresource does not support.",
        )
    if own and not (own[0].get("status") or {}).get("disruptionsAllowed", 0):
        name = own[0]["metadata"]["name"]
        raise Refusal(
            429,
            "TooManyRequests",
            "Cannot evict pod as it would violate the pod's disruption budget.",
            causes=(
                {
                    "reason": "DisruptionBudget",
                    "message": f"The disruption budget {name} needs 1 healthy pods and has 1",
                },
            ),
        )


def selected(found: dict, query: Mapping[str, str]) -> bool:
    """Tell whether an object fits a request's field and label selectors."""
    for part in filter(None, query.get("fieldSelector", "").split(",")):
        negated = "!=" in part
        path, _, wanted = part.partition("!=" if negated else "=")
        value: object = found
        for step in path.split("."):
            value = value.get(step) if isinstance(value, dict) else None
        if ((value or "") == wanted) == negated:
            return False
    labels = found["metadata"].get("labels") or {}
    wanted_labels = dict(
        part.split("=", 1) for part in query.get("labelSelector", "").split(",") if "=" in part
    )
    return _fits(labels, wanted_labels)


def partial(request: web.Request, found: dict) -> dict:
    """Return an object in the form that was asked for: whole, or its metadata."""
    if "as=PartialObjectMetadata" not in request.headers.get("Accept", ""):
        return found
    about = found["metadata"]
    return {"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": about}


def scale_of(found: dict) -> dict:
    """Return the scale of an object that has one."""
    about = found["metadata"]
    kept = {
        key: about[key] for key in ("name", "namespace", "uid", "resourceVersion") if key in about
    }
    replicas = (found.get("spec") or {}).get("replicas", 1)
    return {
        "kind": "Scale",
        "apiVersion": "autoscaling/v1",
        "metadata": kept,
        "spec": {"replicas": replicas},
        "status": {"replicas": (found.get("status") or {}).get("replicas", replicas)},
    }


def _fits(labels: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
    return all(labels.get(key) == value for key, value in wanted.items())
