# ruff: noqa: INP001 - a script, no package
"""Writes metrics.md from the two catalogues: ``python docs/metrics.py``."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Protocol

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from exporter.contract import catalog as of_exporter
from reaper.web.exposition import catalog as of_reaper

PAGE: Final = Path(__file__).with_name("metrics.md")

_BEGIN: Final = """\
# Metrics

Written by `docs/metrics.py` from `exporter/contract/catalog.py` and
`reaper/web/exposition/catalog.py`: change those.
Base units only: seconds, bytes, watts, joules, ratios of 0 to 1; money in its label's currency.
What is not known has no sample; it is never zero in its place.

The mean of a signal over any time and by any reader is what was active over what was observed:

```
sum(rate(gpunode_sm_active_seconds_total[5m]))
  / sum(rate(gpunode_observed_seconds_total{signal="sm"}[5m]))
```

and coverage is what was observed over the time that passed:
`rate(gpunode_observed_seconds_total[5m])`.
"""

_PEOPLE: Final = (
    "Needs authentication anywhere but on loopback, and can be switched off "
    "([people](people.md)).\n"
)


class Family(Protocol):
    """What both catalogues say of a family."""

    @property
    def name(self) -> str:
        """Its exposed name."""

    @property
    def kind(self) -> str:
        """Counter or gauge."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Its labels."""

    @property
    def help(self) -> str:
        """What it means."""


def text() -> str:
    """Return the page."""
    families = of_exporter.FAMILIES
    return "\n".join(
        (
            _BEGIN,
            f"## gpu-exporter, `/metrics` (contract {of_exporter.VERSION})\n",
            *_table(family for family in families if family.page == "metrics"),
            "\n## gpu-exporter, `/metrics/people`\n",
            _PEOPLE,
            *_table(family for family in families if family.page == "people"),
            "\n## gpu-reaper, `/metrics`\n",
            *_table(of_reaper.FAMILIES),
            "",
        )
    )


def _table(families: Iterable[Family]) -> Iterable[str]:
    yield "| name | kind | labels | meaning |"
    yield "|---|---|---|---|"
    for family in families:
        labels = ", ".join(f"`{label}`" for label in family.labels)
        yield f"| `{family.name}` | {family.kind} | {labels} | {family.help} |"


def main() -> int:
    """Write the page."""
    PAGE.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
