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
from exporter.sampling.snapshot import Device

KEPT: Final = 120.0
DEADLINE: Final = 5.0
_METHOD: Final = "/v1.PodResourcesLister/List"
_REPLICA: Final = re.compile(r"::\d+$")
#: A card by its minor number; GKE adds the GPU instance, and a number to each that shares it.
_CARD: Final = re.compile(r"(?:/dev/)?nvidia(\d+)(?:/gi(\d+))?(?:/vgpu\d+)?")
_CLAIMED: Final = re.compile(r"gpu-(\d+)")
# The DRA driver names an instance by its card's minor number and either its profile in words
# ("1g10gb") or the profile's number in the driver, and then by its place, which nobody else shows.
_CLAIMED_MIG: Final = re.compile(
    r"gpu-(\d+)-mig-(?:(\d+g[0-9a-z]*(?:-[a-z]+)?)-\d.*|(\d+)-\d+-\d+)"
)
_SLICES: Final = {"0": "7g", "5": "4g", "9": "3g", "14": "2g", "15": "1g", "19": "1g", "20": "1g"}
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
        self.as_of = float("-inf")

    def __call__(self, scene: Scene, running: Collection[str]) -> Mapping[str, frozenset[str]]:
        """Return the devices of the pods that run here, by pod UID.

        The kubelet still lists pods that have ended: without a process here they hold nothing.
        """
        self._take(scene.now)
        if scene.now - self.as_of > KEPT:
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
            self._assignments, self.as_of, self.trouble = parse(self._call.result()), now, ""
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
    cut = {(str(item.minor), str(item.gpu_instance)): item.uuid for item in present if item.parent}
    for ident in one.ids:
        plain = _REPLICA.sub("", ident)
        card = _CARD.fullmatch(plain)
        named = card and (cut.get((card[1], card[2])) if card[2] else cards.get(card[1]))
        yield from ({plain} & uuids) or filter(None, [named])
    for driver, name in one.claims:
        if driver != _DRIVER:
            continue
        # A driver may as well call a device by its UUID, in small letters as its names have to be.
        same = [uuid for uuid in uuids if uuid.lower() == name.lower()]
        if same:
            yield from same
        else:
            card = _CLAIMED.fullmatch(name)
            yield from filter(None, [cards.get(card[1])] if card else _instance(name, present))


def _instance(name: str, devices: Iterable[Device]) -> list[str]:
    """Return the instance that a claim names; none where several have that profile."""
    match = _CLAIMED_MIG.fullmatch(name)
    if match is None:
        return []
    wanted = match[2] or _SLICES.get(match[3], "")
    of_card = [one for one in devices if one.parent and str(one.minor) == match[1]]
    profiles = {one.uuid: one.mig_profile.replace(".", "").replace("+", "-") for one in of_card}
    found = [
        uuid
        for uuid, profile in profiles.items()
        if profile == wanted or (match[3] and profile.startswith(wanted) and wanted)
    ]
    return found if len(found) == 1 else []
