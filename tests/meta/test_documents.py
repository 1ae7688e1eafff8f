"""What the documents, dashboards and alerts name exists."""

import importlib
import re
from collections.abc import Iterator
from pathlib import Path

from tests.project import ROOT, name_of

CATALOGUES = ("exporter.contract.catalog", "reaper.web.exposition.catalog")
METRIC = re.compile(r"(?<![:\w])gpu(?:node|reaper)_[a-z0-9_]+\b")
"""A name after a colon is of a recording rule, which stands in the same file."""
SUFFIXES = ("_total", "_info", "_bucket", "_sum", "_count", "_created")
LINK = re.compile(r"\]\(([^)\s#]+)[^)]*\)")
QUOTED = re.compile(r"`([^`\s]+)`")
PLACEHOLDER = re.compile(r"[*<>{}$…]|\.\.\.")


def documents() -> Iterator[Path]:
    yield from sorted(ROOT.glob("*.md"))
    yield from sorted((ROOT / "docs").rglob("*.md"))
    yield from sorted((ROOT / "deploy").rglob("*.md"))


def users_of_metrics() -> Iterator[Path]:
    for folder, pattern in (("dashboards", "*.json"), ("alerts", "*.y*ml"), ("docs", "*.md")):
        yield from sorted((ROOT / folder).rglob(pattern))


def test_every_path_in_a_document_exists():
    missing = [
        f"{name_of(document)}: {name}"
        for document in documents()
        for name in paths_in(document.read_text(encoding="utf-8"))
        if not any((place / name).exists() for place in (document.parent, ROOT))
    ]

    assert missing == []


def test_every_metric_named_is_in_a_catalogue():
    families = catalogued()
    unknown = [
        f"{name_of(user)}: {name}"
        for user in users_of_metrics()
        for name in sorted(set(METRIC.findall(user.read_text(encoding="utf-8"))))
        if not is_known(name, families)
    ]

    assert unknown == []


def test_paths_are_read_from_links_and_quotes():
    text = (
        "[a](docs/no.md#part) [b](https://x.test/y) `exporter/none.py` `make run` `a/b` `docs/*.md`"
    )

    assert paths_in(text) == ["docs/no.md", "exporter/none.py"]


def test_an_unknown_metric_is_found():
    families = {"gpunode_power_watts", "gpunode_observed_seconds"}

    assert is_known("gpunode_power_watts", families)
    assert is_known("gpunode_observed_seconds_total", families)
    assert not is_known("gpunode_power_kilowatts", families)


def paths_in(text: str) -> list[str]:
    """Relative link targets, and quoted words that begin with a folder of the project."""
    links = [link for link in LINK.findall(text) if "://" not in link and "mailto:" not in link]
    folders = {entry.name for entry in ROOT.iterdir() if entry.is_dir()}
    quoted = [
        word for word in QUOTED.findall(text) if word.partition("/")[0] in folders and "/" in word
    ]
    return [name for name in links + quoted if not PLACEHOLDER.search(name)]


def catalogued() -> set[str]:
    names: set[str] = set()
    for module in CATALOGUES:
        if (ROOT / module.replace(".", "/")).with_suffix(".py").exists():
            names |= {family.name for family in importlib.import_module(module).FAMILIES}
    return names


def is_known(name: str, families: set[str]) -> bool:
    """Accept a family's name with or without the suffix that its kind adds."""
    bare = {name, *(name.removesuffix(suffix) for suffix in SUFFIXES)}
    return bool(bare & families) or any(f"{name}{suffix}" in families for suffix in SUFFIXES)
