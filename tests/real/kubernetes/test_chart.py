"""Real helm lints the chart, takes each value that is documented, and refuses the others."""

import copy
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.real.kubernetes.charted import CHART, VALUES, charted, helm, of_kind, pod, rendered

SCHEMA = json.loads((CHART / "values.schema.json").read_text(encoding="utf-8"))
#: Keys whose content is the site's own.
OPEN = {
    *("reaper.config", "reaper.resources", "exporter.resources", "reaper.nodeSelector"),
    *("reaper.serviceAccount.annotations", "monitoring.labels", "networkPolicy.scrapers"),
}
#: Another value of each key, and what else must be said for it to count.
OTHER: Mapping[str, Any] = {
    "mode": "notify",
    "cluster": "berlin",
    "image.repository": "registry.test/mine",
    "image.tag": "9.9.9",
    "image.digest": f"sha256:{'0a' * 32}",
    "image.pullPolicy": "Always",
    "image.pullSecrets": [{"name": "pull"}],
    "exporter.enabled": False,
    "exporter.namespace": "elsewhere",
    "exporter.createNamespace": False,
    "exporter.runtimeClassName": "",
    "exporter.port": 29440,
    "exporter.processes": False,
    "exporter.kubelet": False,
    "exporter.kubeletSocketDirectory": "/data/kubelet/pod-resources",
    "exporter.mig": True,
    "exporter.terminals": True,
    "exporter.web.configSecret": "web",
    "exporter.web.certificateSecret": "tls",
    "exporter.extraArgs": ["--period=2"],
    "exporter.nodeLabels": ["example.org/gpu"],
    "exporter.tolerations": [],
    "exporter.priorityClassName": "system-node-critical",
    "exporter.resources": {"limits": {"memory": "1Gi"}},
    "exporter.updateMaxUnavailable": 1,
    "reaper.enabled": False,
    "reaper.config": {"budgets": {"per_cycle": 1}},
    "reaper.policies": "policies: []\n",
    "reaper.secrets": ["slack"],
    "reaper.exporters.caSecret": "ca",
    "reaper.exporters.serverName": "exporters.test",
    "reaper.exporters.username": "me",
    "reaper.exporters.passwordSecret": "word",
    "reaper.persistence.size": "50Gi",
    "reaper.persistence.storageClassName": "fast",
    "reaper.persistence.existingClaim": "mine",
    "reaper.postgresql.url": "postgresql://reaper@db.test/reaper",
    "reaper.postgresql.passwordSecret": "db",
    "reaper.postgresql.keySecret": "key",
    "reaper.metricsTokenSecret": "scrape",
    "reaper.rights.annotate": True,
    "reaper.rights.extraRules": [
        {"apiGroups": ["example.org"], "resources": ["runs"], "verbs": ["get", "list", "watch"]}
    ],
    "reaper.serviceAccount.annotations": {"example.org/role": "reaper"},
    "reaper.nodeSelector": {"pool": "system"},
    "reaper.tolerations": [{"key": "system", "operator": "Exists"}],
    "reaper.priorityClassName": "high",
    "reaper.resources": {"limits": {"memory": "1Gi"}},
    "monitoring.monitors": True,
    "monitoring.rules": True,
    "monitoring.dashboards": True,
    "monitoring.labels": {"release": "prometheus"},
    "monitoring.interval": "15s",
    "monitoring.exporterSecret": "scrape",
    "networkPolicy.enabled": False,
    "networkPolicy.scrapers": {"matchLabels": {"kubernetes.io/metadata.name": "observability"}},
}
BESIDE: Mapping[str, Mapping[str, Any]] = {
    "exporter.web.certificateSecret": {"exporter.web.configSecret": "web"},
    "reaper.exporters.serverName": {"reaper.exporters.caSecret": "ca"},
    "reaper.exporters.username": {"reaper.exporters.passwordSecret": "word"},
    "reaper.postgresql.passwordSecret": {"reaper.postgresql.url": "postgresql://a@b/c"},
    "reaper.rights.annotate": {"mode": "notify"},
    "monitoring.labels": {"monitoring.monitors": True},
    "monitoring.interval": {"monitoring.monitors": True},
    "monitoring.exporterSecret": {"monitoring.monitors": True},
}


