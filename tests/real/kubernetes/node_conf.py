"""The settings of a real node's containerd and kubelet."""

from collections.abc import Mapping
from pathlib import Path

from tests.real.kubernetes.image import IMAGE

_CONTAINERD = """\
version = 2
root = "{root}/containers"
state = "{root}/containers-now"
[grpc]
  address = "{root}/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "{image}"
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "{root}/networks"
"""


def containerd_settings(root: Path) -> str:
    """Write containerd's settings: all it has is below a folder."""
    return _CONTAINERD.format(root=root, image=IMAGE)


def kubelet_settings(root: Path, port: int, health: int) -> Mapping[str, object]:
    """Write a kubelet's settings: on loopback, open to all here, sparing nothing for itself."""
    return {
        "apiVersion": "kubelet.config.k8s.io/v1beta1",
        "kind": "KubeletConfiguration",
        "address": "127.0.0.1",
        "port": port,
        "healthzPort": health,
        "authentication": {"anonymous": {"enabled": True}, "webhook": {"enabled": False}},
        "authorization": {"mode": "AlwaysAllow"},
        "cgroupDriver": "cgroupfs",
        "containerRuntimeEndpoint": f"unix://{root}/containerd.sock",
        "enforceNodeAllocatable": [],
        "evictionHard": {"memory.available": "1Mi", "nodefs.available": "0%"},
        "failCgroupV1": False,
        "failSwapOn": False,
        "nodeStatusUpdateFrequency": "2s",
        "registerWithTaints": [{"key": "gpu-reaper.test/real", "effect": "NoSchedule"}],
        "resolvConf": "",
        "syncFrequency": "5s",
    }
