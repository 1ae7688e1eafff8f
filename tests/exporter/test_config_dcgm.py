"""Where dcgm-exporter may be, as the command line says it."""

import pytest

from exporter.config import ConfigError, DcgmPlace, check
from exporter.options import Options

URL = "http://127.0.0.1:9400/metrics"


def mistakes(**words):
    with pytest.raises(ConfigError) as caught:
        check(Options(**words))
    return caught.value.message


def test_without_an_address_nothing_is_asked():
    assert check(Options()).dcgm is None


@pytest.mark.parametrize("url", [URL, "https://localhost/metrics", "http://[::1]:9400/metrics"])
def test_this_machine_is_asked(url):
    assert check(Options(dcgm_url=url)).dcgm == DcgmPlace(url=url, interval=30.0)


@pytest.mark.parametrize(
    "url", ["127.0.0.1:9400", "http://", "file:///x", "http://[::1", "ftp://a"]
)
def test_what_is_no_address_is_a_mistake(url):
    assert "--dcgm-url" in mistakes(dcgm_url=url)


def test_another_machine_must_be_meant():
    url = "http://mira:s3cret@gpu07:9400/metrics"
    found = mistakes(dcgm_url=url)

    assert ("gpu07" in found, "s3cret" in found) == (True, False)
    assert check(Options(dcgm_url=url, dcgm_remote=True)).dcgm.url == url


@pytest.mark.parametrize("interval", [0.5, 601.0])
def test_an_interval_out_of_bounds_is_a_mistake(interval):
    assert "--dcgm-interval" in mistakes(dcgm_url=URL, dcgm_interval=interval)


def test_a_simulated_node_has_no_dcgm(tmp_path):
    assert "--dcgm-url: only" in mistakes(dcgm_url=URL, driver="simulated")
