"""What kustomize installs is what the chart installs, valid everywhere, and held to little."""

import json
import subprocess
from pathlib import Path

import pytest
import yaml

from deploy.kubernetes import build
from reaper.platforms.kubernetes.objects.kinds import KINDS
from reaper.platforms.kubernetes.release.stops import QUEUED, STOPS
from tests.project import ROOT
from tests.real.kubernetes.charted import KUSTOMIZE, charted, kustomized, meant, of_kind, pod
from tests.real.kubernetes.tools import tools

VERSIONS = [f"1.{minor}" for minor in range(28, 38)]
OVERLAYS = {mode: KUSTOMIZE / "overlays" / mode for mode in build.MODES}
MONITORING = {"monitoring": {"monitors": True, "rules": True, "dashboards": True}}
#: The chart's own namespace is made by `helm install --create-namespace`.
ITS_NAMESPACE = ("Namespace", "", "gpu-reaper")
FURTHEST = {
    **MONITORING,
    "exporter": {"mig": True, "terminals": True, "web": {"configSecret": "web"}},
}

VALIDATE = """
import json, sys
import kubernetes_validate
for version in json.loads(sys.argv[1]):
    for item in json.load(open(sys.argv[2])):
        try:
            kubernetes_validate.validate(item, version, strict=True)
        except kubernetes_validate.ValidationError as error:
            print(version, item["kind"], item["metadata"]["name"], error)
"""


def is_custom(item: dict) -> bool:
    return item["apiVersion"].startswith("monitoring.coreos.com/")


def everything() -> list[dict]:
    found = [item for folder in OVERLAYS.values() for item in kustomized(folder)]
    return [*found, *charted(FURTHEST, mode="act")]


def test_what_is_written_is_what_the_chart_says():
    for path, text in build.files(str(tools().helm)).items():
        assert path.read_text(encoding="utf-8") == text, "run deploy/kubernetes/build.py"


@pytest.mark.parametrize("mode", build.MODES)
def test_kustomize_and_the_chart_mean_the_same(mode):
    made = meant(kustomized(OVERLAYS[mode]))
    del made[ITS_NAMESPACE]

    assert made == meant(charted(mode=mode))


def test_with_monitoring_they_mean_the_same(tmp_path):
    inside = KUSTOMIZE / "overlays" / "observe"
    folder = tmp_path / "site"
    folder.mkdir()
    # Kustomize takes relative paths alone.
    up = "../" * len(folder.resolve().parts[1:])
    component = KUSTOMIZE / "components/monitoring"
    site = {
        "resources": [f"{up}{str(inside)[1:]}"],
        "components": [f"{up}{str(component)[1:]}"],
    }
    (folder / "kustomization.yaml").write_text(yaml.safe_dump(site), encoding="utf-8")
    made = meant(kustomized(folder))
    del made[ITS_NAMESPACE]

    assert made == meant(charted(MONITORING))


