"""What an operator may write for an engine, and what the defaults are."""

import pytest

from reaper.activity.prometheus.settings import PrometheusSettings
from reaper.config.lacks import authenticated

URL = "http://prometheus:9090"


def settings(**given: object) -> PrometheusSettings:
    return PrometheusSettings.model_validate({"engines": [{"url": URL}], **given})


def test_an_address_is_enough():
    (engine,) = settings().engines

    assert (engine.url, engine.match, engine.dcgm) == (URL, {"job": "gpu-exporter"}, None)


def test_a_path_before_the_api_is_kept():
    (engine,) = settings(engines=[{"url": "https://mimir/prometheus/"}]).engines

    assert engine.url == "https://mimir/prometheus"


@pytest.mark.parametrize("match", [{}, None, {"": "a"}, {"job-name": "a"}, {"job": 5}])
def test_labels_are_pinned_by_name_and_value(match):
    with pytest.raises(ValueError, match=r"match"):
        settings(engines=[{"url": URL, "match": match}])


@pytest.mark.parametrize("url", ["prometheus:9090", "ftp://p", "http://", "http://p?query=up"])
def test_what_is_no_address_is_refused(url):
    with pytest.raises(ValueError, match="no engine's address"):
        settings(engines=[{"url": url}])


@pytest.mark.parametrize(
    ("exporters", "proven"),
    [
        ({}, False),
        ({"scheme": "https"}, False),
        ({"scheme": "https", "ca": "/ca.pem"}, True),
        ({"targets": ["gpu01:944"]}, True),
        ({"targets": ["gpu01:19440"]}, False),
    ],
)
def test_exporters_of_labels_prove_themselves_by_a_pinned_ca_alone(exporters, proven):
    assert authenticated(settings(exporters=exporters)) is proven
