"""The whole truth about a configuration before the reaper runs: its text, and what it needs."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from reaper.config.configuration import Configuration
from reaper.config.lacks import gaps, lacks
from reaper.config.loading import ConfigError, Written, written
from reaper.config.outside import Needed, loose, missing
from reaper.edge.documents import Document
from reaper.edge.problems import Problem, Where


def prepared(path: Path | None, *, environ: Mapping[str, str] = os.environ) -> Configuration:
    """Return a configuration that the reaper can start with; raise ConfigError."""
    read = written(path, environ=environ)
    problems = _refused(read, environ)
    if read.configuration is None or problems:
        raise ConfigError(problems)
    return read.configuration


def foreseen(
    paths: Sequence[Path | None], *, environ: Mapping[str, str] = os.environ
) -> tuple[Problem, ...]:
    """
    Return everything for which `prepared` would refuse each file, then what is less than it should.

    The latter is marked `lacking`: the reaper starts with it, and may refuse to act.
    """
    return tuple(dict.fromkeys(one for path in paths for one in _foreseen(path, environ)))


def _foreseen(path: Path | None, environ: Mapping[str, str]) -> Iterator[Problem]:
    read = written(path, environ=environ)
    yield from _refused(read, environ)
    if read.configuration is None:
        return
    for problem in _placed(read.document, loose(read.configuration)):
        yield replace(problem, lacking=True)
    if not read.problems:
        name = str(path or "the defaults")
        yield from lacks(read.configuration, name=name)
        yield from gaps(read.configuration, name=name)


def _refused(read: Written, environ: Mapping[str, str]) -> tuple[Problem, ...]:
    if read.configuration is None:
        return read.problems
    needed = missing(read.configuration, environ)
    return (*read.problems, *_empty(read), *_placed(read.document, needed))


def _empty(read: Written) -> Iterator[Problem]:
    """Refuse a file that says nothing: it was cut off, or was meant to say something."""
    if read.document.name and read.document.value in (None, {}):
        cure = "write at least cluster: NAME, or remove the file for the defaults"
        yield read.document.problem((), "is empty", cure)


def _placed(document: Document, needed: Iterable[Needed]) -> Iterator[Problem]:
    for where, what, cure in needed:
        found = document.problem(_as_written(where, document.value), what, cure)
        yield replace(found, file=found.file or "the defaults")


def _as_written(where: Where, value: object) -> Where:
    """Drop a position from a place whose one item was written without a list."""
    place: list[str | int] = []
    for step in where:
        if isinstance(step, int) and isinstance(value, Mapping):
            continue
        place.append(step)
        value = _inside(value, step)
    return tuple(place)


def _inside(value: object, step: str | int) -> object:
    if isinstance(value, Mapping):
        return value.get(step)
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        return value[step]
    return None
