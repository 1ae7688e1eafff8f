"""What this process costs the node, by the kernel's count, and what it can give back."""

import os
import resource
import time
from functools import cache


def cpu_seconds() -> float:
    """Return the CPU time of this process and of its children that have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def resident_bytes() -> int:
    """Return this process's resident memory."""
    return int(os.pread(_statm(os.getpid()), 64, 0).split()[1]) * resource.getpagesize()


@cache
def _statm(pid: int) -> int:
    """Keep the file open: it is read with every page, and descriptors may run out."""
    return os.open(f"/proc/{pid}/statm", os.O_RDONLY | os.O_CLOEXEC)


def give_back() -> None:
    """Return the memory that starting up needed: importing the binding alone takes 10 MiB."""
    import ctypes
    import gc

    gc.collect()
    gc.freeze()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
