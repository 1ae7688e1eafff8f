"""Credentials travel by https or on this machine; readably elsewhere only where that is allowed."""

import pytest
from pydantic import ValidationError
from yarl import URL

from reaper.activity.credentials import in_clear
from reaper.activity.exporters.fetch import Fetcher
from reaper.activity.exporters.settings import ExporterSettings
from reaper.activity.prometheus.settings import EngineSettings
from reaper.activity.serving.settings import ServerSettings
from reaper.edge.clock import JumpingClock
from reaper.ports import SourceError

TOKEN = {"env": "TOKEN"}


@pytest.mark.parametrize(
    ("url", "clear"),
    [
        ("http://gpu01:19440/metrics", True),
        ("http://10.0.0.7:19440/metrics", True),
        ("http://[2001:db8::7]:19440/", True),
        ("http://localhost.example.org/", True),
        ("https://gpu01:19440/metrics", False),
        ("http://127.0.0.1:19440/metrics", False),
        ("http://127.8.0.1/", False),
        ("http://[::1]:9090/", False),
        ("http://localhost:9090/", False),
    ],
)
def test_http_beyond_this_machine_is_readable(url, clear):
    assert in_clear(url) is clear


SETTINGS = [
    (ExporterSettings, {"targets": ["https://gpu00:19440", "gpu01:19440"]}),
    (EngineSettings, {"url": "http://prometheus.example:9090"}),
    (ServerSettings, {"url": "http://{node}:8000/metrics"}),
]


@pytest.mark.parametrize(("kind", "given"), SETTINGS)
@pytest.mark.parametrize(
    "secret", [{"bearer": TOKEN}, {"basic": {"username": "reaper", "password": TOKEN}}]
)
def test_a_credential_that_would_travel_readably_is_refused(kind, given, secret):
    with pytest.raises(ValidationError, match="would travel readably"):
        kind(**given, **secret)


@pytest.mark.parametrize(("kind", "given"), SETTINGS)
def test_it_may_where_somebody_says_so(kind, given):
    assert kind(**given, bearer=TOKEN, in_clear=True).in_clear


@pytest.mark.parametrize(("kind", "given"), SETTINGS)
def test_without_a_credential_nothing_is_said(kind, given):
    assert kind(**given).bearer is None


async def test_a_target_that_was_found_later_is_not_sent_it_either(tmp_path):
    (tmp_path / "token").write_text("word")
    settings = ExporterSettings(bearer={"file": tmp_path / "token"})
    fetcher = Fetcher(settings, JumpingClock(at=0.0))
    fetcher.renew_credentials()

    with pytest.raises(SourceError, match="in_clear: true"):
        await fetcher.fetch(URL("http://192.0.2.1:19440/metrics"))
    await fetcher.close()
