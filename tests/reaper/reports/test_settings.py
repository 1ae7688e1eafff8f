"""Report settings say in whose week and money, and what counts as waste."""

import pytest
from pydantic import ValidationError

from reaper.domain.facts.allocation import Purpose
from reaper.domain.money.ledger import Whereabouts
from reaper.domain.money.waste import Waits
from reaper.reports.settings import ReportSettings


def test_defaults_are_those_of_the_books():
    assert ReportSettings().waste.waits() == Waits()


def test_thresholds_are_written_with_units():
    waits = ReportSettings.model_validate(
        {"waste": {"interactive": "45m", "training": "2h", "otherwise": "90m"}}
    ).waste.waits()

    assert waits.of(Purpose.INTERACTIVE) == 45 * 60
    assert waits.of(Purpose.TRAINING) == 2 * 3600
    assert waits.of(Purpose.INFERENCE) == 90 * 60


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"zone": "Mars/Olympus"}, id="no zone"),
        pytest.param({"currency": "euro"}, id="no currency"),
        pytest.param({"waste": {"interactive": "0s"}}, id="no threshold at all"),
        pytest.param({"waste": {"batch": "1h"}}, id="no class"),
        pytest.param({"places": [{"site": "north"}]}, id="a place without nodes"),
        pytest.param({"deliver": {"forms": ["html"]}}, id="nowhere to deliver to"),
        pytest.param({"deliver": {"folder": "/srv", "forms": ["docx"]}}, id="no form"),
        pytest.param({"close_after": "0h"}, id="closed before its end is known"),
        pytest.param({"least_gpu_hours": -1}, id="less than nothing"),
    ],
)
def test_what_means_nothing_is_refused(wrong: dict[str, object]):
    with pytest.raises(ValidationError):
        ReportSettings.model_validate(wrong)


def test_places_keep_their_order():
    settings = ReportSettings.model_validate(
        {
            "places": [
                {"nodes": ["gpu0*"], "site": "north", "labels": ["rack=a"]},
                {"nodes": "gpu*", "site": "south"},
            ]
        }
    )

    assert settings.whereabouts() == (
        Whereabouts(nodes=("gpu0*",), site="north", labels=("rack=a",)),
        Whereabouts(nodes=("gpu*",), site="south"),
    )


def test_nothing_is_delivered_unless_asked():
    assert ReportSettings().deliver is None


def test_a_folder_takes_pages_and_extracts_without_names_by_default():
    deliver = ReportSettings.model_validate({"deliver": {"folder": "/srv/reports"}}).deliver

    assert deliver is not None
    assert (deliver.forms, deliver.teams, deliver.names) == (
        ("html", "markdown", "json"),
        True,
        False,
    )
