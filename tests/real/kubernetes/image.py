"""An image of one shell, written by hand: containers here need no registry."""

import hashlib
import io
import json
import platform
import tarfile
from collections.abc import Mapping
from pathlib import Path

IMAGE = "lab.test/base:1"
_MANIFEST = "application/vnd.oci.image.manifest.v1+json"
_CONFIG = "application/vnd.oci.image.config.v1+json"
_LAYER = "application/vnd.oci.image.layer.v1.tar"
_MACHINES = {"x86_64": "amd64", "aarch64": "arm64"}
_COMMANDS = ("cat", "date", "kill", "sh", "sleep", "test", "touch")


def write_image(archive: Path, busybox: Path) -> None:
    """Write an OCI archive whose only program is busybox under the names of its commands."""
    layer = _layer(busybox.read_bytes())
    config = _json(
        {
            "architecture": _MACHINES[platform.machine()],
            "os": "linux",
            # What the kubelet starts as the sandbox sleeps as well.
            "config": {"Cmd": ["/bin/sleep", "1000000"], "Env": ["PATH=/bin"]},
            "rootfs": {"type": "layers", "diff_ids": [_digest(layer)]},
        }
    )
    manifest = _json(
        {
            "schemaVersion": 2,
            "mediaType": _MANIFEST,
            "config": _described(_CONFIG, config),
            "layers": [_described(_LAYER, layer)],
        }
    )
    named = {"annotations": {"io.containerd.image.name": IMAGE}}
    index = {"schemaVersion": 2, "manifests": [_described(_MANIFEST, manifest) | named]}
    blobs = {f"blobs/sha256/{_digest(one)[7:]}": one for one in (layer, config, manifest)}
    layout = {"oci-layout": _json({"imageLayoutVersion": "1.0.0"}), "index.json": _json(index)}
    archive.write_bytes(_archive({**layout, **blobs}))


def _layer(busybox: bytes) -> bytes:
    links = {f"bin/{name}": "busybox" for name in _COMMANDS}
    files = {"bin/busybox": busybox, "etc/passwd": b"root:x:0:0::/:/bin/sh\n"}
    return _archive(files, folders=("bin", "etc", "tmp"), links=links)


def _archive(
    files: Mapping[str, bytes],
    folders: tuple[str, ...] = (),
    links: Mapping[str, str] | None = None,
) -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w") as archive:
        for name in folders:
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode = tarfile.DIRTYPE, 0o755
            archive.addfile(entry)
        for name, body in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(body), 0o755
            archive.addfile(entry, io.BytesIO(body))
        for name, target in (links or {}).items():
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = tarfile.SYMTYPE, target
            archive.addfile(entry)
    return written.getvalue()


def _described(kind: str, body: bytes) -> dict[str, object]:
    return {"mediaType": kind, "digest": _digest(body), "size": len(body)}


def _digest(body: bytes) -> str:
    return f"sha256:{hashlib.sha256(body).hexdigest()}"


def _json(value: object) -> bytes:
    return json.dumps(value).encode()
