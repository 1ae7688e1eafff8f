"""
Numbers with their English nouns, and durations as exact as they are said.

No text puts a word into its plural by itself; what people read is said by the catalogue.
"""

_MINUTE = 60
_HOUR = 3600
_DAY = 86400


def count(number: int, thing: str, things: str = "") -> str:
    """Write a number with its English noun: "1 GPU", "3 GPUs", "2 people"."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"


def coarse(seconds: float) -> int:
    """Return a duration in whole seconds, as exact as it is said: what is said alike is alike."""
    whole = max(0, int(seconds))
    unit = 1 if whole < _MINUTE else _MINUTE if whole < 2 * _DAY else _HOUR
    return whole - whole % unit
