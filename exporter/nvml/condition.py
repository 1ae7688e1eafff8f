"""A board's power and health: slow readings that lean on no other reading."""

from typing import Any, Final

from exporter.clock import Clock
from exporter.nvml.identity import Handle
from exporter.nvml.library import Library, Refusal
from exporter.sampling import plausible
from exporter.sampling.snapshot import Absent, Health, PowerUse

_GPU_SENSOR: Final = 0
_SM_CLOCK: Final = 1
_VOLATILE: Final = 0
_MHZ: Final = 1e6
_FASTEST: Final = 20_000
_ON_BOARD: Final = Absent(state="unsupported", reason="power is measured per board, not per slice")

_REASONS: Final[tuple[tuple[int, str], ...]] = (
    (0x2, "clock_setting"),
    (0x4, "power_cap"),
    (0x8, "hardware_slowdown"),
    (0x10, "sync_boost"),
    (0x20, "thermal"),
    (0x40, "hardware_thermal"),
    (0x80, "power_brake"),
)
_ECC: Final = (("corrected", 0), ("uncorrected", 1))
_ROWS: Final = ("correctable", "uncorrectable", "pending", "failed")


class Condition:
    """Reads one board at a time."""

    def __init__(self, library: Library, clock: Clock) -> None:
        self._library = library
        self._clock = clock

    def power(self, handle: Handle) -> PowerUse:
        """Return power in watts, energy in joules, and why clocks are held down."""
        at = self._clock.monotonic()
        if handle.instance is not None:
            return PowerUse(gpu=handle.device.uuid, at=at, power=_ON_BOARD)
        power = self._milli(handle, "nvmlDeviceGetPowerUsage")
        energy = self._milli(handle, "nvmlDeviceGetTotalEnergyConsumption")
        limit = self._milli(handle, "nvmlDeviceGetEnforcedPowerLimit")
        clamped = []
        if isinstance(power, float) and not plausible.power(power):
            power = plausible.IMPLAUSIBLE
            clamped.append("power")
        if isinstance(energy, float) and not plausible.energy(energy):
            energy = plausible.IMPLAUSIBLE
            clamped.append("energy")
        return PowerUse(
            gpu=handle.device.uuid,
            at=at,
            power=power,
            limit=limit if isinstance(limit, float) and plausible.power(limit) else None,
            energy=energy if isinstance(energy, float) else None,
            throttled=self._throttled(handle),
            clamped=tuple(clamped),
        )

    def _milli(self, handle: Handle, name: str) -> float | Absent:
        answer = self._ask(handle, name)
        return answer.absent() if isinstance(answer, Refusal) else answer / 1000

    def _ask(self, handle: Handle, name: str, *words: Any) -> Any:  # noqa: ANN401
        return self._library.call(name, handle.raw, *words, target=handle.target)

    def _throttled(self, handle: Handle) -> tuple[str, ...] | None:
        answer = self._ask(handle, "nvmlDeviceGetCurrentClocksEventReasons")
        if isinstance(answer, Refusal):
            answer = self._ask(handle, "nvmlDeviceGetCurrentClocksThrottleReasons")
        if isinstance(answer, Refusal):
            return None
        return tuple(word for bit, word in _REASONS if answer & bit)

    def health(self, handle: Handle, xids: tuple[tuple[int, float], ...]) -> Health:
        """Return temperature in degrees, SM clock in hertz, and counts of errors."""
        at = self._clock.monotonic()
        if handle.instance is not None:
            return Health(gpu=handle.device.uuid, at=at, lost=False)
        temperature = self._ask(handle, "nvmlDeviceGetTemperature", _GPU_SENSOR)
        clock = self._ask(handle, "nvmlDeviceGetClockInfo", _SM_CLOCK)
        lost = any(isinstance(item, Refusal) and item.lost for item in (temperature, clock))
        return Health(
            gpu=handle.device.uuid,
            at=at,
            lost=lost,
            temperature=_degrees(temperature),
            sm_clock=_hertz(clock),
            ecc=self._ecc(handle),
            remapped_rows=self._rows(handle),
            xids=xids,
        )

    def _ecc(self, handle: Handle) -> dict[str, int]:
        found = {}
        for kind, number in _ECC:
            answer = self._ask(handle, "nvmlDeviceGetTotalEccErrors", number, _VOLATILE)
            if not isinstance(answer, Refusal):
                found[kind] = int(answer)
        return found

    def _rows(self, handle: Handle) -> dict[str, int]:
        answer = self._ask(handle, "nvmlDeviceGetRemappedRows")
        if isinstance(answer, Refusal):
            return {}
        return {kind: int(count) for kind, count in zip(_ROWS, answer, strict=False)}


def _degrees(answer: Any) -> float | None:  # noqa: ANN401 - the binding has no types
    if isinstance(answer, Refusal) or not plausible.temperature(answer):
        return None
    return float(answer)


def _hertz(answer: Any) -> float | None:  # noqa: ANN401
    if isinstance(answer, Refusal) or not 0 <= answer < _FASTEST:
        return None
    return float(answer * _MHZ)
