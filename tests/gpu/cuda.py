"""As much of the CUDA driver API as a known load needs, through ctypes alone."""

import ctypes
from ctypes import byref, c_char, c_char_p, c_float, c_int, c_size_t, c_uint, c_uint64, c_void_p

_MULTIPROCESSORS = 16
_MEMORY_CLOCK = 36
_BUS_WIDTH = 37
_MAJOR = 75
_THREADS = 256
#: Blocks on each multiprocessor: enough warps to keep its tensor cores fed.
_BLOCKS = 2


class NoGpu(Exception):
    """There is no GPU to load; the message says what was looked for."""


class Cuda:
    """One GPU: nothing is held on it before `hold`."""

    def __init__(self):
        try:
            self._library = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise NoGpu("libcuda.so.1 is not found: install the NVIDIA driver") from error
        try:
            self._call("cuInit", 0)
            self._device = c_int()
            self._call("cuDeviceGet", byref(self._device), 0)
        except RuntimeError as error:
            raise NoGpu(f"CUDA sees no GPU: {error}") from error

    def _call(self, name, *words):
        code = getattr(self._library, name)(*words)
        if code:
            text = c_char_p()
            self._library.cuGetErrorName(code, byref(text))
            raise RuntimeError(f"{name}: {(text.value or b'').decode()} ({code})")

    def _attribute(self, number):
        value = c_int()
        self._call("cuDeviceGetAttribute", byref(value), number, self._device)
        return value.value

    @property
    def uuid(self):
        raw = (c_char * 16)()
        self._call("cuDeviceGetUuid", raw, self._device)
        text = bytes(raw).hex()
        parts = text[:8], text[8:12], text[12:16], text[16:20], text[20:]
        return "GPU-" + "-".join(parts)

    @property
    def name(self):
        text = ctypes.create_string_buffer(128)
        self._call("cuDeviceGetName", text, 128, self._device)
        return text.value.decode()

    @property
    def has_tensor_product(self):
        return self._attribute(_MAJOR) >= 8

    @property
    def memory_bandwidth(self):
        """Bytes a second at most, by clock (kHz, two edges) and width (bits); 0 if untold."""
        return 2 * self._attribute(_MEMORY_CLOCK) * 1e3 * self._attribute(_BUS_WIDTH) / 8

    def hold(self, kernel, room):
        """Make a context with two buffers of `room` bytes and one of the host, and a kernel."""
        context, module = c_void_p(), c_void_p()
        self._call("cuDevicePrimaryCtxRetain", byref(context), self._device)
        self._call("cuCtxSetCurrent", context)
        self._call("cuModuleLoadData", byref(module), kernel)
        self._kernel, self._begin, self._end = c_void_p(), c_void_p(), c_void_p()
        self._call("cuModuleGetFunction", byref(self._kernel), module, b"load")
        self._call("cuEventCreate", byref(self._begin), 0)
        self._call("cuEventCreate", byref(self._end), 0)
        self._room, self._host = room, c_void_p()
        self._buffers = [c_uint64(), c_uint64()]
        for buffer in self._buffers:
            self._call("cuMemAlloc_v2", byref(buffer), c_size_t(room))
        self._call("cuMemAllocHost_v2", byref(self._host), c_size_t(room))
        self._blocks = _BLOCKS * self._attribute(_MULTIPROCESSORS)

    def let_go(self):
        self._call("cuDevicePrimaryCtxRelease_v2", self._device)

    def _timed(self, name, *words):
        """Do something on the GPU and wait for it; return its seconds by the GPU's clock."""
        took = c_float()
        self._call("cuEventRecord", self._begin, None)
        self._call(name, *words)
        self._call("cuEventRecord", self._end, None)
        self._call("cuEventSynchronize", self._end)
        self._call("cuEventElapsedTime", byref(took), self._begin, self._end)
        return took.value / 1e3

    def work(self, seconds):
        """Keep every multiprocessor busy; return for how many seconds."""
        length, out = c_uint64(int(seconds * 1e9)), self._buffers[0]
        words = (c_void_p * 2)(
            ctypes.cast(byref(length), c_void_p), ctypes.cast(byref(out), c_void_p)
        )
        grid = [c_uint(number) for number in (self._blocks, 1, 1, _THREADS, 1, 1, 0)]
        return self._timed("cuLaunchKernel", self._kernel, *grid, None, words, None)

    def copy(self):
        """Copy one buffer into the other; return bytes read and written, and seconds."""
        first, second = self._buffers
        took = self._timed("cuMemcpyDtoDAsync_v2", first, second, c_size_t(self._room), None)
        return 2 * self._room, took

    def upload(self):
        """Copy the host's buffer into one; return bytes and seconds."""
        took = self._timed(
            "cuMemcpyHtoDAsync_v2", self._buffers[0], self._host, c_size_t(self._room), None
        )
        return self._room, took
