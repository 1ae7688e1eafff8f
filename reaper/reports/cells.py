"""By what the cells of somebody's table are told apart: commas, or what spreadsheets write."""

from typing import Final

_KNOWN: Final = ",;\t"


def delimiter(head: str) -> str:
    """Return what stands between the names of a first line; a comma where nothing does."""
    return max(_KNOWN, key=head.count)
