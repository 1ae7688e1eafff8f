"""
The devices that the kubelet assigned, from its pod-resources socket: also to pods at rest.

Asked in the background with a deadline; what it said last is used until it answers again, and for
at most :data:`KEPT` seconds.  grpcio is an extra (``gpu-reaper[kubelet]``), loaded when a socket is
configured.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from exporter.attribution.allocation import Scene
from exporter.attribution.podresources import Assignment, WireError, parse
from exporter.snapshot import Device

KEPT: Final = 120.0
DEADLINE: Final = 5.0
_METHOD: Final = "/v1.PodResourcesLister/List"
_REPLICA: Final = re.compile(r"::\d+$")
_CARD: Final = re.compile(r"(?:/dev/)?nvidia(\d+)")
_CLAIMED: Final = re.compile(r"gpu-(\d+)")
_DRIVER: Final = "gpu.nvidia.com"
_LONGEST: Final = 16 << 20


class KubeletAssignments:
    """Asks one kubelet; `socket` is its path, `logs` the folder that tells pods' UIDs."""

    def __init__(self, socket: str, logs: Path) -> None:
        self.trouble = "not asked yet"
        self._socket = socket
        self._logs = logs
        self._channel: Any = None
        self._call: Any = None
        self._assignments: tuple[Assignment, ...] = ()
        self._as_of = float("-inf")

    def __call__(self, scene: Scene, running: Collection[str]) -> Mapping[str, frozenset[str]]:
        """Return the devices of the pods that run here, by pod UID.

        The kubelet still lists pods that have ended: without a process here they hold nothing.
        """
        self._take(scene.now)
        if scene.now - self._as_of > KEPT:
            return {}
        uids = _uids(self._logs, running)
        found: dict[str, frozenset[str]] = {}
        for one in self._assignments:
            uid = uids.get((one.namespace, one.name))
            if uid is not None and (devices := frozenset(_devices(one, scene.devices))):
                found[uid] = found.get(uid, frozenset()) | devices
        return found

    def close(self) -> None:
        """Let the socket go."""
        if self._channel is not None:
            self._channel.close()
        self._channel = self._call = None

    def _take(self, now: float) -> None:
        """Take an answer if there is one, and ask again."""
        if self._call is not None and self._call.done():
            self._answered(now)
        if self._call is None:
            self._ask()

    def _ask(self) -> None:
        import grpc

        if self._channel is None:
            options = [("grpc.max_receive_message_length", _LONGEST)]
            self._channel = grpc.insecure_channel(f"unix://{self._socket}", options=options)
        list_pods = self._channel.unary_unary(_METHOD)
        self._call = list_pods.future(b"", timeout=DEADLINE)

    def _answered(self, now: float) -> None:
        error = self._call.exception()
        if error is not None:
            self.trouble = f"kubelet {self._socket}: {error.code().name.lower()}"
            # A restarted kubelet makes its socket anew; a channel may stay on the old one.
            self.close()
            return
        try:
            self._assignments, self._as_of, self.trouble = parse(self._call.result()), now, ""
        except WireError as cut:
            self.trouble = f"kubelet {self._socket}: {cut}"
        self._call = None


def _uids(logs: Path, running: Collection[str]) -> Mapping[tuple[str, str], str]:
    """Read ``<namespace>_<name>_<uid>`` folders; a name with two running pods is nobody's."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    try:
        names = [folder.name.split("_") for folder in logs.iterdir()]
    except OSError:
        return {}
    for words in names:
        if len(words) == 3 and words[2] in running:
            found[words[0], words[1]].add(words[2])
    return {key: next(iter(uids)) for key, uids in found.items() if len(uids) == 1}


def _devices(one: Assignment, devices: Iterable[Device]) -> Iterator[str]:
    present = tuple(devices)
    uuids = {device.uuid for device in present}
    cards = {str(device.minor): device.uuid for device in present if not device.parent}
    for ident in one.ids:
        plain = _REPLICA.sub("", ident)
        card = _CARD.fullmatch(plain)
        yield from ({plain} & uuids) or filter(None, [cards.get(card[1])] if card else [])
    for driver, name in one.claims:
        card = _CLAIMED.fullmatch(name)
        if driver == _DRIVER and card is not None and card[1] in cards:
            yield cards[card[1]]
