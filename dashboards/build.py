# ruff: noqa: INP001 - a script, no package
"""
Builds the dashboards that lie beside this file: ``python dashboards/build.py``.

A dashboard is a value in one of the modules under `dashboards/boards`, and a line below;
`tests/real/test_dashboards.py` asks every query of a real Prometheus.  `$cluster` fits everything
by default, so that a site with one cluster needs no such label.
"""

import sys
from pathlib import Path
from typing import Final

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from dashboards.boards.allocation import ALLOCATION
from dashboards.boards.fleet import FLEET
from dashboards.boards.node import NODE
from dashboards.boards.reaper import REAPER
from dashboards.boards.starvation import STARVATION
from dashboards.boards.team import TEAM
from dashboards.drawing import drawn
from dashboards.sketch import Dashboard

HERE: Final = Path(__file__).resolve().parent
DASHBOARDS: Final[tuple[Dashboard, ...]] = (FLEET, TEAM, ALLOCATION, NODE, REAPER, STARVATION)


def path(dashboard: Dashboard) -> Path:
    """Return where a dashboard is written to."""
    return HERE / f"{dashboard.name}.json"


def main() -> int:
    """Write the files."""
    for dashboard in DASHBOARDS:
        path(dashboard).write_text(drawn(dashboard), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
