"""TLS, client certificates and passwords over real connections, and their renewal while serving."""

import base64
import ssl

import aiohttp
import bcrypt
import pytest
from aiohttp import web

from exporter.serving.auth import Authentication
from exporter.serving.web import Access, application
from exporter.serving.webconfig import WebConfigError
from tests.certificates import Authority
from tests.exporter.fakes import StillClock
from tests.exporter.serving.test_web import Desk, Fixed


@pytest.fixture(scope="session")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


class Site:
    """An application behind auth, on a port of its own."""

    def __init__(self, folder, authority):
        self.folder = folder
        self.authority = authority
        self.clock = StillClock()
        self.path = folder / "web.yml"
        self.access = Access(people=True)
        self.place("server")

    def place(self, name, authority=None):
        """Put a new server certificate in place."""
        pair = (authority or self.authority).sign(name, "IP:127.0.0.1")
        for source, target in zip(pair, ("server.pem", "server.key"), strict=True):
            (self.folder / target).write_bytes(source.read_bytes())

    def write(self, *words, users=None):
        keys = ("cert_file: server.pem", "key_file: server.key", *words)
        lines = ["tls_server_config:", *(f"  {key}" for key in keys)]
        lines += ["basic_auth_users:", *(f"  {n}: {h}" for n, h in users.items())] if users else []
        self.path.write_text("\n".join(lines) + "\n")
        self.clock.pause(2)

    async def __aenter__(self):
        self.auth = Authentication(self.path, self.clock)
        app = application(Fixed(), Desk(), self.access, self.auth)
        self.runner = web.AppRunner(app)
        await self.runner.setup()
        site = web.TCPSite(self.runner, "127.0.0.1", 0, ssl_context=self.auth.tls)
        await site.start()
        self.port = self.runner.addresses[0][1]
        return self

    async def __aexit__(self, *_):
        await self.runner.cleanup()
        self.auth.close()

    async def status(self, client=None, authority=None, headers=None, version=None):
        """Ask once over a new connection; None when it does not come to an answer."""
        context = ssl.create_default_context(cafile=(authority or self.authority).certificate)
        if client is not None:
            context.load_cert_chain(*client)
        if version is not None:
            context.maximum_version = version
        async with aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(ssl=context, force_close=True)
        ) as session:
            try:
                async with session.get(
                    f"https://127.0.0.1:{self.port}/metrics", headers=headers
                ) as answer:
                    return answer.status
            except aiohttp.ClientError:
                return None


@pytest.fixture
def site(tmp_path, authority):
    return Site(tmp_path, authority)


VERIFIED = ("client_ca_file: ca.pem", "client_auth_type: RequireAndVerifyClientCert")


@pytest.fixture
def verifying(site):
    """A site that takes the authority's clients alone."""
    (site.folder / "ca.pem").write_bytes(site.authority.certificate.read_bytes())
    site.write(*VERIFIED)
    return site


async def test_pages_are_served_over_tls(site):
    site.write()
    async with site:
        assert await site.status() == 200


async def test_tls_that_is_too_old_is_refused(site):
    site.write("min_version: TLS13")
    async with site:
        assert await site.status(version=ssl.TLSVersion.TLSv1_2) is None
        assert await site.status() == 200


async def test_only_a_client_with_a_certificate_gets_in(verifying, authority, tmp_path):
    stranger = Authority(tmp_path, "stranger")
    async with verifying:
        assert await verifying.status() is None
        assert await verifying.status(client=stranger.sign("prom", "DNS:prom.test")) is None
        assert await verifying.status(client=authority.sign("prom", "DNS:prom.test")) == 200


async def test_only_a_named_client_gets_in(verifying, authority):
    verifying.write(*VERIFIED, "client_allowed_sans: [prom.test]")
    async with verifying:
        assert await verifying.status(client=authority.sign("prom", "DNS:prom.test")) == 200
        assert await verifying.status(client=authority.sign("otto", "DNS:otto.test")) == 403


async def test_a_new_certificate_is_used_at_once(site, tmp_path):
    (tmp_path / "next").mkdir()
    successor = Authority(tmp_path / "next", "successor")
    site.write()
    async with site:
        before = await site.status(authority=successor)
        site.place("renewed", successor)
        site.clock.pause(2)

        assert (before, await site.status(authority=successor)) == (None, 200)


async def test_a_certificate_that_became_wrong_leaves_the_old_one_in_force(site, caplog):
    site.write()
    async with site:
        (site.folder / "server.pem").write_text("none")
        site.clock.pause(2)

        assert await site.status() == 200
    assert "what was last right stays in force" in caplog.text


async def test_clients_can_be_asked_from_now_on(site, authority):
    (site.folder / "ca.pem").write_bytes(authority.certificate.read_bytes())
    site.write()
    async with site:
        before = await site.status()
        site.write(*VERIFIED)

        assert (before, await site.status()) == (200, None)


async def test_tls_is_not_switched_off_by_a_change(site):
    site.write()
    async with site:
        site.path.write_text("{}")
        site.clock.pause(2)

        assert await site.status() == 200


def basic(name, password):
    return {"Authorization": f"Basic {base64.b64encode(f'{name}:{password}'.encode()).decode()}"}


def hashed(password):
    return bcrypt.hashpw(password.encode(), bcrypt.gensalt(4)).decode()


async def test_a_user_who_was_removed_stays_outside(site):
    site.write(users={"prom": hashed("pass"), "otto": hashed("word")})
    async with site:
        before = await site.status(headers=basic("otto", "word"))
        site.write(users={"prom": hashed("pass")})

        assert (before, await site.status(headers=basic("otto", "word"))) == (200, 401)
        assert await site.status(headers=basic("prom", "pass")) == 200


async def test_a_new_password_takes_the_place_of_the_old_one(site):
    site.write(users={"prom": hashed("pass")})
    async with site:
        await site.status(headers=basic("prom", "pass"))
        site.write(users={"prom": hashed("other")})

        assert await site.status(headers=basic("prom", "pass")) == 401
        assert await site.status(headers=basic("prom", "other")) == 200


def test_a_wrong_file_is_refused_at_the_start(tmp_path):
    (tmp_path / "web.yml").write_text("other: 1")

    with pytest.raises(WebConfigError, match="other: not kept here"):
        Authentication(tmp_path / "web.yml", StillClock())
