"""The command line: what it means, and every mistake at once."""

import hashlib

import pytest

from exporter.clock import FastClock, SystemClock
from exporter.config import ConfigError, Options, check, is_loopback
from exporter.web import Credential
from tests.exporter.scenes import TEXT


@pytest.fixture
def scenario(tmp_path):
    path = tmp_path / "scenario.toml"
    path.write_text(TEXT)
    return str(path)


@pytest.fixture
def auth(tmp_path):
    def write(text, mode=0o600):
        path = tmp_path / "auth"
        path.write_text(text)
        path.chmod(mode)
        return str(path)

    return write


def mistakes(**words):
    with pytest.raises(ConfigError) as caught:
        check(Options(**words))
    return caught.value.message.splitlines()


def test_the_defaults_are_loopback_and_the_real_driver():
    config = check(Options())

    assert (config.host, config.setup.driver, config.clock, config.access.people) == (
        "127.0.0.1",
        "nvml",
        SystemClock(),
        True,
    )


def test_every_mistake_is_named_at_once():
    found = mistakes(
        listen="nowhere",
        driver="simulated",
        period=0.0,
        clock_rate=0.5,
        tls_cert="absent.pem",
        auth_file="absent",
    )

    assert [line.partition(":")[0] for line in found] == [
        "--listen nowhere",
        "--clock-rate 0.5",
        "--auth-file absent",
        "--scenario",
        "--period 0",
        "--tls-cert, --tls-key",
        "--tls-cert absent.pem",
    ]


def test_a_fast_clock_needs_the_simulated_driver():
    assert mistakes(clock_rate=60) == ["--clock-rate, --clock-epoch: only with --driver simulated"]


def test_a_scenario_needs_the_simulated_driver(scenario):
    assert mistakes(scenario=scenario, holders="x") == [
        "--scenario: only with --driver simulated",
        "--holders: only with --driver simulated",
    ]


def test_every_mistake_of_a_scenario_is_passed_on(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text("title = 'x'")

    assert mistakes(driver="simulated", scenario=str(path)) == [
        f"--scenario {path}: start: write a time with a zone, for example 2026-03-02T09:00:00Z",
        "version: write version = 1",
    ]


def test_a_node_that_is_not_in_the_scenario_is_a_mistake(scenario):
    assert mistakes(driver="simulated", scenario=scenario, node="gpu09") == [
        "--node gpu09: the scenario has gpu01, gpu02"
    ]


def test_a_scenario_starts_at_the_epoch_of_a_fast_clock(scenario):
    config = check(
        Options(
            driver="simulated", scenario=scenario, node="gpu01", clock_rate=60, clock_epoch=5000
        )
    )

    assert config.clock == FastClock(rate=60, epoch=5000)
    assert config.setup.simulated.origin == 5000


def test_a_fast_clock_samples_at_most_twelve_times_a_real_second(scenario):
    config = check(
        Options(driver="simulated", scenario=scenario, node="gpu01", clock_rate=60, clock_epoch=1)
    )

    assert config.periods.activity == 5


def test_people_are_off_on_an_open_address_without_credentials():
    config = check(Options(listen="0.0.0.0:9"))

    assert not config.access.people
    assert "people is off" in config.warnings[0]


def test_people_are_on_behind_credentials(auth):
    config = check(Options(listen="0.0.0.0:9", auth_file=auth("token s3\n")))

    assert config.access.people
    assert "clear text" in config.warnings[0]


def test_people_can_be_switched_off():
    assert not check(Options(people=False)).access.people


def test_credentials_are_read_with_comments_between(auth):
    digest = "sha256:" + hashlib.sha256(b"x").hexdigest()
    config = check(Options(auth_file=auth(f"# ours\n\ntoken {digest}\nuser prom s3\n")))

    assert config.access.credentials == (
        Credential(name="", secret=digest),
        Credential(name="prom", secret="s3"),
    )


def test_a_bad_credential_is_named_by_its_line_without_the_secret(auth):
    (found,) = mistakes(auth_file=auth("token a\npassword hunter2\n"))

    assert found.startswith("--auth-file line 2: write token <secret>")
    assert "hunter2" not in found


def test_a_credential_file_that_others_may_read_is_a_mistake(auth):
    assert "others may read it" in mistakes(auth_file=auth("token a\n", 0o644))[0]


def test_an_empty_credential_file_is_a_mistake(auth):
    assert "no credential" in mistakes(auth_file=auth("# none\n"))[0]


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),  # noqa: S104
        ("192.0.2.1", False),
        ("gpu01", False),
    ],
)
def test_loopback_is_told_from_the_rest(host, loopback):
    assert is_loopback(host) is loopback
