"""What an operator wrote about money reaches the report."""

from pathlib import Path

from reaper.app.books.reporting import context
from reaper.config import load
from reaper.domain.facts.allocation import Purpose
from reaper.domain.money.ledger import Whereabouts
from reaper.domain.money.waste import Waits
from reaper.reports.languages import TONGUES

WRITTEN = """
cluster: alpha
report:
  zone: Europe/Berlin
  language: ru
  waste: {interactive: 45m, otherwise: 2h}
  places: [{nodes: "gpu0*", site: north}]
"""


def test_thresholds_and_places_of_the_configuration_are_the_reports(tmp_path: Path):
    path = tmp_path / "gpu-reaper.yaml"
    path.write_text(WRITTEN, encoding="utf-8")

    told = context(load(path, environ={"HOME": "/home/mira"}))

    assert told.terms.waits == Waits(by_purpose={Purpose.INTERACTIVE: 2700.0}, otherwise=7200.0)
    assert told.places == (Whereabouts(nodes=("gpu0*",), site="north"),)
    assert told.zone_name == "Europe/Berlin"
    assert told.tongue is TONGUES["ru"]
