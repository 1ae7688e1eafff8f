"""A kubelet's socket on loopback, asked through the real gRPC library."""

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent import futures
from pathlib import Path

import grpc
import pytest

from exporter.attribution import Scene
from exporter.attribution.kubelet import KEPT, KubeletAssignments
from exporter.sampling.snapshot import Device

UID = "0a5e0b1c-7d2f-4a51-9c0e-6d4b2a1c9f10"
DEVICES = (
    Device(uuid="GPU-0", index=0, minor=0),
    Device(uuid="GPU-1", index=1, minor=3),
    Device(uuid="MIG-a", index=1, minor=3, parent="GPU-1", gpu_instance=2, mig_profile="1g.18gb"),
    Device(uuid="MIG-b", index=1, minor=3, parent="GPU-1", gpu_instance=3, mig_profile="2g.35gb"),
    Device(
        uuid="MIG-c", index=1, minor=3, parent="GPU-1", gpu_instance=4, mig_profile="1g.18gb+me"
    ),
)


def field(number: int, body: bytes) -> bytes:
    assert len(body) < 128
    return bytes([number << 3 | 2, len(body)]) + body


def pod(name: str, *ids: str, claims: tuple[str, ...] = ()) -> bytes:
    plugin = field(1, b"nvidia.com/gpu") + b"".join(field(2, one.encode()) for one in ids)
    claimed = (field(2, b"gpu.nvidia.com") + field(4, one.encode()) for one in claims)
    container = field(1, b"main") + field(2, plugin)
    container += b"".join(field(5, field(4, one)) for one in claimed)
    return field(1, field(1, name.encode()) + field(2, b"mira") + field(3, container))


class Kubelet(grpc.GenericRpcHandler):
    """Answers List with prepared bytes."""

    def __init__(self, folder: Path) -> None:
        self.socket = str(folder / "kubelet.sock")
        self.logs = folder / "logs"
        self.logs.mkdir()
        self.body = b""
        self.answers = threading.Event()
        self.answers.set()
        self._server: grpc.Server | None = None

    def service(self, details):
        if details.method != "/v1.PodResourcesLister/List":
            return None
        return grpc.unary_unary_rpc_method_handler(self._answer)

    def _answer(self, request: bytes, context) -> bytes:
        self.answers.wait()
        return self.body

    def start(self) -> None:
        self._server = grpc.server(futures.ThreadPoolExecutor(2), handlers=[self])
        self._server.add_insecure_port(f"unix://{self.socket}")
        self._server.start()

    def stop(self) -> None:
        self.answers.set()
        if self._server is not None:
            self._server.stop(0).wait()
            self._server = None

    def runs(self, name: str, uid: str = UID) -> None:
        (self.logs / f"mira_{name}_{uid}").mkdir()


@pytest.fixture
def kubelet(tmp_path: Path) -> Iterator[Kubelet]:
    kubelet = Kubelet(tmp_path)
    kubelet.start()
    yield kubelet
    kubelet.stop()


@pytest.fixture
def assignments(kubelet: Kubelet) -> Iterator[KubeletAssignments]:
    assignments = KubeletAssignments(kubelet.socket, kubelet.logs)
    yield assignments
    assignments.close()


Found = Mapping[str, frozenset[str]]


def ask(assignments: KubeletAssignments, now: float = 0.0, *running: str) -> Found:
    scene = Scene(processes={}, holders={}, now=now, devices=DEVICES)
    return assignments(scene, running or (UID,))


def until(check: Callable[[], object]) -> None:
    while not check():
        os.sched_yield()


def answered(assignments: KubeletAssignments) -> Found:
    until(lambda: ask(assignments) or not assignments.trouble)
    return ask(assignments)


@pytest.mark.parametrize(
    ("ident", "devices"),
    [
        ("GPU-0", {"GPU-0"}),
        ("GPU-0::7", {"GPU-0"}),
        ("MIG-a", {"MIG-a"}),
        ("nvidia3", {"GPU-1"}),
        ("/dev/nvidia0", {"GPU-0"}),
        ("nvidia3/gi3", {"MIG-b"}),
        ("nvidia3/gi2/vgpu4", {"MIG-a"}),
        ("nvidia0/vgpu1", {"GPU-0"}),
    ],
)
def test_a_pod_at_rest_holds_what_it_was_given(
    kubelet: Kubelet, assignments: KubeletAssignments, ident: str, devices: set[str]
):
    kubelet.runs("trainer-0")
    kubelet.body = pod("trainer-0", ident)

    assert answered(assignments) == {UID: devices}


