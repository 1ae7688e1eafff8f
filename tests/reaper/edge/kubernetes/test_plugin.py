"""Credential plugins: what they are told, when they are asked, and that nothing of it is shown."""

import json
from pathlib import Path

import pytest

from reaper.edge.clock import JumpingClock
from reaper.edge.kubernetes import KubeError, door
from tests.reaper.edge.kubernetes.test_access import SECRET, SERVER, access, bearer, config


def plugin(folder: Path, script: str, **words) -> Path:
    command = folder / "plugin"
    command.write_text(f"#!/bin/sh\n{script}\n")
    command.chmod(0o755)
    version = "client.authentication.k8s.io/v1"
    user = {"exec": {"apiVersion": version, "command": "./plugin", **words}}
    return config(folder / "config", user=user)


def credential(**status) -> str:
    said = {"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1"}
    return json.dumps({**said, "status": status})


async def test_a_plugin_is_asked_for_a_token(tmp_path):
    path = plugin(tmp_path, f"echo '{credential(token=SECRET)}'")

    assert bearer(await access(path)) == f"Bearer {SECRET}"


async def test_a_plugin_is_told_its_arguments_variables_and_the_cluster(tmp_path):
    out = tmp_path / "told"
    path = plugin(
        tmp_path,
        f'printf "%s" "$KUBERNETES_EXEC_INFO" > "$OUT"; echo \'{credential(token="t")}\'',
        env=[{"name": "OUT", "value": str(out)}],
        provideClusterInfo=True,
    )

    await access(path)

    told = json.loads(out.read_text())
    assert told["spec"]["cluster"]["server"] == SERVER
    assert told["spec"]["interactive"] is False


async def test_a_plugin_is_asked_again_shortly_before_its_credential_ends(tmp_path):
    count = tmp_path / "count"
    said = credential(token="t", expirationTimestamp="1970-01-01T00:10:00Z")
    path = plugin(tmp_path, f"echo x >> {count}; echo '{said}'")
    clock = JumpingClock(at=0.0)
    found = door(path=path, context="", clock=clock, environment={})

    await found.access()
    await found.access()
    asked = len(count.read_text())
    clock.jump(545.0)
    await found.access()

    assert (asked, len(count.read_text())) == (2, 4)


BAD_PLUGINS = {
    "ended with status 3": f"echo {SECRET}; exit 3",
    "printed no ExecCredential": f"echo {SECRET}",
    "printed neither a token": f"echo '{credential(token='')}'",
}


@pytest.mark.parametrize("said", BAD_PLUGINS)
async def test_what_a_plugin_prints_is_never_shown(tmp_path, said):
    with pytest.raises(KubeError, match=said) as raised:
        await access(plugin(tmp_path, BAD_PLUGINS[said]))

    assert SECRET not in str(raised.value)


async def test_a_plugin_that_is_missing_says_how_to_get_it(tmp_path):
    user = {"exec": {"command": "/no/such/plugin", "installHint": "get it from your cloud"}}

    with pytest.raises(KubeError, match="plugin get it from your cloud"):
        await access(config(tmp_path / "config", user=user))
