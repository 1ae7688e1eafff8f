"""What an engine does not say whole is unknown, and said so without a secret."""

import json
import ssl

import pytest

from exporter.contract import catalog
from exporter.contract.scenario import device_uuid
from reaper.ports import SourceError
from tests.fake_engine import engine
from tests.project import ROOT
from tests.reaper.activity.prometheus.conftest import START, Asking, Player
from tests.reaper.activity.prometheus.test_rounds import scraped

GPU = device_uuid("gpu01", 0)
CERTIFICATE = ROOT / "tests/reaper/activity/exporters/loopback.pem"


async def error(scene, **wrong: object) -> str:
    """Let the second minute's questions for observed seconds go wrong; give the node's error."""
    player = Player("AAHH")
    await scraped(scene, player, 1, 2, 3)
    await scene.round(1)
    for name, value in {"fails_on": "gpunode_observed_seconds_total", **wrong}.items():
        setattr(scene.engine, name, value)
    (report,) = (await scene.round(2)).nodes
    assert report.readings == ()
    return report.error


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"extra": {"warnings": ["store gateway 3 is away"]}}, "partial: store gateway 3 is away"),
        ({"extra": {"isPartial": True}}, "partial: isPartial is true"),
        ({"raw": b'{"status":"success","data":{"resultType":"vector","re'}, "broke off"),
        ({"raw": b"<html>"}, "no JSON: <html>"),
        ({"raw": b'{"status":"error","data":{"result":[]}}'}, "no success"),
        ({"status": 401}, "check bearer or basic"),
        ({"status": 422}, "lower nodes_per_query"),
        ({"hangs": True}, "no answer within 1 s"),
    ],
    ids=lambda item: next(iter(item)) if isinstance(item, dict) else "",
)
async def test_a_part_that_is_missing_makes_the_minute_unknown(asking: Asking, wrong, said):
    async with asking({"timeout": "1s"} if "hangs" in wrong else None) as scene:
        assert said in await error(scene, **wrong)


async def test_a_minute_that_was_partial_comes_whole_later(asking: Asking):
    async with asking() as scene:
        player = Player("AAHH")
        await scraped(scene, player, 1, 2, 3)
        scene.letters(await scene.round(1))
        scene.engine.extra = {"isPartial": True}
        with pytest.raises(SourceError):
            await scene.round(2)
        scene.engine.extra = {}

        assert scene.letters(await scene.round(3)) == {GPU: "AH"}


async def test_an_answer_of_a_number_that_is_none_is_refused(asking: Asking):
    bad = {"metric": {"gpu": "GPU-1"}, "value": [START, "many"]}
    body = {"status": "success", "data": {"resultType": "vector", "result": [bad]}}
    async with asking() as scene:
        assert "holds no numbers" in await error(scene, raw=json.dumps(body).encode())


async def test_an_answer_over_the_limit_is_not_read(asking: Asking):
    async with asking({"answer_limit": 64 * 1024}) as scene:
        assert "larger than answer_limit" in await error(scene, raw=b" " * 70_000)


async def test_an_engine_that_is_away_is_an_error_of_its_own_targets_alone(asking: Asking):
    async with engine() as other, asking(more=(other,)) as scene:
        await scraped(scene, Player("AA"), 1, 2)
        page = await Player("AA", node="gpu02").page(1)
        other.scrape(page, START + 60, job="gpu-exporter", instance="gpu02:19440")
        await scene.round(1)
        other.status = 503
        reports = await scene.reports(2)

        assert reports["gpu01:19440"].error == ""
        assert "503" in reports["gpu02:19440"].error
        assert len(scene.activity.problems) == 1


async def test_every_query_is_pinned_and_computes_nothing(asking: Asking):
    dcgm = {"match": {"job": "dcgm", "namespace": "gpu-operator"}}
    async with asking({"match": {"cluster": "a", "job": "ours"}, "dcgm": dcgm}) as scene:
        await scraped(scene, Player("AA"), 1, job="ours", cluster="a")
        await scene.round(1)
        queries = [form["query"] for form in scene.engine.asked]

        assert queries
        for query in queries:
            pinned = 'cluster="a",job="ours"' in query
            assert pinned or 'job="dcgm",namespace="gpu-operator"' in query, query
            assert not {"increase", "rate", "_over_time", "irate"} & set(query.split("(")), query


async def test_what_is_not_pinned_is_not_read(asking: Asking):
    async with asking() as scene:
        await scraped(scene, Player("AA"), 1)
        await scraped(scene, Player("AA", node="gpu02"), 1, job="stranger", instance="gpu02:1")

        assert list(await scene.reports(1)) == ["gpu01:19440"]


async def test_credentials_and_tenant_are_sent_and_never_said(asking: Asking, tmp_path):
    (tmp_path / "token").write_text("hush\n", encoding="utf-8")
    given = {"bearer": {"file": str(tmp_path / "token")}, "headers": {"X-Scope-OrgID": "gpu"}}
    async with asking(given) as scene:
        await scraped(scene, Player("AA"), 1)
        await scene.round(1)
        sent = scene.engine.headers[-1]
        scene.engine.status = 401
        with pytest.raises(SourceError) as caught:
            await scene.round(2)

        assert (sent["Authorization"], sent["X-Scope-OrgID"]) == ("Bearer hush", "gpu")
        assert "hush" not in str(caught.value)


async def test_a_page_of_another_contract_is_that_nodes_error(asking: Asking):
    async with asking() as scene:
        page = await Player("AA").page(1)
        odd = page.replace(f'contract="{catalog.VERSION}"'.encode(), b'contract="99"')
        scene.engine.scrape(odd, START + 60, job="gpu-exporter", instance="gpu01:19440")
        (report,) = (await scene.round(1)).nodes

        assert report.node == "gpu01"
        assert "contract '99'" in report.error


async def test_a_node_whose_clock_is_off_is_not_believed(asking: Asking):
    async with asking() as scene:
        page = await Player("AA").page(1)
        off = page.replace(f"{START + 60:.1f}".encode(), f"{START + 160:.1f}".encode())
        scene.engine.scrape(off, START + 60, job="gpu-exporter", instance="gpu01:19440")
        (report,) = (await scene.round(1)).nodes

        assert "clock is off by" in report.error


async def test_a_pinned_certificate_is_trusted_and_another_is_not(asking: Asking):
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(CERTIFICATE)
    async with asking({"ca": str(CERTIFICATE)}, tls=tls) as scene:
        await scraped(scene, Player("AA"), 1)
        (report,) = (await scene.round(1)).nodes
    async with asking(tls=tls) as scene:
        with pytest.raises(SourceError, match="certificate is not trusted"):
            await scene.round(1)

    assert report.error == ""


async def test_an_engine_that_is_off_is_said_so(asking: Asking):
    async with asking({"url": "http://127.0.0.1:9"}) as scene:
        with pytest.raises(SourceError, match="cannot be asked"):
            await scene.round(1)


async def test_a_question_arrives_as_it_was_written(asking: Asking):
    odd = "a&b=c +%2B;é|{}~"
    async with asking({"match": {"job": odd}}) as scene:
        await scraped(scene, Player("AA"), 1, job=odd)
        reports = await scene.reports(1)

        assert all(f'job="{odd}"' in form["query"] for form in scene.engine.asked)
        assert reports["gpu01:19440"].node == "gpu01"
