"""
Numbers with their words, and durations, as people say them: for every text in every language.

No text puts a word into its plural by itself.
"""

from typing import TypeVar

T = TypeVar("T")

_MINUTE = 60
_HOUR = 3600
_DAY = 86400

#: Minutes up to which a duration is said in minutes alone.
_SHORT = 90


def count(number: int, thing: str, things: str = "") -> str:
    """Write a number with its English noun: "1 GPU", "3 GPUs", "2 people"."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"


def form(number: int, one: T, few: T, many: T) -> T:
    """Return the form of a Russian word that a number asks for: 1 and 21, 3 and 23, 5 and 11."""
    if number % 10 == 1 and number % 100 != 11:
        return one
    return few if number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14) else many


def counted(number: int, one: str, few: str, many: str) -> str:
    """Write a number with its Russian word: 1 час, 3 часа, 5 часов, 21 час."""
    return f"{number} {form(number, one, few, many)}"


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


def russian(seconds: float) -> str:
    """Write a duration: "1 секунду", "45 минут", "2 часа", "1 ч 30 мин", "2 дня 3 ч"."""
    large, small = _parts(seconds)
    if seconds < _MINUTE:
        return counted(large, "секунду", "секунды", "секунд")
    if _in_minutes(seconds):
        return counted(large, "минуту", "минуты", "минут")
    if seconds < 2 * _DAY:
        return f"{large} ч {small} мин" if small else counted(large, "час", "часа", "часов")
    days = counted(large, "день", "дня", "дней")
    return f"{days} {small} ч" if small else days


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
