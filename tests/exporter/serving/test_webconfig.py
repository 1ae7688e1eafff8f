"""The web configuration file: what it means, and every mistake at once."""

import ssl

import pytest

from exporter.serving.webconfig import WebConfig, WebConfigError, read
from tests.project import ROOT

HASH = "$2y$10$" + "a" * 53


@pytest.fixture
def write(tmp_path):
    for name in ("server.pem", "server.key", "ca.pem"):
        (tmp_path / name).touch()

    def to(text):
        path = tmp_path / "web.yml"
        path.write_text(text)
        return path

    return to


def mistakes(path):
    with pytest.raises(WebConfigError) as caught:
        read(path)
    return str(caught.value).splitlines()


TLS = "tls_server_config: {cert_file: server.pem, key_file: server.key"


@pytest.mark.parametrize("text", ["", "{}", "# nothing\n", "tls_server_config:\n"])
def test_an_empty_file_asks_for_nothing(write, text):
    assert read(write(text)) == WebConfig()


def test_paths_are_relative_to_the_file(write, tmp_path):
    tls = read(write(TLS + "}")).tls

    assert (tls.cert, tls.key) == (tmp_path / "server.pem", tmp_path / "server.key")


def test_users_and_headers_are_taken(write):
    config = read(
        write(
            f"basic_auth_users: {{prom: {HASH}}}\n"
            "http_server_config: {http2: true, headers: {X-Frame-Options: deny}}\n"
        )
    )

    assert (config.users, config.headers) == (
        {"prom": HASH.encode()},
        {"X-Frame-Options": "deny"},
    )


@pytest.mark.parametrize(
    ("kind", "clients"),
    [
        ("", "none"),
        (", client_auth_type: NoClientCert", "none"),
        (
            ", client_ca_file: ca.pem, client_auth_type: RequireAndVerifyClientCert",
            "required",
        ),
        (", client_ca_file: ca.pem, client_auth_type: VerifyClientCertIfGiven", "if given"),
    ],
)
def test_clients_are_asked_as_the_file_says(write, kind, clients):
    assert read(write(TLS + kind + "}")).tls.clients == clients


def test_versions_and_ciphers_are_those_of_the_file(write):
    words = (
        ", min_version: TLS13, max_version: TLS13,"
        " cipher_suites: [TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,"
        " TLS_RSA_WITH_AES_256_GCM_SHA384]}"
    )
    tls = read(write(TLS + words)).tls

    assert (tls.minimum, tls.maximum) == (ssl.TLSVersion.TLSv1_3,) * 2
    assert tls.ciphers == "ECDHE-RSA-AES128-GCM-SHA256:AES256-GCM-SHA384"


def test_tls_1_2_is_the_oldest_by_default(write):
    assert read(write(TLS + "}")).tls.minimum is ssl.TLSVersion.TLSv1_2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[]", "the file: write keys and values"),
        ("other: 1", "other: not kept here"),
        ("tls_server_config: {cert_file: server.pem}", "cert_file and key_file are needed"),
        ("tls_server_config: {cert_file: none.pem, key_file: server.key}", "cert_file: no file"),
        (TLS + ", min_version: TLS10}", "min_version: TLS10: write TLS12 or TLS13"),
        (TLS + ", client_auth_type: RequestClientCert}", "RequestClientCert: write NoClientCert"),
        (TLS + ", client_auth_type: RequireAndVerifyClientCert}", "go together"),
        (TLS + ", client_ca_file: ca.pem}", "go together"),
        (TLS + ", client_allowed_sans: [a]}", "needs RequireAndVerifyClientCert"),
        (TLS + ", cipher_suites: [TLS_NONE]}", "cipher_suites: NONE is not known"),
        (TLS + ", curve_preferences: [X25519]}", "curve_preferences: not kept here"),
        ("basic_auth_users: [prom]", "basic_auth_users: write name: bcrypt hash"),
        ("basic_auth_users: {prom: secret}", "basic_auth_users.prom: write the bcrypt hash"),
        ("http_server_config: {headers: {X-Other: a}}", "headers.X-Other: not kept here"),
    ],
)
def test_a_mistake_says_where_and_what_to_write(write, text, words):
    assert any(words in line for line in mistakes(write(text)))


def test_every_mistake_is_named_at_once_and_no_secret(write):
    found = mistakes(write("basic_auth_users: {prom: hunter2, otto: hunter3}\nother: 1\n"))

    assert len(found) == 3
    assert not any("hunter" in line for line in found)


def test_what_is_no_yaml_says_its_line(write):
    (found,) = mistakes(write("a: 1\nb: [\n"))

    assert found.endswith("web.yml: it is no YAML (line 3)")


def test_a_file_that_is_not_there_is_named(tmp_path):
    assert mistakes(tmp_path / "none.yml") == [
        f"{tmp_path / 'none.yml'}: No such file or directory"
    ]


@pytest.mark.parametrize(
    ("text", "authenticates"),
    [
        ("", False),
        (f"basic_auth_users: {{prom: {HASH}}}", True),
        (TLS + "}", False),
        (TLS + ", client_ca_file: ca.pem, client_auth_type: VerifyClientCertIfGiven}", False),
        (TLS + ", client_ca_file: ca.pem, client_auth_type: RequireAndVerifyClientCert}", True),
    ],
)
def test_only_what_asks_everybody_authenticates(write, text, authenticates):
    assert read(write(text)).authenticates is authenticates


def example(folder, text):
    """Lay the units' example out beside certificates."""
    for name in ("web.yml", "tls.crt", "tls.key"):
        (folder / name).write_text(text)
    return folder / "web.yml"


EXAMPLE = (ROOT / "deploy/systemd/web.example.yml").read_text()


def test_the_example_of_the_units_is_a_web_configuration_once_its_passwords_are_made(tmp_path):
    made = example(tmp_path, EXAMPLE.replace("WRITE-A-HASH-HERE", HASH))

    assert set(read(made).users) == {"prometheus", "reaper"}


def test_the_example_as_it_is_lets_nobody_in(tmp_path):
    with pytest.raises(WebConfigError, match=r"reaper: write the bcrypt hash .*htpasswd -nBC 10"):
        read(example(tmp_path, EXAMPLE))
