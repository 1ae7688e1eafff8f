"""The command line: what it means, and every mistake at once."""

import pytest

from exporter.clock import FastClock, SystemClock
from exporter.config import ConfigError, Options, check, is_loopback
from tests.exporter.scenes import TEXT


@pytest.fixture
def scenario(tmp_path):
    path = tmp_path / "scenario.toml"
    path.write_text(TEXT)
    return str(path)


@pytest.fixture
def passwords(tmp_path):
    path = tmp_path / "web.yml"
    path.write_text("basic_auth_users: {prom: $2y$10$x}\n")
    return str(path)


def mistakes(**words):
    with pytest.raises(ConfigError) as caught:
        check(Options(**words))
    return caught.value.message.splitlines()


@pytest.mark.parametrize(
    "node",
    [
        *(
            "",
            " ",
            "gpu 01",
            " gpu01",
            "gpu01\n",
            "gpu01\x00",
            "gpu\x1b[31m",
            "gpu01\u200b",
            "узел1",
        ),
        *("-gpu01", ".gpu01", "gpu01..cluster", "gpu/01", "gpu01:19440", 'gpu"01', "a" * 64),
        *("gpu01." + "b" * 64, ".".join(["a" * 60] * 5), "{{node}}", "$NODE"),
    ],
)
def test_an_odd_name_of_the_node_is_refused(node):
    (mistake,) = mistakes(node=node)

    assert mistake.startswith("--node ")
    assert "is no node's name: write it as the scheduler does" in mistake
    assert mistake.isprintable()
    assert len(mistake) < 300


@pytest.mark.parametrize(
    "node", ["gpu01", "GPU01", "gpu_01", "n1", "10", "gpu01.cluster.example", "gpu01.", "a" * 63]
)
def test_a_name_as_schedulers_write_them_is_taken(node):
    assert check(Options(node=node)).node == node


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
        web_config_file="absent.yml",
        max_requests=0,
    )

    assert [line.partition(":")[0] for line in found] == [
        "--listen nowhere",
        "--clock-rate 0.5",
        "--web.config.file absent.yml",
        "--scenario",
        "--period 0",
        "--max-requests 0",
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

    text = "\n".join(mistakes(driver="simulated", scenario=str(path)))

    assert text.startswith(f"--scenario {path}: ")
    assert "start: write a time with a zone" in text
    assert "version: write version = 1" in text


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


def test_an_open_address_without_a_web_config_is_warned_of():
    config = check(Options(listen="0.0.0.0:9"))

    assert not config.access.loopback
    assert "people is off" in config.warnings[0]


def test_passwords_without_tls_are_warned_of(passwords):
    config = check(Options(listen="0.0.0.0:9", web_config_file=passwords))

    assert "clear text" in config.warnings[0]


def test_people_can_be_switched_off():
    assert not check(Options(people=False)).access.people


def test_every_mistake_of_a_web_config_is_passed_on(tmp_path):
    path = tmp_path / "web.yml"
    path.write_text("tls_server_config: {cert_file: a}\nother: 1\n")

    assert len(mistakes(web_config_file=str(path))) > 1


def test_only_real_gpus_are_let_go_and_looked_for_in_the_kernel_log(scenario):
    played = check(Options(driver="simulated", scenario=scenario, node="gpu01"))
    real = check(Options())

    assert (played.control, played.release_file, played.kernel_log) == (None, None, None)
    assert str(real.kernel_log) == "/dev/kmsg"


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