def test_a_claimed_device_is_held(kubelet: Kubelet, assignments: KubeletAssignments):
    kubelet.runs("trainer-0")
    kubelet.body = pod("trainer-0", claims=("gpu-3", "gpu-0-mig-1g18gb-19-0"))

    assert answered(assignments) == {UID: {"GPU-1"}}


def test_a_claimed_device_that_is_called_by_its_uuid_is_held(
    kubelet: Kubelet, assignments: KubeletAssignments
):
    """Names of devices are in small letters there."""
    kubelet.runs("trainer-0")
    kubelet.body = pod("trainer-0", claims=("mig-b",))

    assert answered(assignments) == {UID: {"MIG-b"}}


@pytest.mark.parametrize(
    ("claim", "devices"),
    [
        ("gpu-3-mig-2g35gb-14-0", {"MIG-b"}),
        ("gpu-3-mig-1g18gb-19-0", {"MIG-a"}),
        ("gpu-3-mig-1g18gb-me-20-0", {"MIG-c"}),
        ("gpu-3-mig-14-0-2", {"MIG-b"}),
        ("gpu-3-mig-19-0-1", set()),
        ("gpu-3-mig-7g141gb-0-0", set()),
        ("gpu-0-mig-2g35gb-14-0", set()),
        ("gpu-3-mig-99-0-1", set()),
    ],
    ids=[
        "its profile in words",
        "a plain one beside one with engines",
        "one with engines",
        "its profile by number",
        "a number that two could have",
        "a profile that is not cut",
        "another card",
        "an unknown number",
    ],
)
def test_a_claimed_instance_is_held_where_its_name_tells_which(
    kubelet: Kubelet, assignments: KubeletAssignments, claim: str, devices: set[str]
):
    kubelet.runs("trainer-0")
    kubelet.body = pod("trainer-0", claims=(claim,))

    assert answered(assignments).get(UID, frozenset()) == devices


@pytest.mark.parametrize("ident", ["GPU-elsewhere", "nvidia7", "nvidia3/gi9", "intel-0", ""])
def test_another_device_is_nobodys(kubelet: Kubelet, assignments: KubeletAssignments, ident: str):
    kubelet.runs("trainer-0")
    kubelet.body = pod("trainer-0", ident)

    assert answered(assignments) == {}


def test_an_ended_pod_that_is_still_listed_holds_nothing(
    kubelet: Kubelet, assignments: KubeletAssignments
):
    kubelet.runs("trainer-0", uid="ended")
    kubelet.body = pod("trainer-0", "GPU-0")

    assert answered(assignments) == {}


def test_of_two_pods_of_one_name_the_running_one_holds(
    kubelet: Kubelet, assignments: KubeletAssignments
):
    kubelet.runs("trainer-0", uid="ended")
    kubelet.runs("trainer-0")
    kubelet.body = pod("trainer-0", "GPU-0")

    assert answered(assignments) == {UID: {"GPU-0"}}


def test_asking_never_waits(kubelet: Kubelet, assignments: KubeletAssignments):
    kubelet.answers.clear()

    # Had one of them waited, it would have ended with the call's deadline.
    found = [ask(assignments) for _ in range(20)]

    assert found == [{}] * 20
    assert assignments.trouble == "not asked yet"


def test_an_old_answer_is_no_answer(kubelet: Kubelet, assignments: KubeletAssignments):
    kubelet.runs("trainer-0")
    kubelet.body = pod("trainer-0", "GPU-0")
    answered(assignments)
    kubelet.stop()

    until(lambda: ask(assignments, 1.0) and assignments.trouble)

    assert ask(assignments, KEPT) == {UID: {"GPU-0"}}
    assert ask(assignments, KEPT + 30) == {}
    assert assignments.trouble == f"kubelet {kubelet.socket}: unavailable"


def test_a_socket_made_anew_is_followed(kubelet: Kubelet, assignments: KubeletAssignments):
    kubelet.runs("trainer-0")
    kubelet.body = pod("trainer-0", "GPU-0")
    answered(assignments)
    kubelet.stop()
    until(lambda: ask(assignments) and assignments.trouble)
    kubelet.body = pod("trainer-0", "GPU-0", "MIG-a")
    kubelet.start()

    until(lambda: ask(assignments) == {UID: {"GPU-0", "MIG-a"}})

    assert assignments.trouble == ""


def test_a_garbled_answer_is_named(kubelet: Kubelet, assignments: KubeletAssignments):
    kubelet.body = b"\x0a\x7f"

    until(lambda: ask(assignments) or "cut off" in assignments.trouble)


def test_without_the_folder_of_logs_nobody_is_known(
    kubelet: Kubelet, assignments: KubeletAssignments
):
    kubelet.logs.rmdir()
    kubelet.body = pod("trainer-0", "GPU-0")

    assert answered(assignments) == {}
