"""What an operator may write about exporters, and what is said about mistakes."""

import pytest
from pydantic import ValidationError

from reaper.activity.exporters.settings import HERE, ExporterSettings


def test_without_a_word_the_exporter_of_this_machine_is_asked():
    assert ExporterSettings().addresses == (HERE,)


def test_files_alone_are_enough():
    assert ExporterSettings.model_validate({"file_sd": ["sd/*.json"]}).addresses == ()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"targets": ["gpu01"]}, "'gpu01' has no port"),
        ({"file_sd": ["nodes.txt"]}, "is no .json, .yml or .yaml file"),
        (
            {"bearer": {"env": "T"}, "basic": {"username": "x", "password": {"env": "P"}}},
            "bearer and basic are both given",
        ),
        ({"interval": 15}, "has no unit"),
        ({"concurrency": 0}, "greater than or equal to 1"),
        ({"bearer": "s3cret"}, "a secret is written into the configuration"),
    ],
)
def test_a_mistake_is_named(given, message):
    with pytest.raises(ValidationError) as caught:
        ExporterSettings.model_validate(given)

    assert message in str(caught.value)
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("gpu[01-02]:19440", ("gpu01:19440", "gpu02:19440")),
        (["gpu[1,3]:19440", "x:1"], ("gpu1:19440", "gpu3:19440", "x:1")),
        (
            ["https://gpu[1-2].example.org:1/m"],
            ("https://gpu1.example.org:1/m", "https://gpu2.example.org:1/m"),
        ),
        (["[::1]:19440", "https://[fe80::1]:1"], ("[::1]:19440", "https://[fe80::1]:1")),
        (["10.0.0.[1-2]:1=gpu[01-02]"], ("10.0.0.1:1=gpu01", "10.0.0.2:1=gpu02")),
    ],
)
def test_a_hostlist_stands_for_all_that_it_names(written, meant):
    assert ExporterSettings(targets=written).targets == meant


@pytest.mark.parametrize("wrong", ["gpu[3-1]:1", "gpu[1-999999]:1", "10.0.0.[1-2]:1=gpu[1-3]"])
def test_a_hostlist_that_names_nothing_is_refused(wrong):
    with pytest.raises(ValidationError):
        ExporterSettings(targets=[wrong])


def test_every_wrong_target_is_named_and_not_the_first_alone():
    targets = ["gpu[3-1]:9", "gpu01:19440", "gpu[01-16:19440", "gpu02:99999", "10.0.0.[1-2]:1=gpu1"]
    with pytest.raises(ValidationError) as caught:
        ExporterSettings.model_validate({"targets": targets})

    assert [item["loc"] for item in caught.value.errors()] == [
        ("targets", 0),
        ("targets", 2),
        ("targets", 3),
        ("targets", 4),
    ]
