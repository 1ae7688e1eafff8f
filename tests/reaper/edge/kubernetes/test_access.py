"""Who asks, and how it is proven: kubeconfigs, service accounts, tokens, certificates, plugins."""

import base64
import os
import ssl
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from reaper.edge.clock import JumpingClock
from reaper.edge.kubernetes import Access, Connection, KubeError, door
from tests.certificates import Authority
from tests.fake_kubernetes import fake_kubernetes

SECRET = "a-token-that-nobody-may-see"
SERVER = "https://10.0.0.1:6443"


def config(path: Path, *, cluster: dict | None = None, user: dict | None = None, **more) -> Path:
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "here",
        "clusters": [{"name": "c", "cluster": {"server": SERVER, **(cluster or {})}}],
        "users": [{"name": "u", "user": {"token": SECRET} if user is None else user}],
        "contexts": [{"name": "here", "context": {"cluster": "c", "user": "u"}}],
        **more,
    }
    path.write_text(yaml.safe_dump(document))
    return path


async def access(
    path: Path | None = None,
    context: str = "",
    *,
    environment: Mapping[str, str] | None = None,
    account: Path = Path("/nowhere"),
    at: float = 0.0,
) -> Access:
    found = door(
        path=path,
        context=context,
        clock=JumpingClock(at=at),
        environment=environment or {},
        account=account,
    )
    return await found.access()


def bearer(found: Access) -> str:
    return dict(found.headers).get("Authorization", "")


async def test_the_current_context_is_taken(tmp_path):
    found = await access(config(tmp_path / "config"))

    assert found.server == SERVER
    assert bearer(found) == f"Bearer {SECRET}"
    assert SECRET not in repr(found)


async def test_a_context_is_taken_by_name(tmp_path):
    more = {
        "clusters": [
            {"name": "c", "cluster": {"server": SERVER}},
            {"name": "d", "cluster": {"server": "https://10.0.0.2"}},
        ],
        "contexts": [
            {"name": "here", "context": {"cluster": "c", "user": "u"}},
            {"name": "there", "context": {"cluster": "d", "user": "u"}},
        ],
    }

    found = await access(config(tmp_path / "config", **more), "there")

    assert found.server == "https://10.0.0.2"


async def test_of_several_files_the_first_that_names_something_has_its_word(tmp_path):
    first = config(tmp_path / "one", cluster={"server": "https://first"})
    second = config(tmp_path / "two", cluster={"server": "https://second"})

    found = await access(environment={"KUBECONFIG": f"{first}{os.pathsep}{second}"})

    assert found.server == "https://first"


async def test_without_a_word_it_is_the_file_of_the_home(tmp_path):
    (tmp_path / ".kube").mkdir()
    config(tmp_path / ".kube" / "config")

    assert (await access(environment={"HOME": str(tmp_path)})).server == SERVER


async def test_in_a_pod_it_is_the_pods_own_account(tmp_path):
    (tmp_path / "token").write_text(SECRET)
    Authority(tmp_path).certificate.rename(tmp_path / "ca.crt")
    environment = {"KUBERNETES_SERVICE_HOST": "fd00::1", "KUBERNETES_SERVICE_PORT": "6443"}

    found = await access(environment=environment, account=tmp_path)

    assert found.server == "https://[fd00::1]:6443"
    assert bearer(found) == f"Bearer {SECRET}"
    assert isinstance(found.tls, ssl.SSLContext)


async def test_a_token_that_changes_in_its_file_is_read_again(tmp_path):
    token = tmp_path / "token"
    token.write_text("one")
    path = config(tmp_path / "config", user={"tokenFile": "token"})
    found = door(path=path, context="", clock=JumpingClock(at=0.0), environment={})

    before = bearer(await found.access())
    fresh = tmp_path / "fresh"
    fresh.write_text("two")
    fresh.rename(token)

    assert (before, bearer(await found.access())) == ("Bearer one", "Bearer two")


