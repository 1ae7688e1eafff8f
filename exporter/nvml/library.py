"""
The door to ``pynvml``: each call is announced, made, and answered by a value or a refusal.

Only codes that void every handle leave as exceptions; see :mod:`exporter.sampling.driver`.
"""

from dataclasses import dataclass
from typing import Any, Final

import pynvml

from exporter.contract.catalog import SignalState
from exporter.sampling.calls import Calls
from exporter.sampling.driver import DriverAbsent, DriverRestarted
from exporter.sampling.snapshot import Absent

NO_PERMISSION: Final = 4
NOT_FOUND: Final = 6
TIMEOUT: Final = 10
TOO_OLD: Final = 13
_NOT_SUPPORTED: Final = frozenset({3, 13, 22, 25, 26})
_UNSUPPORTED: Final = _NOT_SUPPORTED | {NO_PERMISSION}
_LOST: Final = frozenset({15, 16, 28})
_STALE: Final = frozenset({TIMEOUT, 21, 27})
_RESTARTED: Final = frozenset({1, 9, 18})
_UNKNOWN: Final = 999
_METRICS_VERSION: Final = 1

_WORDS: Final[dict[int, str]] = {
    2: "the driver calls the argument invalid",
    3: "the device does not support it",
    4: "the driver refuses it to this user",
    6: "the driver finds nothing",
    10: "the driver timed out",
    13: "the driver is too old for it",
    15: "the GPU is lost: it fell off the bus",
    16: "the GPU must be reset",
    21: "the driver has no data",
    22: "ECC is not supported on this vGPU",
    25: "driver and binding disagree on a structure's version",
    26: "the driver dropped this call",
    27: "the driver is not ready",
    28: "the GPU is not found",
    999: "the driver reports an unknown error",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A call that gave no value: NVML's code, and what it means in words."""

    code: int
    reason: str

    @property
    def lost(self) -> bool:
        """Whether the device itself is gone."""
        return self.code in _LOST

    @property
    def lasting(self) -> bool:
        """Whether asking again before the next enumeration is pointless."""
        return self.code in _UNSUPPORTED

    def absent(self) -> Absent:
        """Return the refusal as a signal's state."""
        state: SignalState = "lost"
        if self.code in _UNSUPPORTED:
            state = "unsupported"
        elif self.code in _STALE:
            state = "stale"
        return Absent(state=state, reason=self.reason)


def refusal_of(code: int) -> Refusal:
    """Return NVML's code as a refusal in words."""
    return Refusal(code=code, reason=_WORDS.get(code, f"the driver says code {code}"))


#: What later bindings raise where a driver lacks the form of a call that they would make.
_MISMATCH: Final[type[Exception]] = getattr(pynvml, "NVMLLibraryMismatchError", AttributeError)


class Library:
    """Calls ``pynvml`` functions by name."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._pointless: dict[tuple[str, str], Refusal] = {}

    def open(self) -> None:
        """Load and initialise; raise :class:`DriverAbsent` with what to do."""
        self._calls.announce("nvmlInit")
        try:
            pynvml.nvmlInit()
        except pynvml.NVMLError as error:
            raise DriverAbsent(_why_absent(error)) from error
        finally:
            self._calls.clear()

    def close(self) -> None:
        """Shut the library down; whatever it says to that is of no use."""
        self.refresh()
        self._calls.announce("nvmlShutdown")
        try:
            pynvml.nvmlShutdown()
        except pynvml.NVMLError:
            return
        finally:
            self._calls.clear()

    def refresh(self) -> None:
        """Forget which calls are pointless, as after an enumeration."""
        self._pointless.clear()

    def retry(self, name: str, target: str) -> None:
        """Forget that one call is pointless: it will be made in another form."""
        self._pointless.pop((name, target), None)

    def call(self, name: str, *words: Any, target: str = "", **more: Any) -> Any:  # noqa: ANN401
        """Call one function on a target (``"gpu 3"``); return its value or a :class:`Refusal`."""
        known = self._pointless.get((name, target))
        if known is not None:
            return known
        self._calls.announce(name, target)
        try:
            return getattr(pynvml, name)(*words, **more)
        except pynvml.NVMLError as error:
            return self._refused(name, target, int(error.value))
        except (AttributeError, _MISMATCH):
            return self._refused(name, target, TOO_OLD)
        except UnicodeDecodeError:
            return Refusal(code=_UNKNOWN, reason="the driver gives text that is no UTF-8")
        except (ValueError, TypeError) as error:
            return Refusal(code=_UNKNOWN, reason=f"the binding fails: {type(error).__name__}")
        finally:
            self._calls.clear()

    def _refused(self, name: str, target: str, code: int) -> Refusal:
        if code in _RESTARTED:
            raise DriverRestarted(f"{name}: the driver was reloaded or unloaded (code {code})")
        refusal = refusal_of(code)
        if refusal.lasting:
            self._pointless[name, target] = refusal
        return refusal


def metrics_request(ids: tuple[int, ...]) -> Any:  # noqa: ANN401 - the binding has no types
    """Return a GPM request for metrics by number; both samples are still to be set."""
    request = pynvml.c_nvmlGpmMetricsGet_t()
    request.version = _METRICS_VERSION
    request.numMetrics = len(ids)
    for place, number in enumerate(ids):
        request.metrics[place].metricId = number
    return request


def _why_absent(error: Any) -> str:  # noqa: ANN401 - the binding has no types
    code = int(error.value)
    if code == 12:
        return "libnvidia-ml.so.1 is not found: install the NVIDIA driver on this node"
    if code == 9:
        return "the NVIDIA kernel module is not loaded: nvidia-smi should work first"
    if code == NO_PERMISSION:
        return "the driver refuses this user: allow it to open /dev/nvidia*"
    if code == 18:
        return "the NVIDIA library and kernel module differ in version: restart or reload"
    return f"NVML does not start: {_WORDS.get(code, f'code {code}')}"
