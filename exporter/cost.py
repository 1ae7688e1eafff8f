"""What this process costs the node, by the kernel's count, and what it can give back."""

import resource
import time
from pathlib import Path


def cpu_seconds() -> float:
    """Return the CPU time of this process and of its children that have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def resident_bytes() -> int:
    """Return this process's resident memory."""
    pages = int(Path("/proc/self/statm").read_bytes().split()[1])
    return pages * resource.getpagesize()


def give_back() -> None:
    """Return the memory that starting up needed: importing the binding alone takes 10 MiB."""
    import ctypes
    import gc

    gc.collect()
    gc.freeze()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