async def test_a_token_that_was_refused_is_read_again_at_once(tmp_path):
    async with fake_kubernetes(token="new") as cluster:
        token = tmp_path / "token"
        token.write_text("old")
        server = {"server": cluster.url}
        path = config(tmp_path / "config", cluster=server, user={"tokenFile": str(token)})
        clock = JumpingClock(at=0.0)
        connection = Connection(
            "c", door(path=path, context="", clock=clock, environment={}), clock
        )
        with pytest.raises(KubeError) as raised:
            await connection.get("/api/v1/pods")
        token.write_text("new")
        found = await connection.get("/api/v1/pods")
        await connection.close()

    assert raised.value.status == 401
    assert found["items"] == []


async def test_embedded_certificates_prove_who_asks(tmp_path):
    authority = Authority(tmp_path)
    names = "authority.pem", "client.pem", "client.key"
    authority.sign("client", "DNS:client")
    ca, certificate, key = (
        base64.b64encode((tmp_path / name).read_bytes()).decode() for name in names
    )
    user = {"client-certificate-data": certificate, "client-key-data": key}

    found = await access(
        config(tmp_path / "config", cluster={"certificate-authority-data": ca}, user=user)
    )

    assert found.tls is not None
    assert bearer(found) == ""


async def test_a_key_of_another_certificate_is_refused(tmp_path):
    authority = Authority(tmp_path)
    authority.sign("one", "DNS:one")
    authority.sign("two", "DNS:two")
    user = {"client-certificate": "one.pem", "client-key": "two.key"}

    with pytest.raises(KubeError, match="do not fit"):
        await access(config(tmp_path / "config", user=user))


async def test_impersonation_is_passed_on(tmp_path):
    user = {"token": SECRET, "as": "mira", "as-groups": ["ml", "ops"]}

    found = await access(config(tmp_path / "config", user=user))

    assert [pair for pair in found.headers if pair[0].startswith("Impersonate")] == [
        ("Impersonate-User", "mira"),
        ("Impersonate-Group", "ml"),
        ("Impersonate-Group", "ops"),
    ]


REFUSED = {
    "insecure-skip-tls-verify trusts anybody": {"cluster": {"insecure-skip-tls-verify": True}},
    "would travel readably": {"cluster": {"server": "http://10.0.0.1"}},
    "no usable server": {"cluster": {"server": "10.0.0.1"}},
    "its proxy-url is no HTTP proxy": {"cluster": {"proxy-url": "socks5://p:1"}},
    "its user has auth-provider": {"user": {"auth-provider": {"name": "gcp"}}},
    "its user has username": {"user": {"username": "x", "password": SECRET}},
    "wants a person": {"user": {"exec": {"command": "x", "interactiveMode": "Always"}}},
    "is no base64": {"user": {"client-key-data": f"{SECRET}!"}},
    "no cluster 'c'": {"clusters": []},
    "no context is named": {"current-context": ""},
    "no context 'gone'": {"current-context": "gone"},
    "no certificate in PEM": {
        "cluster": {"certificate-authority-data": base64.b64encode(b"rubbish").decode()}
    },
}


@pytest.mark.parametrize("said", REFUSED)
async def test_what_cannot_be_used_is_refused_by_name(tmp_path, said):
    path = config(tmp_path / "config", **REFUSED[said])

    with pytest.raises(KubeError, match=said) as raised:
        await access(path)

    assert SECRET not in str(raised.value)


@pytest.mark.parametrize("text", [f"users: [{SECRET}", f"- {SECRET}", "", "users: 3"])
async def test_a_file_that_is_none_is_refused_without_its_text(tmp_path, text):
    path = tmp_path / "config"
    path.write_text(text)

    with pytest.raises(KubeError) as raised:
        await access(path)

    assert SECRET not in str(raised.value)


async def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(KubeError, match="gone cannot be read"):
        await access(tmp_path / "gone")
