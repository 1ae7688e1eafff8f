"""
What gives a real kubelet GPUs: a device plugin (`nvidia.com/gpu`) and a DRA driver.

Both speak the kubelet's own protocols (device plugin v1beta1, plugin registration v1, DRA v1) over
its sockets, and know the GPUs by the names that they are told.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent import futures
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc

from tests.real.kubernetes.api import Api, Object
from tests.real.kubernetes.cluster import GPU
from tests.real.kubernetes.wire import message, parts, texts

DRIVER = "gpu.nvidia.com"
_DEVICES = "v1beta1.DevicePlugin"
_DRA = "k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin"
_REGISTRATION = "pluginregistration.Registration"

Answer = Callable[[bytes, grpc.ServicerContext], Any]


class _Service(grpc.GenericRpcHandler):
    """Answers the methods of services with bytes; one that yields is a stream."""

    def __init__(self, methods: Mapping[str, Answer], streams: Mapping[str, Answer]) -> None:
        self._methods = methods
        self._streams = streams

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler | None:
        if answer := self._methods.get(details.method):
            return grpc.unary_unary_rpc_method_handler(answer)
        if answer := self._streams.get(details.method):
            return grpc.unary_stream_rpc_method_handler(answer)
        return None


class _Served:
    """A gRPC server on a socket of its own."""

    def __init__(
        self, socket: Path, methods: Mapping[str, Answer], streams: Mapping[str, Answer]
    ) -> None:
        self._server = grpc.server(
            futures.ThreadPoolExecutor(8), handlers=[_Service(methods, streams)]
        )
        self._server.add_insecure_port(f"unix://{socket}")

    def start(self) -> None:
        self._server.start()

    def stop(self) -> None:
        self._server.stop(0).wait()


class DevicePlugin:
    """Gives containers GPUs by their UUIDs, as the vendor's plugin does."""

    def __init__(self, folder: Path, uuids: tuple[str, ...], given: list[tuple[str, ...]]) -> None:
        self.given = given
        """The UUIDs of every container that was given some, in order."""
        self._folder = folder
        self._uuids = uuids
        self._served = _Served(
            folder / "gpus.sock",
            {
                f"/{_DEVICES}/GetDevicePluginOptions": lambda _body, _context: b"",
                f"/{_DEVICES}/Allocate": self._allocate,
            },
            {f"/{_DEVICES}/ListAndWatch": self._list},
        )

    def start(self) -> None:
        """Serve, and register with the kubelet."""
        self._served.start()
        with grpc.insecure_channel(f"unix://{self._folder}/kubelet.sock") as channel:
            register = channel.unary_unary("/v1beta1.Registration/Register")
            register(message({1: "v1beta1", 2: "gpus.sock", 3: GPU}), timeout=30)

    def stop(self) -> None:
        """Serve no more."""
        self._served.stop()

    def _list(self, _body: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
        ended = threading.Event()
        context.add_callback(ended.set)
        yield message({1: [message({1: uuid, 2: "Healthy"}) for uuid in self._uuids]})
        ended.wait()

    def _allocate(self, body: bytes, _context: grpc.ServicerContext) -> bytes:
        answers = []
        for container in parts(body)[1]:
            uuids = tuple(texts(container, 1))
            self.given.append(uuids)
            seen = message({1: "NVIDIA_VISIBLE_DEVICES", 2: ",".join(uuids)})
            answers.append(message({1: [seen]}))
        return message({1: answers})


def allocatable(socket: Path) -> set[str]:
    """Return the devices that a kubelet would give to pods, by its pod-resources socket."""
    with grpc.insecure_channel(f"unix://{socket}") as channel, suppress(grpc.RpcError):
        ask = channel.unary_unary("/v1.PodResourcesLister/GetAllocatableResources")
        return {one for device in parts(ask(b"", timeout=5))[1] for one in texts(device, 2)}
    return set()


class DraDriver:
    """Publishes GPUs as a ResourceSlice and prepares what the scheduler gave to claims."""

    def __init__(self, kubelet: Path, api: Api, node: str, uuids: Mapping[str, str]) -> None:
        self.prepared: set[str] = set()
        """The UIDs of the resource claims that are prepared on the node."""
        self._api = api
        self._node = node
        self._uuids = uuids
        plugin = kubelet / "plugins" / DRIVER
        plugin.mkdir(parents=True)
        self._socket = plugin / "dra.sock"
        known = {1: "DRAPlugin", 2: DRIVER, 3: str(self._socket), 4: ["v1.DRAPlugin"]}
        self._prepares = _Served(
            self._socket,
            {
                f"/{_DRA}/NodePrepareResources": self._prepare,
                f"/{_DRA}/NodeUnprepareResources": self._unprepare,
            },
            {},
        )
        self._registers = _Served(
            kubelet / "plugins_registry" / f"{DRIVER}.sock",
            {
                f"/{_REGISTRATION}/GetInfo": lambda _body, _context: message(known),
                f"/{_REGISTRATION}/NotifyRegistrationStatus": lambda _body, _context: b"",
            },
            {},
        )

    def start(self) -> None:
        """Serve, let the kubelet find it, and publish the GPUs."""
        self._prepares.start()
        self._registers.start()
        self._api.post("/apis/resource.k8s.io/v1/deviceclasses", _class())
        self.publish()

    def publish(self) -> None:
        """Publish the GPUs where a kubelet that began anew has taken them back."""
        slices = "/apis/resource.k8s.io/v1/resourceslices"
        if self._api.find(f"{slices}/{self._node}-gpus") is None:
            self._api.post(slices, self._slice())

    def stop(self) -> None:
        """Serve no more and take back what was published."""
        self._registers.stop()
        self._prepares.stop()
        for kind, name in (("resourceslices", f"{self._node}-gpus"), ("deviceclasses", DRIVER)):
            self._api.delete(f"/apis/resource.k8s.io/v1/{kind}/{name}")

    def _slice(self) -> Object:
        devices = [
            {
                "name": name,
                "attributes": {
                    "uuid": {"string": uuid},
                    "type": {"string": "gpu"},
                    "productName": {"string": "NVIDIA H100 80GB HBM3"},
                },
                "capacity": {"memory": {"value": "80Gi"}},
            }
            for name, uuid in self._uuids.items()
        ]
        pool = {"name": self._node, "generation": 1, "resourceSliceCount": 1}
        return {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceSlice",
            "metadata": {"name": f"{self._node}-gpus"},
            "spec": {"driver": DRIVER, "nodeName": self._node, "pool": pool, "devices": devices},
        }

    def _prepare(self, body: bytes, _context: grpc.ServicerContext) -> bytes:
        answers = []
        for claim in parts(body)[1]:
            (space,), (uid,), (name,) = (texts(claim, number) for number in (1, 2, 3))
            path = f"/apis/resource.k8s.io/v1/namespaces/{space}/resourceclaims/{name}"
            given = self._api.get(path)["status"]["allocation"]["devices"]["results"]
            devices = [
                message({1: [one["request"]], 2: one["pool"], 3: one["device"]}) for one in given
            ]
            self.prepared.add(uid)
            answers.append(message({1: uid, 2: message({1: devices})}))
        return message({1: answers})

    def _unprepare(self, body: bytes, _context: grpc.ServicerContext) -> bytes:
        uids = [texts(claim, 2)[0] for claim in parts(body)[1]]
        self.prepared -= set(uids)
        done: list[bytes] = [message({1: uid, 2: [b""]}) for uid in uids]
        return message({1: done})


def _class() -> Object:
    chosen = {"cel": {"expression": f"device.driver == '{DRIVER}'"}}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": DRIVER},
        "spec": {"selectors": [chosen]},
    }
