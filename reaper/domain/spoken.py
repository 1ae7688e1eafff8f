"""
Numbers with their words, and durations, in the English of what is told of a decision.

No text puts a word into its plural by itself; other languages are those of the catalogue.
"""

_MINUTE = 60
_HOUR = 3600
_DAY = 86400

#: Minutes up to which a duration is said in minutes alone.
_SHORT = 90


def count(number: int, thing: str, things: str = "") -> str:
    """Write a number with its English noun: "1 GPU", "3 GPUs", "2 people"."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"


def english(seconds: float) -> str:
    """Write a duration: "1 second", "45 minutes", "2 hours", "1 h 30 min", "2 days 3 h"."""
    large, small = _parts(seconds)
    if seconds < _MINUTE:
        return count(large, "second")
    if _in_minutes(seconds):
        return count(large, "minute")
    if seconds < 2 * _DAY:
        return f"{large} h {small} min" if small else count(large, "hour")
    days = count(large, "day")
    return f"{days} {small} h" if small else days


def coarse(seconds: float) -> int:
    """Return a duration in whole seconds, as exact as it is said: what is said alike is alike."""
    whole = max(0, int(seconds))
    unit = 1 if whole < _MINUTE else _MINUTE if whole < 2 * _DAY else _HOUR
    return whole - whole % unit


def _parts(seconds: float) -> tuple[int, int]:
    """Return how often the largest unit that is said fits, and the next one in the rest."""
    whole = max(0, int(seconds))
    if whole < _MINUTE:
        return whole, 0
    if _in_minutes(whole):
        return whole // _MINUTE, 0
    if whole < 2 * _DAY:
        return whole // _HOUR, whole % _HOUR // _MINUTE
    return whole // _DAY, whole % _DAY // _HOUR


def _in_minutes(seconds: float) -> bool:
    """Tell whether a duration is said in minutes alone; an hour is an hour."""
    minutes = int(seconds // _MINUTE)
    return minutes < _SHORT and minutes != _HOUR // _MINUTE
