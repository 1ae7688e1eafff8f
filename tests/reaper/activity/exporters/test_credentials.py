"""Tokens, passwords and certificates, and which targets cannot be imitated."""

import ssl
from pathlib import Path

import pytest

from reaper.activity.exporters.activity import ExporterActivity
from reaper.activity.exporters.settings import ExporterSettings
from reaper.edge.clock import JumpingClock
from reaper.ports import NodeReport, SourceError
from tests.pages import Node, serving
from tests.reaper.activity.exporters.conftest import healthy

CERTIFICATE = Path(__file__).with_name("loopback.pem")
"""A self-signed certificate for 127.0.0.1 with its key; made up for these tests."""


def sent(node: Node) -> set[str]:
    return {headers.get("Authorization", "") for headers in node.seen_headers}


async def test_a_bearer_token_is_sent_and_read_again_when_it_changes(scraping, clock, tmp_path):
    token = tmp_path / "token"
    token.write_text("first\n")
    node = healthy(clock)
    async with scraping(node, bearer={"file": str(token)}) as scrape:
        await scrape.round()
        token.write_text("second\n")
        await scrape.round(after=15)

    assert sent(node) == {"Bearer first", "Bearer second"}


async def test_a_name_and_password_are_sent(scraping, clock, tmp_path):
    (tmp_path / "password").write_text("pass")
    node = healthy(clock)
    basic = {"username": "otto", "password": {"file": str(tmp_path / "password")}}
    async with scraping(node, basic=basic) as scrape:
        await scrape.round()

    assert sent(node) == {"Basic b3R0bzpwYXNz"}


async def test_a_token_that_cannot_be_read_is_an_error_of_the_source(scraping, clock, tmp_path):
    async with scraping(healthy(clock), bearer={"file": str(tmp_path / "no")}) as scrape:
        with pytest.raises(SourceError, match="cannot be read"):
            await scrape.round()


@pytest.mark.parametrize(
    ("target", "settings", "expected"),
    [
        ("127.0.0.1:19440", {}, False),
        ("127.0.0.1:1023", {}, True),
        ("https://127.0.0.1:19440", {}, False),
        ("http://127.0.0.1", {}, True),
        ("elsewhere:1", {}, False),
    ],
)
async def test_only_a_low_port_or_a_pinned_ca_authenticates(clock, target, settings, expected):
    known = [target] if target != "elsewhere:1" else ["127.0.0.1:19440"]
    given = ExporterSettings.model_validate({"targets": known, **settings})
    activity = ExporterActivity(given, clock=clock)
    await activity._discover()

    assert activity.authenticated(target) is expected


async def test_a_pinned_ca_that_cannot_be_read_is_an_error(scraping, clock, tmp_path):
    async with scraping(healthy(clock), ca=str(tmp_path / "no.pem")) as scrape:
        assert "ca" in (await scrape.only()).error


@pytest.fixture
def served_over_tls() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    return context


async def over_tls(clock: JumpingClock, tls: ssl.SSLContext, **given) -> tuple[NodeReport, bool]:
    """Ask a node over TLS; give its report, and whether it could not be imitated."""
    async with serving(healthy(clock), tls=tls) as (address,):
        settings = ExporterSettings.model_validate({"targets": [address], **given})
        async with ExporterActivity(settings, clock=clock) as activity:
            (found,) = (await activity.readings(0)).nodes
            return found, activity.authenticated(address)


async def test_a_pinned_certificate_is_trusted_and_authenticates(clock, served_over_tls):
    found, authenticated = await over_tls(clock, served_over_tls, ca=str(CERTIFICATE))

    assert (found.error, authenticated) == ("", True)


async def test_a_certificate_that_nobody_pinned_is_refused(clock, served_over_tls):
    found, authenticated = await over_tls(clock, served_over_tls)

    assert "its certificate is not trusted" in found.error
    assert authenticated is False
