"""What an operator may write under `platforms: slurm:`."""

import pytest
from pydantic import ValidationError

from reaper.domain.facts.allocation import Purpose
from reaper.platforms.slurm.settings import SlurmSettings


def test_nothing_needs_to_be_written():
    settings = SlurmSettings.model_validate({})

    assert (settings.timeout, settings.purposes) == (30.0, ())


def test_durations_and_rules_are_read():
    settings = SlurmSettings.model_validate(
        {
            "timeout": "10s",
            "purposes": [{"class": "inference", "partition": "serve*", "name": ["a*", "b"]}],
        }
    )

    rule = settings.purposes[0].rule()
    assert settings.timeout == 10
    assert (rule.purpose, rule.partition, rule.name) == (
        Purpose.INFERENCE,
        ("serve*",),
        ("a*", "b"),
    )


@pytest.mark.parametrize(
    "written",
    [
        {"timeout": "0s"},
        {"timout": "5s"},
        {"purposes": [{"name": "a"}]},
        {"purposes": [{"class": "fun"}]},
    ],
)
def test_what_cannot_be_meant_is_refused(written):
    with pytest.raises(ValidationError):
        SlurmSettings.model_validate(written)
