"""What a demonstration says first: its page, and commands that work as they are typed."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from shlex import quote
from typing import Final

from reaper.app.demo.folder import Folder
from reaper.app.demo.visiting import Guest
from reaper.schema import Address

#: Where the commands lie that are told; another terminal need not find them by itself.
_PROGRAMS: Final = Path(sys.executable).parent

COMMANDS: Final = (
    ("status", "what idles, what it burns, what happens next"),
    ("explain 4711", "why, minute by minute; also when it has ended"),
    ("keep 4721 --for 2h --reason 'needed after lunch'", "as its owner would"),
    ("queue", "what waits for an operator"),
    ("report", "the week so far, in GPU-hours and money"),
    ("capture 4711", "what was decided on, as a file that replays"),
    ("effect --policy notebooks", "what that policy changed, half-way through the weeks before"),
    ("buy-or-rent", "how many GPUs of one's own pay off"),
    ("doctor", "what stands in the way"),
)
"""Commands that a newcomer may type, and what each shows."""

PAGES: Final = (
    ("", "the cluster, as everybody sees it"),
    ("allocation/recorded/4711", "one allocation: its track, its rule, what came of it"),
    ("queue", "what waits for an operator"),
    ("report", "the week so far"),
)
"""Pages that a newcomer may open, and whom each serves."""


def welcome(
    folder: Folder, page: Address, links: Sequence[tuple[str, Guest]], rate: float, wanted: float
) -> str:
    """Return what is said once everything runs."""
    slowly = "" if rate >= wanted else f", not {wanted:g}: this machine is busy or slow"
    return "\n".join(
        (
            f"The clock runs {rate:g} times as fast{slowly}: a minute is {60 / rate:.1f} s",
            "",
            *_listed("pages", [(f"http://{page}/{path}", says) for path, says in PAGES]),
            *_listed("signed in", [(link, guest.says) for link, guest in links]),
            f"  commands  export GPU_REAPER_SOCKET={quote(str(folder.socket))}",
            f"            export GPU_REAPER_CONFIG={quote(str(folder.configuration))}",
            f"            export PATH={quote(str(_PROGRAMS))}:$PATH",
            *_listed("", [(f"gpu-reaper {command}", says) for command, says in COMMANDS]),
            *_listed("mail", [(str(folder.mail), "what owners were told")]),
            "",
            "Ctrl-C ends it and leaves nothing behind.",
            "",
        )
    )


def _listed(name: str, rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    width = max(len(typed) for typed, _ in rows)
    for number, (typed, says) in enumerate(rows):
        yield f"  {'' if number else name:9} {typed:{width}}  # {says}"
