"""People in a real directory server: found, escaped, refused, and never guessed."""

import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from reaper.edge.clock import JumpingClock
from reaper.people.ldap_directory import LdapDirectory, LdapSettings
from reaper.ports import Person, SourceError
from tests.components import find, require

BASE = "dc=example,dc=org"
ROOT = f"cn=reader,{BASE}"
PASSWORD = "ldap-invented-and-never-repeated"

CONF = """
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
TLSCertificateFile {certificate}
TLSCertificateKeyFile {certificate}
referral ldap://127.0.0.1:{elsewhere}
database mdb
suffix "{base}"
rootdn "{root}"
rootpw {password}
directory {data}
access to * by anonymous auth by * read
"""

PEOPLE = f"""
dn: {BASE}
objectClass: dcObject
objectClass: organization
o: example
dc: example

dn: uid=mira,{BASE}
objectClass: inetOrgPerson
uid: mira
cn: Mira Example
sn: Example
mail: mira@example.org
departmentNumber: vision
preferredLanguage: ru

dn: uid=otto,{BASE}
objectClass: inetOrgPerson
uid: otto
uid: double
cn: Otto Example
sn: Example

dn: uid=emil,{BASE}
objectClass: inetOrgPerson
uid: emil
uid: double
cn: Emil Example
sn: Example
"""


@dataclass(frozen=True, slots=True)
class Ldap:
    """A server of a test."""

    port: int
    elsewhere: socket.socket
    """Where it sends whoever asks for what it does not hold."""
    password: Path
    certificate: Path

    def people(self, **changes: Any) -> LdapDirectory:
        """Return it as a directory of people."""
        written = {
            "server": f"ldap://127.0.0.1:{self.port}",
            "base": BASE,
            "user": ROOT,
            "password": {"file": str(self.password)},
            "attributes": {"team": "departmentNumber", "language": "preferredLanguage"},
        }
        settings = LdapSettings.model_validate({**written, **changes})
        return LdapDirectory(settings, clock=JumpingClock(at=0.0))


@pytest.fixture(scope="module")
def ldap(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ldap]:
    require("slapd")
    slapd, slapadd = str(find("slapd")), str(find("slapadd"))
    folder = tmp_path_factory.mktemp("ldap")
    (folder / "data").mkdir()
    certificate = _certificate(folder)
    conf = folder / "slapd.conf"
    elsewhere = socket.create_server(("127.0.0.1", 0))
    elsewhere.setblocking(False)
    conf.write_text(
        CONF.format(
            certificate=certificate,
            elsewhere=elsewhere.getsockname()[1],
            base=BASE,
            root=ROOT,
            password=PASSWORD,
            data=folder / "data",
        )
    )
    subprocess.run([slapadd, "-f", conf], input=PEOPLE.encode(), check=True, capture_output=True)
    port = _free()
    server = subprocess.Popen(
        [slapd, "-f", conf, "-h", f"ldap://127.0.0.1:{port}", "-d", "0"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _answers(port, server)
        secret = folder / "password"
        secret.write_text(PASSWORD)
        yield Ldap(port, elsewhere, secret, certificate)
    finally:
        elsewhere.close()
        server.terminate()
        server.wait(timeout=60)


def _certificate(folder: Path) -> Path:
    """Make a key and its certificate; not every version of ldap3 finds an address among names."""
    made = folder / "server.pem"
    names = ("-subj", "/CN=invented", "-addext", "subjectAltName=DNS:127.0.0.1,IP:127.0.0.1")
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *names]
    subprocess.run(
        [*command, "-keyout", made, "-out", folder / "cert"], check=True, capture_output=True
    )
    made.write_text(made.read_text() + (folder / "cert").read_text())
    return made


def _free() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _answers(port: int, server: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    pytest.fail(f"slapd does not answer; it ended with {server.poll()}")


async def test_a_person_is_found(ldap: Ldap):
    assert await ldap.people().person("mira") == Person(
        user="mira", name="Mira Example", team="vision", email="mira@example.org", language="ru"
    )


@pytest.mark.parametrize("user", ["nobody-here", "*", "mira)(uid=*", "\\2a", "mi\0ra", ""])
async def test_a_name_is_never_a_filter(ldap: Ldap, user: str):
    assert await ldap.people().person(user) is None


async def test_two_entries_are_no_answer(ldap: Ldap):
    with pytest.raises(SourceError, match="2 entries"):
        await ldap.people().person("double")


async def test_starttls_protects_the_password(ldap: Ldap):
    people = ldap.people(starttls=True, ca=str(ldap.certificate))

    assert await people.person("mira") is not None


async def test_a_server_that_nobody_vouches_for_is_not_asked(ldap: Ldap):
    with pytest.raises(SourceError, match="no answer about 'mira'"):
        await ldap.people(starttls=True).person("mira")


async def test_a_wrong_password_is_an_error_and_not_repeated(ldap: Ldap, tmp_path: Path):
    wrong = tmp_path / "wrong"
    wrong.write_text(f"not-{PASSWORD}")
    with pytest.raises(SourceError, match="no answer about 'mira'") as raised:
        await ldap.people(password={"file": str(wrong)}).person("mira")

    assert PASSWORD not in repr(raised.value)
    assert raised.value.__cause__ is None


async def test_a_base_that_is_not_there_is_no_proof_of_absence(ldap: Ldap):
    with pytest.raises(SourceError, match="no answer about 'mira'"):
        await ldap.people(base="dc=elsewhere").person("mira")


async def test_a_server_that_is_away_is_an_error(ldap: Ldap):
    with pytest.raises(SourceError, match="no answer about 'mira'"):
        await ldap.people(server=f"ldap://127.0.0.1:{_free()}").person("mira")


async def test_nobody_is_asked_to_whom_the_server_sends_us_on(ldap: Ldap):
    with pytest.raises(SourceError, match="no answer about 'mira'"):
        await ldap.people(base="dc=elsewhere,dc=test").person("mira")

    with pytest.raises(BlockingIOError):
        ldap.elsewhere.accept()
