"""
``python -m reaper.app.demo.leashed PARENT …``: run Python on, until PARENT ends.

However the demonstration ends, be it killed, the kernel then asks what it started to end too.
What the leash was put on stays leashed when it becomes the program that it is told to run.
"""

import ctypes
import os
import signal
import sys
from typing import Final

_PR_SET_PDEATHSIG: Final = 1


def leash(parent: int) -> bool:
    """Let this process be asked to end when its parent does; False where that is gone already."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
    return os.getppid() == parent


if __name__ == "__main__":
    if not leash(int(sys.argv[1])):
        sys.exit(1)
    os.execv(sys.executable, [sys.executable, *sys.argv[2:]])  # noqa: S606 - itself, no shell
