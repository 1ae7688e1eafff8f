"""What the chart writes for the reaper has no mistake, and grants the rights that it needs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.kubernetes import build
from reaper.config import load
from reaper.platforms.kubernetes.rights import MODES, RIGHTS
from tests.real.kubernetes.charted import charted, of_kind

WITH_SECRETS = {
    "reaper": {
        "exporters": {"caSecret": "ca", "passwordSecret": "exporters"},
        "metricsTokenSecret": "metrics",
    },
}
CERTIFICATE = Path("/etc/ssl/certs/ca-certificates.crt")


def written(folder: Path, values: dict, mode: str) -> Path:
    """Write the reaper's files into a folder; secrets lie there, too."""
    for name in ("ca/ca.crt", "exporters/password", "metrics/token"):
        path = folder / "secrets" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(CERTIFICATE.read_text() if name.endswith("crt") else "word\n")
        path.chmod(0o600)
    for name, text in of_kind(charted(values, mode=mode), "ConfigMap", "gpu-reaper")[
        "data"
    ].items():
        (folder / name).write_text(text.replace("/secrets/", f"{folder}/secrets/"))
    return folder / "gpu-reaper.yaml"


@pytest.mark.parametrize("values", [{}, WITH_SECRETS], ids=["as it is", "with secrets"])
@pytest.mark.parametrize("mode", build.MODES)
def test_the_configuration_loads(tmp_path, values, mode):
    configuration = load(written(tmp_path, values, mode), environ={"HOME": str(tmp_path)})

    assert "kubernetes" in dict(configuration.platforms)
    assert configuration.web.listen.loopback
    assert {policy.name for policy in configuration.policies} >= {"interactive", "inference"}


def granted(mode: str) -> Iterator[tuple[str, str, str]]:
    for rule in of_kind(charted(mode=mode), "ClusterRole")["rules"]:
        for group in rule["apiGroups"]:
            for resource in rule["resources"]:
                yield from ((group, resource, verb) for verb in rule["verbs"])


@pytest.mark.parametrize("mode", MODES)
def test_a_role_has_the_rights_that_its_mode_names_and_no_other(mode):
    named = {
        (right.group, right.resource, right.verb)
        for right in RIGHTS
        if MODES.index(right.mode) <= MODES.index(mode)
    }

    assert set(granted(mode)) == named
