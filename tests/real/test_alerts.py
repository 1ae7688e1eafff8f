"""promtool accepts the alerts, and its own tests show each of them firing and staying quiet."""

import subprocess
from pathlib import Path

import pytest
import yaml

from tests.components import require
from tests.project import ROOT

RULES = ROOT / "alerts/gpu-reaper.yaml"
FILES = sorted((ROOT / "alerts").glob("*.yaml"))
SUITES = sorted((ROOT / "alerts/tests").glob("*.yaml"))
SEVERITIES = {"critical", "warning", "info"}


def alerts() -> list[dict]:
    groups = yaml.safe_load(RULES.read_text(encoding="utf-8"))["groups"]
    return [rule for group in groups for rule in group["rules"]]


def expectations() -> list[dict]:
    """Return what the tests of the rules expect, a case each."""
    suites = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in SUITES]
    tests = [test for suite in suites for test in suite["tests"]]
    return [case for test in tests for case in test.get("alert_rule_test", ())]


ALERTS = pytest.mark.parametrize("alert", alerts(), ids=lambda alert: alert["alert"])


@pytest.mark.parametrize("rules", FILES, ids=lambda path: path.stem)
def test_promtool_accepts_the_rules(rules: Path):
    require("promtool")
    checked = promtool("check", "rules", str(rules))

    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("rules", FILES, ids=lambda path: path.stem)
def test_victoria_metrics_accepts_the_rules(rules: Path):
    require("victoria-metrics")
    checked = subprocess.run(
        ["vmalert", "-dryRun", f"-rule={rules}"], capture_output=True, text=True, check=False
    )

    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("suite", SUITES, ids=lambda path: path.stem)
def test_the_alerts_fire_as_their_tests_say(suite: Path):
    require("promtool")
    tested = promtool("test", "rules", str(suite))

    assert tested.returncode == 0, tested.stdout + tested.stderr


@ALERTS
def test_an_alert_is_seen_firing_and_seen_quiet(alert: dict):
    cases = [case["exp_alerts"] for case in expectations() if case["alertname"] == alert["alert"]]

    assert any(cases), "no test in which it fires"
    assert not all(cases), "no test in which it stays quiet"


@ALERTS
def test_an_alert_says_how_grave_it_is_and_what_to_do(alert: dict):
    runbook = ROOT / alert["annotations"]["runbook"]

    assert alert["labels"]["severity"] in SEVERITIES
    assert alert["annotations"]["summary"]
    assert alert["annotations"]["description"]
    assert f"`{alert['alert']}`" in runbook.read_text(encoding="utf-8")


def test_every_runbook_is_of_an_alert():
    written = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs/runbooks").glob("*.md")}

    assert written == {alert["annotations"]["runbook"] for alert in alerts()}


def promtool(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["promtool", *words], capture_output=True, text=True, check=False)
