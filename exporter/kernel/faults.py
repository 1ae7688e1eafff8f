"""
What the kernel's words about a card mean: one table by Xid number, one by message.

Sources: NVIDIA's catalogue of Xids (docs.nvidia.com/deploy/xid-errors, "Analyzing Xid Errors with
the Xid Catalog": its immediate action decides here), the open kernel modules' own texts
(github.com/NVIDIA/open-gpu-kernel-modules: ``nverror.h``, ``osinit.c``, ``nv-pci.c``, ``rpc.c``),
and the PCI layer's in Linux (``drivers/pci/pci.c``).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

Meaning = Literal["lost", "firmware", "reset", "memory", "link", "application", "other"]
"""
lost: the card is off the bus.  firmware: one of its own processors failed.  reset: it works again
only after a reset.  memory: ECC and what follows from it.  link: NVLink, C2C or the PCI link.
application: a program's work failed, the card is well.  other: a note, or not in the catalogue.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A meaning in words; `stops` says that a call on the card may never return, or is void."""

    meaning: Meaning
    words: str
    stops: bool = False


RECOVERY_ACTION: Final = 154
FALLEN: Final = Fault(meaning="lost", words="it fell off the bus", stops=True)
VANISHED: Final = Fault(meaning="lost", words="it is no longer on the PCI bus", stops=True)
_SILENT: Final = Fault(meaning="firmware", words="its system processor does not answer", stops=True)
_UNLISTED: Final = Fault(meaning="other", words="a note, or not in the catalogue")


def _rows(
    meaning: Meaning, rows: Mapping[str, Iterable[int]], *, stops: bool = False
) -> dict[int, Fault]:
    return {
        number: Fault(meaning=meaning, words=words, stops=stops)
        for words, numbers in rows.items()
        for number in numbers
    }


_STOPPED: Final = {
    62: Fault(meaning="firmware", words="its controller stopped", stops=True),
    79: FALLEN,
    119: _SILENT,
    120: Fault(meaning="firmware", words="its system processor failed", stops=True),
    158: Fault(meaning="firmware", words="it does not answer the driver any more", stops=True),
    167: Fault(meaning="lost", words="the PCI bus waited for it in vain", stops=True),
}
XIDS: Final[Mapping[int, Fault]] = {
    **_STOPPED,
    **_rows(
        "firmware",
        {
            "its graphics firmware reported an error": (37, 38),
            "its controller reported an error": (59, 61),
            "it could not be initialised": (143,),
            "its security processor stopped": (169,),
        },
    ),
    **_rows(
        "reset",
        {
            "it stopped processing": (46,),
            "a change of context took too long": (109,),
            "a security fault": (110,),
        },
    ),
    **_rows(
        "memory",
        {
            "an uncorrected memory error": (48, 171, 172),
            "a row was remapped, or a page retired": (63,),
            "remapping a row failed": (64,),
            "many single-bit errors": (92,),
            "a memory error that one program has to bear": (94,),
            "a memory error that was not contained": (95,),
            "a memory error that escaped recovery": (140,),
            "a part was retired; a reset makes it so": (156,),
            "retiring a part failed": (157, 161),
            "a channel of its memory was retired": (160,),
            "its memory has become smaller": (168,),
        },
    ),
    **_rows(
        "link",
        {
            "an NVLink error": (74, 108, *range(144, 151), 155, 166, 170),
            "an error of the link to its CPU": (121, 159),
            "training of a link failed": (136,),
        },
    ),
    **_rows(
        "application",
        {
            "a program's work was stopped": (8, 13, 31, 32, 43, 44, 45, 60, 69, 80, 137, 141),
            "an engine refused a program's work": (
                *(39, 40, 41, 66, 67, 68, *range(70, 73), *range(75, 78), *range(82, 87)),
                *(88, 89, *range(96, 106), *range(126, 136), 139, 142),
            ),
        },
    ),
}

#: What the driver wishes for, by the number that it writes; 0 withdraws the wish.
_WISHES: Final[Mapping[int, Fault]] = {
    1: Fault(meaning="reset", words="the driver wants it reset", stops=True),
    2: Fault(meaning="reset", words="the driver wants the node rebooted", stops=True),
    3: Fault(meaning="link", words="the driver wants its peers to let go of it"),
    4: Fault(meaning="reset", words="the driver wants it emptied, then reset"),
}
_WISH: Final = re.compile(r"recovery action changed\b.*\bto\s+0x([0-9a-f]+)\s*\(", re.IGNORECASE)

#: Messages without an Xid: ``NVRM:`` is the driver's, ``nvidia`` the PCI layer's mark.
_MESSAGES: Final[tuple[tuple[re.Pattern[str], Fault], ...]] = (
    (re.compile(r"\bfallen off\b", re.IGNORECASE), FALLEN),
    (
        re.compile(r"GPU lost from the bus|NV_ERR_GPU_IS_LOST|(?<!peer )\bGPU\b[^,;]*\bis lost\b"),
        FALLEN,
    ),
    (re.compile(r"Rate limiting GSP RPC error prints"), _SILENT),
    (re.compile(r"Attempting to remove device .*non-zero usage count"), VANISHED),
    (re.compile(r"\b(?:device|config space) inaccessible\b"), FALLEN),
    (re.compile(r"\bnot ready \d+ms after .*giving up"), FALLEN),
)


def of_xid(number: int, text: str = "") -> Fault:
    """Return what an Xid means; `text` is what follows its number on the line."""
    if number == RECOVERY_ACTION:
        wish = _WISH.search(text)
        return _WISHES.get(int(wish[1], 16), _UNLISTED) if wish else _UNLISTED
    return XIDS.get(number, _UNLISTED)


def recovers(number: int, text: str) -> bool:
    """Say whether the driver withdraws its wish for a reset."""
    wish = _WISH.search(text) if number == RECOVERY_ACTION else None
    return wish is not None and int(wish[1], 16) == 0


def of_message(text: str) -> Fault | None:
    """Return what a line without an Xid means; None where it says nothing of a card's state."""
    return next((fault for pattern, fault in _MESSAGES if pattern.search(text)), None)
