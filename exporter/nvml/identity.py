"""Enumeration: which cards and MIG instances there are, who they are, and how to reach them."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from exporter.collectors.sight import Places
from exporter.nvml.library import Library, Refusal
from exporter.snapshot import Device

_ARCHITECTURES: Final[dict[int, str]] = {
    2: "kepler",
    3: "maxwell",
    4: "pascal",
    5: "volta",
    6: "turing",
    7: "ampere",
    8: "ada",
    9: "hopper",
    10: "blackwell",
    13: "rubin",
}
_PROFILE: Final = re.compile(r"\bMIG (\S+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Handle:
    """A device with the driver's handle of it.

    `card` is the physical GPU's handle and `instance` the GPU instance id on MIG, else None.
    `sliced` says that the device is a card with MIG on, whose work shows on its instances.
    """

    device: Device
    raw: Any
    card: Any
    instance: int | None = None
    sliced: bool = False

    @property
    def target(self) -> str:
        """The card in words, as announced with each call."""
        return f"gpu {self.device.index}"


class Identities:
    """Asks the library who is there."""

    def __init__(self, library: Library, places: Places) -> None:
        self._library = library
        self._places = places

    def handles(self, spared: Mapping[int, tuple[Device, ...]]) -> Iterator[Handle]:
        """Yield every device that answers; those to be spared come without a handle."""
        count = self._library.call("nvmlDeviceGetCount")
        epoch = self._epoch()
        for index in range(0 if isinstance(count, Refusal) else count):
            if index in spared:
                for device in spared[index]:
                    yield Handle(device=device, raw=None, card=None)
                continue
            yield from self._card(index, epoch)

    def _card(self, index: int, epoch: str) -> Iterator[Handle]:
        target = f"gpu {index}"
        raw = self._library.call("nvmlDeviceGetHandleByIndex", index, target=target)
        uuid = raw if isinstance(raw, Refusal) else self._ask("nvmlDeviceGetUUID", raw, target)
        if isinstance(uuid, Refusal):
            return
        mode = self._ask("nvmlDeviceGetMigMode", raw, target)
        sliced = not isinstance(mode, Refusal) and mode[0] == 1
        pending = not isinstance(mode, Refusal) and mode[0] != mode[1]
        device = replace(self._identity(raw, index, str(uuid), epoch), mig_pending=pending)
        yield Handle(device=device, raw=raw, card=raw, sliced=sliced)
        if sliced:
            yield from self._instances(device, raw, epoch)

    def _ask(self, name: str, raw: Any, target: str) -> Any:  # noqa: ANN401
        return self._library.call(name, raw, target=target)

    def _text(self, name: str, raw: Any, target: str) -> str:  # noqa: ANN401
        answer = self._ask(name, raw, target)
        return "" if isinstance(answer, Refusal) else str(answer)

    def _identity(self, raw: Any, index: int, uuid: str, epoch: str) -> Device:  # noqa: ANN401
        target = f"gpu {index}"
        minor = self._ask("nvmlDeviceGetMinorNumber", raw, target)
        pci = self._ask("nvmlDeviceGetPciInfo", raw, target)
        architecture = self._ask("nvmlDeviceGetArchitecture", raw, target)
        return Device(
            uuid=uuid,
            index=index,
            minor=None if isinstance(minor, Refusal) else int(minor),
            pci_bus_id="" if isinstance(pci, Refusal) else _word(pci.busId),
            model=self._text("nvmlDeviceGetName", raw, target),
            architecture=(
                ""
                if isinstance(architecture, Refusal)
                else _ARCHITECTURES.get(int(architecture), "")
            ),
            generation=_digest(epoch, uuid),
        )

    def _instances(self, card: Device, raw: Any, epoch: str) -> Iterator[Handle]:  # noqa: ANN401
        target = f"gpu {card.index}"
        count = self._ask("nvmlDeviceGetMaxMigDeviceCount", raw, target)
        for number in range(0 if isinstance(count, Refusal) else count):
            found = self._library.call(
                "nvmlDeviceGetMigDeviceHandleByIndex", raw, number, target=target
            )
            if isinstance(found, Refusal):
                continue
            handle = self._instance(card, raw, found, epoch)
            if handle is not None:
                yield handle

    def _instance(self, card: Device, raw: Any, found: Any, epoch: str) -> Handle | None:  # noqa: ANN401
        target = f"gpu {card.index}"
        uuid = self._ask("nvmlDeviceGetUUID", found, target)
        instance = self._ask("nvmlDeviceGetGpuInstanceId", found, target)
        if isinstance(uuid, Refusal) or isinstance(instance, Refusal):
            return None
        compute = self._text("nvmlDeviceGetComputeInstanceId", found, target)
        name = self._text("nvmlDeviceGetName", found, target)
        profile = _PROFILE.search(name)
        device = Device(
            uuid=str(uuid),
            index=card.index,
            minor=card.minor,
            pci_bus_id=card.pci_bus_id,
            model=card.model,
            architecture=card.architecture,
            mig_profile=profile[1] if profile else "",
            parent=card.uuid,
            gpu_instance=int(instance),
            generation=_digest(epoch, str(uuid), str(instance), compute, name),
        )
        return Handle(device=device, raw=found, card=raw, instance=int(instance))

    def _epoch(self) -> str:
        """Return what changes with the node's boot and with each load of the kernel module.

        The kernel gives the module's folder a new inode number at each load.
        """
        try:
            boot = (Path(self._places.proc) / "sys/kernel/random/boot_id").read_text().strip()
        except OSError:
            boot = ""
        try:
            load = str((Path(self._places.sys) / "module/nvidia").stat().st_ino)
        except OSError:
            load = ""
        version = self._library.call("nvmlSystemGetDriverVersion")
        return f"{boot}/{load}/{'' if isinstance(version, Refusal) else version}"


def _word(value: Any) -> str:  # noqa: ANN401 - text or bytes, by binding version
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _digest(*words: str) -> str:
    return hashlib.sha256("/".join(words).encode()).hexdigest()[:12]
