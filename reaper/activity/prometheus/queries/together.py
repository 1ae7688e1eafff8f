"""Questions that only count together: when one fails, the others need no answer any more."""

from asyncio import TaskGroup
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

from reaper.ports import SourceError

T = TypeVar("T")


async def together(questions: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Return all answers in order, or raise the first SourceError and cancel the rest."""
    try:
        async with TaskGroup() as group:
            tasks = [group.create_task(question) for question in questions]
    except ExceptionGroup as errors:
        first = next((item for item in errors.exceptions if isinstance(item, SourceError)), None)
        raise first or errors from None
    return [task.result() for task in tasks]
