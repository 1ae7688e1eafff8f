"""
Everything that a configuration names, read with all its mistakes.

A mistake in one section, file or policy never hides those of another.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from reaper.config.draft import Draft, draft
from reaper.config.policy_settings import ExemptionSettings, PolicySettings
from reaper.config.rules import findings, unreachable
from reaper.config.sections import FileSettings, PolicyFile
from reaper.config.shipped import shipped
from reaper.domain.facts.grid import Pace
from reaper.edge.documents import Document, read
from reaper.edge.problems import Problem, Where, mistakes
from reaper.platforms import NAMES, builder
from reaper.schema import Settings, closest, shown

#: The policies of a configuration that names none: they observe, and warn nobody.
BUILT_IN = shipped("observe")

S = TypeVar("S", bound=Settings)


@dataclass(slots=True, kw_only=True)
class Reading:
    """What was read so far, and what is wrong with it."""

    pace: Pace
    base: Path
    document: Document | None = None
    settings: FileSettings | None = None
    platforms: list[tuple[str, Settings]] = field(default_factory=list)
    policies: list[PolicySettings] = field(default_factory=list)
    exemptions: list[ExemptionSettings] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    _drafts: list[tuple[Document, Where, Draft]] = field(default_factory=list)

    def file(self, path: Path | None) -> None:
        """Read a configuration file and all that it names; None for the defaults."""
        document = Document(name="") if path is None else self._document(path)
        if document is None:
            return
        self.document = document
        self.settings = self._sections(document)
        self.exemptions += self.settings.exemptions
        self._platforms(document)
        parts = document.value if isinstance(document.value, Mapping) else {}
        named = parts.get("policies")
        self._policies(document, [str(BUILT_IN)] if named is None else named)
        self._between()

    def policies_of(self, document: Document) -> None:
        """Read the policies and exemptions of a document that is no configuration."""
        self.document = document
        parts = document.value if isinstance(document.value, Mapping) else {}
        for position, item in enumerate(parts.get("exemptions") or ()):
            made = self._part(ExemptionSettings, document, ("exemptions", position), item)
            self.exemptions += [] if made is None else [made]
        self._policies(document, parts.get("policies") or [])
        self._between()

    def _document(self, path: Path) -> Document | None:
        document, problems = read(path)
        self.problems += problems
        return None if problems and document.value is None else document

    def _sections(self, document: Document) -> FileSettings:
        """Return the sections, the defaults in place of those that cannot be read."""
        value = {} if document.value is None else document.value
        try:
            return FileSettings.model_validate(value)
        except ValidationError as error:
            found = list(mistakes(error, FileSettings, value))
        self.problems += [document.problem(*mistake) for mistake in found]
        wrong = {where[0] for where, *_ in found if where}
        sections = value if isinstance(value, Mapping) else {}
        good = {key: item for key, item in sections.items() if key not in wrong}
        return FileSettings.model_validate(good)

    # -------------------------------------------------------------- platforms

    def _platforms(self, document: Document) -> None:
        raw = document.value.get("platforms") if isinstance(document.value, Mapping) else None
        for name, value in raw.items() if isinstance(raw, Mapping) else ():
            where: Where = ("platforms", name)
            if name not in NAMES:
                near = closest(name, NAMES)
                cure = f'did you mean "{near}"?' if near else f"known here: {', '.join(NAMES)}"
                self.problems.append(document.problem(where, "unknown platform", cure))
                continue
            kind = builder(name).settings
            made = self._part(kind, document, where, {} if value is None else value)
            if made is not None:
                self.platforms.append((name, made))

    def _part(self, kind: type[S], document: Document, where: Where, value: object) -> S | None:
        try:
            return kind.model_validate(value)
        except ValidationError as error:
            for place, what, cure in mistakes(error, kind, value):
                self.problems.append(document.problem((*where, *place), what, cure))
        return None

    # -------------------------------------------------------------- policies

    def _policies(self, document: Document, named: Any) -> None:  # noqa: ANN401 - as written
        items = [named] if isinstance(named, str) else named
        if not isinstance(items, list):
            cure = "write a list of policies, or of paths of policy files"
            self.problems.append(document.problem(("policies",), "is no list", cure))
            return
        for position, item in enumerate(items):
            where: Where = ("policies", position)
            if isinstance(item, str):
                self._policy_files(document, where, item)
            else:
                self._policy(document, where, item)

    def _policy_files(self, document: Document, where: Where, named: str) -> None:
        paths = sorted(_matching(self.base, named))
        if not paths:
            what = f"no policy file {shown(named)}"
            self.problems.append(document.problem(where, what, "check the path"))
        for path in paths:
            self._policy_file(path)

    def _policy_file(self, path: Path) -> None:
        document = self._document(path)
        if document is None:
            return
        settings = self._part(PolicyFile, document, (), document.value or {})
        if settings:
            self.exemptions += settings.exemptions
        parts = document.value if isinstance(document.value, Mapping) else {}
        items = parts.get("policies") or []
        if settings and not items and not settings.exemptions:
            cure = "write policies: [{name: …}] there, or take the file out of `policies`"
            what = "holds no policy and no exemption"
            self.problems.append(document.problem((), what, cure))
            return
        if not isinstance(items, list):
            self.problems.append(document.problem(("policies",), "is no list", "write a list"))
            return
        for position, item in enumerate(items):
            self._policy(document, ("policies", position), item)

    def _policy(self, document: Document, where: Where, item: object) -> None:
        made = self._part(PolicySettings, document, where, item)
        if made is not None:
            self.policies.append(made)
        read_of_it = draft(item)
        self._drafts.append((document, where, read_of_it))
        for place, what, cure in findings(read_of_it, self.pace):
            self.problems.append(document.problem((*where, *place), what, cure))

    def _between(self) -> None:
        for position, what, cure in unreachable([item for *_, item in self._drafts]):
            document, where, _ = self._drafts[position]
            self.problems.append(document.problem(where, what, cure))


def _matching(base: Path, named: str) -> Iterator[Path]:
    path = Path(named)
    if not any(mark in named for mark in "*?["):
        yield base / path
    elif path.is_absolute():
        yield from Path(path.anchor).glob(str(path.relative_to(path.anchor)))
    else:
        yield from base.glob(named)
