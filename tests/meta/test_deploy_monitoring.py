"""What stands around the reaper can be started: files exist, names fit, rules are the same."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from deploy.prometheus.operator import build
from tests.project import ROOT

DEPLOY = ROOT / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]
JOBS = {"gpu-exporter", "gpu-reaper"}


def mounts() -> Iterator[tuple[str, str, str]]:
    for name, service in SERVICES.items():
        for volume in service["volumes"]:
            source, target, *_ = volume.split(":")
            yield name, source, target


@pytest.mark.parametrize(("name", "source", "target"), list(mounts()))
def test_what_is_mounted_exists(name: str, source: str, target: str):
    named = source in COMPOSE["volumes"]

    assert named or (DEPLOY / source).resolve().exists(), f"{name}: {source}"


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_listens_on_loopback_alone(name: str):
    service = SERVICES[name]

    assert service["network_mode"] == "host"
    assert "ports" not in service
    assert ":latest" not in service["image"]
    assert ":" in service["image"]


def test_a_service_waits_for_services_that_there_are():
    waited = {item for service in SERVICES.values() for item in service.get("depends_on", ())}

    assert waited <= set(SERVICES)


def test_prometheus_loads_every_set_of_rules_and_scrapes_the_jobs_that_alerts_name():
    made = yaml.safe_load((DEPLOY / "compose/prometheus.yaml").read_text(encoding="utf-8"))
    mounted = {target: source for name, source, target in mounts() if name == "prometheus"}
    rules = {Path(item).name for item in made["rule_files"]}

    assert {str(Path(item).parent) for item in made["rule_files"]} == {"/etc/prometheus/rules"}
    assert mounted["/etc/prometheus/rules"] == "../alerts"
    assert rules == {path.name for path in (ROOT / "alerts").glob("*.yaml")}
    assert {job["job_name"] for job in made["scrape_configs"]} == JOBS


def test_grafana_finds_dashboards_and_source_where_they_are_mounted():
    mounted = {target: source for name, source, target in mounts() if name == "grafana"}
    folder = DEPLOY / "compose/grafana"
    provider = yaml.safe_load((folder / "dashboards.yaml").read_text(encoding="utf-8"))
    source = yaml.safe_load((folder / "datasources.yaml").read_text(encoding="utf-8"))
    home = SERVICES["grafana"]["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]

    assert mounted[provider["providers"][0]["options"]["path"]] == "../dashboards"
    assert (ROOT / "dashboards" / Path(home).name).exists()
    assert source["datasources"][0]["url"] == "http://127.0.0.1:9090"


@pytest.mark.parametrize("source", build.SETS)
def test_the_operators_rules_are_the_rules(source: str):
    written = build.path(source).read_text(encoding="utf-8")

    assert written == build.manifest(source), "run deploy/prometheus/operator/build.py"


def test_every_set_of_rules_is_an_object_of_the_operator():
    assert set(build.SETS) == {path.name for path in (ROOT / "alerts").glob("*.yaml")}


def monitors() -> list[dict]:
    text = (DEPLOY / "prometheus/operator/servicemonitors.yaml").read_text(encoding="utf-8")
    return list(yaml.safe_load_all(text))


#: Of the operator's own definition: what an endpoint may hold, as far as it is used here.
ENDPOINT = {
    "port": str,
    "interval": str,
    "scrapeTimeout": str,
    "scheme": str,
    "path": str,
    "honorLabels": bool,
    "tlsConfig": dict,
    "basicAuth": dict,
    "relabelings": list,
    "metricRelabelings": list,
}
SPEC = {"namespaceSelector", "selector", "jobLabel", "endpoints"}


@pytest.mark.parametrize("monitor", monitors(), ids=lambda item: item["metadata"]["name"])
def test_a_service_monitor_is_one(monitor: dict):
    head = (monitor["apiVersion"], monitor["kind"])

    assert head == ("monitoring.coreos.com/v1", "ServiceMonitor")
    assert set(monitor["spec"]) == SPEC
    assert monitor["spec"]["selector"]["matchLabels"][monitor["spec"]["jobLabel"]] in JOBS
    for endpoint in monitor["spec"]["endpoints"]:
        assert {key: type(value) for key, value in endpoint.items()} == {
            key: ENDPOINT[key] for key in endpoint
        }
        assert endpoint["path"] == "/metrics"


def test_both_jobs_have_a_monitor():
    assert {monitor["metadata"]["name"] for monitor in monitors()} == JOBS


IMAGES = DEPLOY / "setup/images.sh"
HELD = f"prom/prometheus:v2.55.1@sha256:{'0a' * 32}"
LOOSE = (
    *("python", "python:3.12-slim", "prom/prometheus:v2.55.1", "a/b@sha256:", "a/b@sha256:00"),
    *(f"a/b@md5:{'0' * 32}", f"a/b@sha256:{'0a' * 32}x", f"a/b@sha256:{'0G' * 32}", "${IMAGE}"),
)


def held(
    folder: Path, *images: str, written: str = "image: {}"
) -> subprocess.CompletedProcess[str]:
    """Let a compose file with images be checked."""
    path = folder / "compose.yaml"
    services = (f"  s{n}:\n    {written.format(one)}" for n, one in enumerate(images))
    path.write_text("services:\n" + "\n".join(services) + "\n", encoding="utf-8")
    command = [str(IMAGES), "check", str(path)]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(
    "written", ["image: {}", 'image: "{}"', "image: '{}'  # looked at", '"image": "{}"']
)
def test_images_that_are_held_by_digests_pass(tmp_path: Path, written: str):
    assert held(tmp_path, HELD, HELD, written=written).returncode == 0


@pytest.mark.parametrize("image", LOOSE)
def test_an_image_that_is_held_by_no_digest_is_named(tmp_path: Path, image: str):
    done = held(tmp_path, HELD, image)

    assert done.returncode == 1
    assert f"held by no digest: {image}" in done.stderr
    assert HELD not in done.stderr


def test_a_file_without_an_image_is_no_proof(tmp_path: Path):
    assert held(tmp_path).returncode == 2


def test_the_file_that_is_shipped_says_that_its_images_are_not_held():
    command = [str(IMAGES), "check", str(DEPLOY / "compose.yaml")]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)

    assert done.stderr.count("held by no digest") == len(SERVICES)
    assert "make images" in done.stderr
