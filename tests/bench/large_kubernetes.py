"""
A large cluster's API server in one process on loopback, for the benchmark of the mirror.

Reads one line of JSON (`pods`, `nodes`), writes one line with its address, and ends when its input
closes or after five minutes.  Every pod and node is a line of real shape and size, written once;
bookmarks come each second, changes of pods ten times a second.
"""

import asyncio
import json
import sys
from contextlib import suppress

from aiohttp import web

from tests.fake_kubernetes_kinds import NEW, usual_kinds, whole

LONGEST = 300.0
PAGE = 500
SOME = 10


def managed(manager: str, fields: int) -> dict:
    """Draw what a manager manages: half of a real pod is this."""
    names = {f"f:field-of-some-length-{number:03}": {} for number in range(fields)}
    return {
        "manager": manager,
        "operation": "Update",
        "apiVersion": "v1",
        "time": "2026-07-06T08:00:00Z",
        "fieldsType": "FieldsV1",
        "fieldsV1": {"f:spec": {"f:containers": {'k:{"name":"main"}': names}}},
    }


def pod(number: int, nodes: int) -> dict:
    """Draw a pod of a deployment of four replicas, of about ten kilobytes."""
    workload = f"train-{number // 4:05}"
    owner = {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "name": f"{workload}-rs",
        "uid": f"00000000-0000-4000-8000-{number // 4:012}",
        "controller": True,
    }
    variables = [
        {"name": f"VARIABLE_NUMBER_{one:02}", "value": f"a value of it, {one:060}"}
        for one in range(25)
    ]
    gpus = {"nvidia.com/gpu": "1", "cpu": "8", "memory": "64Gi"}
    return {
        "metadata": {
            "name": f"{workload}-rs-{number % 4}",
            "namespace": f"team-{number % 50:02}",
            "uid": f"11111111-0000-4000-8000-{number:012}",
            "resourceVersion": str(1000 + number),
            "creationTimestamp": "2026-07-06T08:00:00Z",
            "labels": {"app": workload, "pod-template-hash": f"{number // 4:010}"},
            "annotations": {
                "kubectl.kubernetes.io/last-applied-configuration": "x" * 1500,
                "example.org/about": f"the work of {workload}",
            },
            "ownerReferences": [owner],
            "managedFields": [managed("kube-controller-manager", 40), managed("kubelet", 40)],
        },
        "spec": {
            "nodeName": f"gpu{number % nodes:04}",
            "containers": [
                {
                    "name": "main",
                    "image": "registry.example.org/team/train:1.2.3",
                    "command": ["python", "-m", "train"],
                    "env": variables,
                    "resources": {"limits": gpus, "requests": gpus},
                }
            ],
            "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists"}],
            "priorityClassName": "normal",
        },
        "status": {
            "phase": "Running",
            "startTime": "2026-07-06T08:00:10Z",
            "conditions": [
                {"type": kind, "status": "True", "lastTransitionTime": "2026-07-06T08:00:20Z"}
                for kind in ("Initialized", "Ready", "ContainersReady", "PodScheduled")
            ],
            "containerStatuses": [
                {"name": "main", "imageID": "sha256:" + "a" * 64, "containerID": "b" * 76}
            ],
        },
    }


def node(number: int) -> dict:
    """Draw a node of eight GPUs."""
    amounts = {"nvidia.com/gpu": "8", "cpu": "128", "memory": "1Ti"}
    labels = {f"feature.node.kubernetes.io/cpu-{one:02}": "true" for one in range(60)}
    images = [{"names": [f"registry.example.org/image-{one}"]} for one in range(50)]
    return {
        "metadata": {
            "name": f"gpu{number:04}",
            "uid": f"22222222-0000-4000-8000-{number:012}",
            "resourceVersion": "900",
            "labels": {**labels, "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"},
        },
        "spec": {},
        "status": {
            "allocatable": amounts,
            "capacity": amounts,
            "conditions": [{"type": "Ready", "status": "True"}],
            "images": images,
        },
    }


def replica_set(number: int) -> dict:
    """Draw the metadata of what owns four pods."""
    return {
        "metadata": {
            "name": f"train-{number:05}-rs",
            "namespace": f"team-{number * 4 % 50:02}",
            "uid": f"00000000-0000-4000-8000-{number:012}",
            "resourceVersion": "800",
            "managedFields": [managed("kube-controller-manager", 40)],
        }
    }


class Server:
    """Serves lists of written lines, and watches that say a little all the time."""

    def __init__(self, pods: int, nodes: int) -> None:
        self.lists = {
            "pods": [json.dumps(pod(number, nodes)) for number in range(pods)],
            "nodes": [json.dumps(node(number)) for number in range(nodes)],
            "replicasets": [json.dumps(replica_set(number)) for number in range(pods // 4)],
        }
        self.asked = 0

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.asked += 1
        parts = request.path.strip("/").split("/")
        if parts == ["asked"]:
            return web.json_response({"asked": self.asked - 1})
        if parts == ["version"]:
            return web.json_response({"gitVersion": NEW})
        if len(parts) == 1:
            return web.json_response(whole(usual_kinds(), core=parts[0] == "api"))
        lines = self.lists.get(parts[-1], [])
        if request.query.get("watch"):
            response = web.StreamResponse()
            # Whoever watches goes when it likes.
            with suppress(ConnectionError):
                await self.watch(request, response, lines if parts[-1] == "pods" else [])
            return response
        begin = int(request.query.get("continue", "0"))
        end = begin + int(request.query.get("limit", PAGE))
        more = f',"continue":"{end}"' if end < len(lines) else ""
        items = ",".join(lines[begin:end])
        text = f'{{"metadata":{{"resourceVersion":"99999"{more}}},"items":[{items}]}}'
        return web.Response(text=text, content_type="application/json")

    async def watch(
        self, request: web.Request, response: web.StreamResponse, lines: list[str]
    ) -> None:
        await response.prepare(request)
        mark = b'{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"99999"}}}\n'
        loop = asyncio.get_running_loop()
        until = loop.time() + float(request.query.get("timeoutSeconds", "60"))
        number = 0
        while loop.time() < until:
            for _ in range(SOME if lines else 0):
                number = (number + 1) % len(lines)
                line = f'{{"type":"MODIFIED","object":{lines[number]}}}\n'
                await response.write(line.encode())
            await response.write(mark)
            await asyncio.sleep(1.0)


async def main() -> None:
    order = json.loads(sys.stdin.readline())
    app = web.Application()
    app.router.add_get("/{path:.*}", Server(order["pods"], order["nodes"]).handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.0)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    print(json.dumps({"url": f"http://127.0.0.1:{port}"}), flush=True)
    closed = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await asyncio.wait([asyncio.ensure_future(closed)], timeout=LONGEST)
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(main())