def test_every_object_is_valid_in_every_version(tmp_path: Path):
    path = tmp_path / "objects.json"
    once = {json.dumps(item): item for item in everything() if not is_custom(item)}
    path.write_text(json.dumps(list(once.values())))
    done = subprocess.run(
        [str(tools().python), "-c", VALIDATE, json.dumps(VERSIONS), str(path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )

    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_the_rules_are_those_of_the_alerts():
    rules = {
        item["metadata"]["name"]: item["spec"]
        for item in charted(MONITORING)
        if item["kind"] == "PrometheusRule"
    }

    assert rules == {
        f"gpu-reaper-{name}": yaml.safe_load((ROOT / "alerts" / file).read_text(encoding="utf-8"))
        for name, file in {
            "alerts": "gpu-reaper.yaml",
            "recording": "recording.yaml",
            "kubernetes": "kubernetes.yaml",
        }.items()
    }


def test_the_dashboards_are_the_dashboards():
    given = {
        name: text
        for item in charted(MONITORING)
        if item["metadata"]["labels"].get("grafana_dashboard") == "1"
        for name, text in item["data"].items()
    }

    assert {name: json.loads(text) for name, text in given.items()} == {
        path.name: json.loads(path.read_text(encoding="utf-8"))
        for path in (ROOT / "dashboards").glob("*.json")
    }


#: Of the operator's own definitions: what a monitor may hold, as far as it is used here.
ENDPOINT = {
    *("port", "interval", "path", "scheme", "honorLabels", "relabelings", "metricRelabelings"),
    *("tlsConfig", "basicAuth", "authorization"),
}
MONITORS = {"PodMonitor": "podMetricsEndpoints", "ServiceMonitor": "endpoints"}


@pytest.mark.parametrize("kind", MONITORS)
def test_a_monitor_is_one(kind):
    given = {**MONITORING["monitoring"], "exporterSecret": "scrape"}
    objects = charted({"monitoring": given, "reaper": {"metricsTokenSecret": "word"}})
    spec = of_kind(objects, kind)["spec"]

    assert set(spec) == {"selector", "jobLabel", MONITORS[kind]}
    for endpoint in spec[MONITORS[kind]]:
        assert set(endpoint) <= ENDPOINT
        assert endpoint["port"] == "metrics"
        assert endpoint["path"] == "/metrics"


def test_the_rules_of_a_role_name_everything_one_by_one_and_delete_nothing():
    for item in everything():
        for rule in item.get("rules", ()):
            words = {*rule["apiGroups"], *rule["resources"], *rule["verbs"]}
            assert "*" not in words, item["metadata"]["name"]
            assert not {"secrets", "configmaps", "nodes/proxy", "serviceaccounts/token"} & words
            assert not {"delete", "deletecollection", "update", "escalate", "impersonate"} & words


@pytest.mark.parametrize(
    ("mode", "verbs"),
    [
        ("observe", {"get", "list", "watch"}),
        ("notify", {"get", "list", "watch", "create"}),
        ("act", {"get", "list", "watch", "create", "patch"}),
    ],
)
def test_a_mode_has_no_verb_that_it_does_not_need(mode, verbs):
    rules = of_kind(charted(mode=mode), "ClusterRole")["rules"]

    assert {verb for rule in rules for verb in rule["verbs"]} == verbs


def may(mode: str, verb: str, group: str, resource: str) -> bool:
    rules = of_kind(charted(mode=mode), "ClusterRole")["rules"]
    return any(
        verb in rule["verbs"] and group in rule["apiGroups"] and resource in rule["resources"]
        for rule in rules
    )


@pytest.mark.parametrize("verb", ["get", "list", "watch"])
def test_every_kind_that_may_own_a_pod_can_be_looked_at(verb):
    known = [(one.group, one.plural) for one in KINDS.values()]

    assert [one for one in known if not may("observe", verb, *one)] == []


@pytest.mark.parametrize("stop", [*STOPS.values(), QUEUED], ids=lambda stop: stop.kind)
def test_to_act_every_kind_that_can_be_stopped_can_be_written_and_in_no_other_mode(stop):
    plural = KINDS[stop.group, stop.kind].plural
    written = [plural, *([f"{plural}/scale"] if stop.scale else [])]

    for mode, expected in (("act", True), ("notify", False), ("observe", False)):
        assert {may(mode, "patch", stop.group, one) for one in written} == {expected}


def test_to_act_nothing_is_written_that_cannot_be_stopped():
    stopped = {(group, KINDS[group, kind].plural) for group, kind in (*STOPS, ("", "Pod"))}
    stopped |= {(QUEUED.group, "workloads"), ("", "events"), ("events.k8s.io", "events")}
    rules = of_kind(charted(mode="act"), "ClusterRole")["rules"]
    written = {
        (group, resource.partition("/")[0])
        for rule in rules
        for group in rule["apiGroups"]
        for resource in rule["resources"]
        if {"patch", "create"} & set(rule["verbs"])
    }

    assert written <= stopped


def test_to_notify_nothing_but_events_is_written():
    rules = of_kind(charted(mode="notify"), "ClusterRole")["rules"]
    written = [rule["resources"] for rule in rules if {"create", "patch"} & set(rule["verbs"])]

    assert written == [["events"]]


def is_restricted(spec: dict) -> list[str]:
    """Say what keeps a pod from the standard `restricted`."""
    about = spec["securityContext"]
    wrong = [name for name in ("hostPID", "hostNetwork", "hostIPC") if spec.get(name)] + [
        volume["name"] for volume in spec["volumes"] if "hostPath" in volume
    ]
    if not about.get("runAsNonRoot") or about["seccompProfile"] != {"type": "RuntimeDefault"}:
        wrong.append("user")
    for container in spec["containers"]:
        own = container["securityContext"]
        if own["capabilities"] != {"drop": ["ALL"]} or own["allowPrivilegeEscalation"]:
            wrong.append(container["name"])
    return wrong


def test_the_reaper_is_held_to_what_is_restricted():
    assert is_restricted(pod(charted(mode="act"), "gpu-reaper")) == []


def test_the_exporter_without_its_features_is_restricted_too():
    values = {"exporter": {"kubelet": False, "processes": False}}

    assert is_restricted(pod(charted(values), "gpu-exporter")) == []


def test_what_the_exporter_has_beyond_that_is_what_its_features_need():
    spec = pod(charted(), "gpu-exporter")

    assert is_restricted(spec) == ["hostPID", "pod-resources", "pod-logs", "user"]
    assert all(
        mount.get("readOnly") or mount["name"] == "run"
        for mount in spec["containers"][0]["volumeMounts"]
    )


def test_no_container_is_privileged_or_writes_to_its_image():
    for name in ("gpu-exporter", "gpu-reaper"):
        for container in pod(charted(FURTHEST, mode="act"), name)["containers"]:
            own = container["securityContext"]
            assert own["readOnlyRootFilesystem"]
            assert not own["allowPrivilegeEscalation"]
            assert "privileged" not in own


def test_the_exporter_has_no_word_for_the_api_server():
    objects = charted()
    account = of_kind(objects, "ServiceAccount", "gpu-exporter")

    assert account["automountServiceAccountToken"] is False
    assert pod(objects, "gpu-exporter")["automountServiceAccountToken"] is False


def test_one_reaper_stops_before_the_next_begins():
    spec = of_kind(charted(), "Deployment")["spec"]

    assert (spec["replicas"], spec["strategy"]) == (1, {"type": "Recreate"})


def test_the_image_is_well_defined():
    path = ROOT / "deploy/image/Containerfile"
    done = subprocess.run(
        [str(tools().hadolint), str(path)], capture_output=True, text=True, check=False, timeout=60
    )

    assert done.returncode == 0, done.stdout
    copied = [
        name
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("COPY ") and "--from" not in line
        for name in line.split()[1:-1]
    ]
    assert [name for name in copied if not (ROOT / name).exists()] == []