def leaves(values: Mapping[str, Any], above: str = "") -> Iterator[str]:
    for name, value in values.items():
        key = f"{above}{name}"
        if isinstance(value, dict) and key not in OPEN:
            yield from leaves(value, f"{key}.")
        else:
            yield key


def nested(given: Mapping[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in given.items():
        *above, last = key.split(".")
        place = made
        for name in above:
            place = place.setdefault(name, {})
        place[last] = copy.deepcopy(value)
    return made


def test_every_value_that_there_is_is_tried():
    assert set(leaves(VALUES)) == set(OTHER)


@pytest.mark.parametrize("key", OTHER)
def test_a_value_changes_what_is_installed(key):
    beside = dict(BESIDE.get(key, {}))

    assert rendered(nested({**beside, key: OTHER[key]})) != rendered(nested(beside))


@pytest.mark.parametrize("mode", ["observe", "notify", "act"])
def test_with_every_value_at_once_it_passes_the_lint(mode):
    off = {"exporter.enabled", "reaper.enabled", "networkPolicy.enabled"}
    given = {key: value for key, value in OTHER.items() if key not in off}
    done = helm("lint", "--strict", str(CHART), values=nested({**given, "mode": mode}))

    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("off", ["exporter.enabled", "reaper.enabled", "networkPolicy.enabled"])
def test_with_a_part_left_out_it_passes_the_lint(off):
    assert helm("lint", "--strict", str(CHART), values=nested({off: False})).returncode == 0


def test_the_chart_as_it_is_passes_the_lint():
    done = helm("lint", "--strict", str(CHART))

    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    "wrong",
    [
        {"mode": "kill"},
        {"modes": "observe"},
        {"exporter": {"privileged": True}},
        {"exporter": {"port": 0}},
        {"reaper": {"postgresql": {"url": "postgresql://reaper:secret@db/reaper"}}},
        {"image": {"digest": "sha256:12"}},
    ],
    ids=str,
)
def test_a_value_that_nobody_knows_is_refused(wrong):
    done = helm("template", "gpu-reaper", str(CHART), values=wrong)

    assert done.returncode != 0
    assert "values don't meet the specifications of the schema" in done.stderr


def described(schema: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for name, item in schema.get("properties", {}).items():
        key = f"{above}{name}"
        yield key, item.get("description", "")
        yield from described(item, f"{key}.")


def test_the_schema_says_what_the_comments_say():
    said: dict[str, str] = {}
    above: list[str] = []
    waiting: list[str] = []
    for line in (CHART / "values.yaml").read_text(encoding="utf-8").splitlines():
        comment = re.match(r"\s*# (-- )?(.*)$", line)
        key = re.match(r"( *)([A-Za-z]\w*):", line)
        if comment:
            waiting = [comment[2]] if comment[1] else [*waiting, comment[2]] if waiting else []
        elif key:
            above = [*above[: len(key[1]) // 2], key[2]]
            said[".".join(above)] = " ".join(waiting)
            waiting = []
        else:
            waiting = []
    known = {key: text for key, text in described(SCHEMA) if key in said}

    assert known == {key: text for key, text in said.items() if key in known}
    assert set(leaves(VALUES)) <= set(known)


def test_the_notes_say_what_to_look_at_first():
    done = helm(
        *("install", "gpu-reaper", str(CHART), "--dry-run=client", "--namespace", "gpu-reaper")
    )
    notes = done.stdout.partition("NOTES:")[2]

    assert done.returncode == 0, done.stderr
    assert notes.index("get daemonset gpu-exporter") < notes.index("gpu-reaper doctor")
    assert notes.index("gpu-reaper doctor") < notes.index("gpu-reaper status")


def test_a_changed_configuration_starts_the_reaper_anew():
    def sum_of(values: Mapping[str, Any]) -> str:
        template = of_kind(charted(values), "Deployment")["spec"]["template"]
        return template["metadata"]["annotations"]["checksum/config"]

    assert sum_of({}) == sum_of({"reaper": {"nodeSelector": {"a": "b"}}})
    assert sum_of({}) != sum_of({"reaper": {"config": {"budgets": {"per_cycle": 1}}}})


def test_a_secret_that_is_used_twice_is_mounted_once():
    values = {"reaper": {"secrets": ["one"], "exporters": {"caSecret": "one"}}}
    volumes = pod(charted(values), "gpu-reaper")["volumes"]

    assert [item["name"] for item in volumes].count("secret-one") == 1
