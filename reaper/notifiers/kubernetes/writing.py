"""
Writing notices on an object: an Event on it and on each of its pods, and one annotation.

English whatever the person reads, since others look there too.  What was written once is not
written again: an Event has its notice's id in its name, an annotation its text.
"""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from reaper.domain.escalation.notice import Notice
from reaper.domain.escalation.sequel import Sequel
from reaper.edge.kubernetes import Connection, KubeError, Object, door
from reaper.languages.language import language
from reaper.notifiers.kubernetes.finding import NOTICE, Found, find, inner
from reaper.notifiers.kubernetes.settings import KubernetesNoticeSettings
from reaper.notifiers.letters import amended, write
from reaper.notifiers.texts import Message
from reaper.ports import Clock, Delivered, Letter, NotifyError
from reaper.schema import duration

NAME: Final = "kubernetes"

#: Bytes of an Event's note that an API server takes are 1024.
_LONGEST: Final = 1000

_REASONS: Final = {
    "warning": "GPUIdle",
    "final": "GPUIdleLastNotice",
    "released": "GPUReleased",
    "reverted": "GPUReleaseReverted",
    "failed": "GPUReleaseFailed",
    "advice": "GPUAdvice",
}
_FORBIDDEN: Final = 403
#: Kinds that nobody need worry about.
_NORMAL: Final = ("released", "advice")


def opened(settings: KubernetesNoticeSettings, clock: Clock) -> Connection:
    """Return the way to the cluster that an entry names; nothing is asked yet."""
    way = door(
        path=settings.kubeconfig,
        context=settings.context,
        clock=clock,
        environment=dict(os.environ),
    )
    return Connection(NAME, way, clock, timeout=settings.timeout)


class KubernetesNotices:
    """Tells on the objects of one cluster what happens next with them."""

    name = NAME
    personal = False
    beside = True

    def __init__(self, connection: Connection, *, clock: Clock) -> None:
        self._connection = connection
        self._clock = clock

    async def deliver(self, letter: Letter) -> Delivered:
        """Write on every object of the letter that is there; a NotifyError where none is."""
        if letter.notice.kind == "operator":
            raise NotifyError("kubernetes: not a channel of operators", recoverable=False)
        told = [place for one in letter.notices if (place := await self._told(letter, one))]
        if not told:
            raise NotifyError("kubernetes: nothing of it is in this cluster", recoverable=False)
        return Delivered(at=self._clock.now(), handle=", ".join(told))

    async def amend(self, letter: Letter, sequels: Mapping[str, Sequel]) -> None:
        """Say on each object what has become of its notice since; nothing where it is gone."""
        for notice in letter.notices:
            if notice.id in sequels:
                await self._told(letter, notice, sequels)

    async def _told(
        self, letter: Letter, notice: Notice, sequels: Mapping[str, Sequel] | None = None
    ) -> str:
        """Write one notice on its object; return where, "" where it is not there."""
        alone = replace(
            letter, notices=(notice,), person=replace(letter.person, language="en"), tokens={}
        )
        try:
            found = await find(self._connection, notice)
            if found is None:
                return ""
            shown = write(alone) if sequels is None else amended(alone, sequels)
            text = _cut(_said(shown, notice, found))
            await self._annotate(found, text)
            if sequels is None:
                for raw in (found.raw, *found.pods):
                    await self._event(found, raw, notice, text)
        except KubeError as error:
            raise _refused(error) from error
        return found.path

    async def _annotate(self, found: Found, text: str) -> None:
        """Annotate an object; a role that only notifies may not, and then Events alone tell."""
        if found.annotation == text:
            return
        meta = {key: found.meta.get(key) for key in ("uid", "resourceVersion")}
        body = {"metadata": {**meta, "annotations": {NOTICE: text}}}
        try:
            await self._connection.patch(found.path, body)
        except KubeError as error:
            if error.status != _FORBIDDEN:
                raise

    async def _event(self, found: Found, raw: Object, notice: Notice, text: str) -> None:
        """Write an Event once: a second one of its name is the same."""
        served = await self._connection.served()
        newer = served.version("events.k8s.io", "Event") is not None
        meta = inner(raw, "metadata")
        namespace = str(meta.get("namespace") or "")
        of_pod = raw is not found.raw
        regarding = {
            "apiVersion": "v1" if of_pod else _version(found),
            "kind": "Pod" if of_pod else found.resource.kind,
            "namespace": namespace,
            "name": str(meta.get("name")),
            "uid": str(meta.get("uid")),
        }
        about = _about(notice, text, _micro(self._clock.now()), newer=newer)
        name = f"{str(meta.get('name'))[:200]}.{_digest(notice.id + str(meta.get('uid')))}"
        body = {
            "kind": "Event",
            "apiVersion": "events.k8s.io/v1" if newer else "v1",
            "metadata": {"name": name, "namespace": namespace},
            "regarding" if newer else "involvedObject": regarding,
            **about,
        }
        path = served.path("events.k8s.io" if newer else "", "Event", namespace)
        try:
            await self._connection.post(path or "", body)
        except KubeError as error:
            if error.reason != "AlreadyExists":
                raise


def _said(shown: Message, notice: Notice, found: Found) -> str:
    """Return what a message says in one line, with the command that keeps it here."""
    keep = ""
    if notice.kind in ("warning", "final") and notice.story.keeps_left > 0:
        where = f"{found.resource.plural}/{found.meta.get('name')}"
        lasting = duration(notice.story.keep_seconds)
        space = found.meta.get("namespace")
        command = f"kubectl annotate -n {space} {where} gpu-reaper.io/keep={lasting} --overwrite"
        keep = language("notices", "en").text("keep-by", command=command)
    told = (f"{shown.title}.", shown.lead, keep, *shown.next)
    return " ".join(part for part in told if part)


def _about(notice: Notice, text: str, now: str, *, newer: bool) -> dict[str, Any]:
    """Return the fields of an Event that say what happened, in the form of either version."""
    common = {
        "reason": _REASONS[notice.kind],
        "type": "Normal" if notice.kind in _NORMAL else "Warning",
        "action": "Notified",
        "eventTime": now,
        "reportingInstance": "gpu-reaper",
    }
    if newer:
        return {**common, "note": text, "reportingController": "gpu-reaper.io/reaper"}
    source = {"component": "gpu-reaper"}
    return {
        **common,
        "message": text,
        "reportingComponent": "gpu-reaper.io/reaper",
        "source": source,
    }


def _version(found: Found) -> str:
    one = found.resource
    return f"{one.group}/{one.version}" if one.group else one.version


def _cut(text: str) -> str:
    """Return a text that fits, cut between characters."""
    raw = text.encode("utf-8")
    return text if len(raw) <= _LONGEST else raw[:_LONGEST].decode("utf-8", "ignore") + "…"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _micro(instant: float) -> str:
    return datetime.fromtimestamp(instant, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _refused(error: KubeError) -> NotifyError:
    later = error.status in (0, 409, 429) or error.status >= 500
    return NotifyError(f"kubernetes: {error}", recoverable=later, retry_after=error.retry_after)
