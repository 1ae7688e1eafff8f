"""Enumeration: which cards and MIG instances there are, who they are, and how to reach them."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from exporter.collectors.sight import Places
from exporter.nvml.library import NOT_FOUND, Library, Refusal
from exporter.sampling.driver import DriverAbsent
from exporter.sampling.snapshot import Device
from exporter.sampling.unidentified import Unidentified

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
_LEFT_ALONE: Final = "it was never identified, and it is left alone"
_GARBLED: Final = "the UUID that the driver gives is no text"


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

    def found(self, spared: Mapping[int, tuple[Device, ...]]) -> Iterator[Handle | Unidentified]:
        """Yield everything that the driver counts; what is to be spared comes without a handle."""
        count = self._library.call("nvmlDeviceGetCount")
        if isinstance(count, Refusal):
            raise DriverAbsent(f"the driver does not count its GPUs: {count.reason}")
        epoch = self._epoch()
        for index in range(count):
            if index not in spared:
                yield from self._card(index, epoch)
                continue
            for device in spared[index]:
                yield Handle(device=device, raw=None, card=None)
            if not spared[index]:
                yield Unidentified(index=index, reason=_LEFT_ALONE)

    def _card(self, index: int, epoch: str) -> Iterator[Handle | Unidentified]:
        target = f"gpu {index}"
        raw = self._library.call("nvmlDeviceGetHandleByIndex", index, target=target)
        if isinstance(raw, Refusal):
            yield Unidentified(index=index, reason=raw.reason)
            return
        uuid, reason = self._uuid(raw, target)
        if not uuid:
            yield Unidentified(index=index, pci_bus_id=self._address(raw, target), reason=reason)
            return
        mode = self._ask("nvmlDeviceGetMigMode", raw, target)
        sliced = not isinstance(mode, Refusal) and mode[0] == 1
        pending = not isinstance(mode, Refusal) and mode[0] != mode[1]
        device = replace(self._identity(raw, index, uuid, epoch), mig_pending=pending)
        yield Handle(device=device, raw=raw, card=raw, sliced=sliced)
        if sliced:
            yield from self._instances(device, raw, epoch)

    def _uuid(self, raw: Any, target: str) -> tuple[str, str]:  # noqa: ANN401
        """Return the UUID, or nothing and why."""
        answer = self._ask("nvmlDeviceGetUUID", raw, target)
        if isinstance(answer, Refusal):
            return "", answer.reason
        uuid = _word(answer)
        return (uuid, "") if uuid.isascii() and uuid.isprintable() and uuid else ("", _GARBLED)

    def _address(self, raw: Any, target: str) -> str:  # noqa: ANN401
        pci = self._ask("nvmlDeviceGetPciInfo", raw, target)
        return "" if isinstance(pci, Refusal) else _word(pci.busId)

    def _ask(self, name: str, raw: Any, target: str) -> Any:  # noqa: ANN401
        return self._library.call(name, raw, target=target)

    def _text(self, name: str, raw: Any, target: str) -> str:  # noqa: ANN401
        answer = self._ask(name, raw, target)
        return "" if isinstance(answer, Refusal) else str(answer)

    def _identity(self, raw: Any, index: int, uuid: str, epoch: str) -> Device:  # noqa: ANN401
        target = f"gpu {index}"
        minor = self._ask("nvmlDeviceGetMinorNumber", raw, target)
        architecture = self._ask("nvmlDeviceGetArchitecture", raw, target)
        return Device(
            uuid=uuid,
            index=index,
            minor=None if isinstance(minor, Refusal) else int(minor),
            pci_bus_id=self._address(raw, target),
            model=self._text("nvmlDeviceGetName", raw, target),
            architecture=(
                ""
                if isinstance(architecture, Refusal)
                else _ARCHITECTURES.get(int(architecture), "")
            ),
            generation=_digest(epoch, uuid),
        )

    def _instances(self, card: Device, raw: Any, epoch: str) -> Iterator[Handle | Unidentified]:  # noqa: ANN401
        target = f"gpu {card.index}"
        count = self._ask("nvmlDeviceGetMaxMigDeviceCount", raw, target)
        if isinstance(count, Refusal):
            yield _unread(card, "", f"its MIG instances are not counted: {count.reason}")
            return
        for number in range(count):
            found = self._library.call(
                "nvmlDeviceGetMigDeviceHandleByIndex", raw, number, target=target
            )
            if not isinstance(found, Refusal):
                yield self._instance(card, raw, found, number, epoch)
            elif found.code != NOT_FOUND:
                yield _unread(card, str(number), found.reason)

    def _instance(
        self,
        card: Device,
        raw: Any,  # noqa: ANN401
        found: Any,  # noqa: ANN401
        number: int,
        epoch: str,
    ) -> Handle | Unidentified:
        target = f"gpu {card.index}"
        uuid, reason = self._uuid(found, target)
        if not uuid:
            return _unread(card, str(number), reason)
        instance = self._ask("nvmlDeviceGetGpuInstanceId", found, target)
        if isinstance(instance, Refusal):
            return _unread(card, str(number), instance.reason)
        compute = self._text("nvmlDeviceGetComputeInstanceId", found, target)
        name = self._text("nvmlDeviceGetName", found, target)
        profile = _PROFILE.search(name)
        device = Device(
            uuid=uuid,
            index=card.index,
            minor=card.minor,
            pci_bus_id=card.pci_bus_id,
            model=card.model,
            architecture=card.architecture,
            mig_profile=profile[1] if profile else "",
            parent=card.uuid,
            gpu_instance=int(instance),
            generation=_digest(epoch, uuid, str(instance), compute, name),
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


def _unread(card: Device, number: str, reason: str) -> Unidentified:
    return Unidentified(index=card.index, mig=number, pci_bus_id=card.pci_bus_id, reason=reason)


def _word(value: Any) -> str:  # noqa: ANN401 - text or bytes, by binding version
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _digest(*words: str) -> str:
    return hashlib.sha256("/".join(words).encode()).hexdigest()[:12]
