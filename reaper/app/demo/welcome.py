"""What a demonstration says first: its page, and commands that work as they are typed."""

import sys
from pathlib import Path
from shlex import quote
from typing import Final

from reaper.app.demo.folder import Folder
from reaper.schema import Address

#: Where the commands lie that are told; another terminal need not find them by itself.
_PROGRAMS: Final = Path(sys.executable).parent

COMMANDS: Final = (
    ("status", "what idles, what it burns, what happens next"),
    ("explain 4711", "why, minute by minute; also when it has ended"),
    ("keep 4721 --for 2h --reason 'needed after lunch'", "as its owner would"),
    ("queue", "what waits for an operator"),
    ("report", "the week so far, in GPU-hours and money"),
    ("effect --policy notebooks", "before and after a change of policy"),
    ("buy-or-rent", "how many GPUs of one's own would pay off"),
    ("capture 4711", "what was decided on, as a file that replays"),
    ("doctor", "what stands in the way"),
)
"""Commands that a newcomer may type, and what each shows."""


def welcome(folder: Folder, page: Address, rate: float, wanted: float) -> str:
    """Return what is said once everything runs."""
    slowly = "" if rate >= wanted else f", not {wanted:g}: this machine is busy or slow"
    width = max(len(command) for command, _ in COMMANDS)
    return "\n".join(
        (
            f"The clock runs {rate:g} times as fast{slowly}: a minute is {60 / rate:.1f} s",
            "",
            f"  page      http://{page}/",
            f"  commands  export GPU_REAPER_SOCKET={quote(str(folder.socket))}",
            f"            export GPU_REAPER_CONFIG={quote(str(folder.configuration))}",
            f"            export PATH={quote(str(_PROGRAMS))}:$PATH",
            *(f"            gpu-reaper {command:{width}}  # {says}" for command, says in COMMANDS),
            f"  mail      {folder.mail}",
            "",
            "Ctrl-C ends it and leaves nothing behind.",
            "",
        )
    )
