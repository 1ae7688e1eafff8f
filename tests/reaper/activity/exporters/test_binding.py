"""A node speaks only for itself: whom a page may claim to be, and what becomes of a lie."""

import json
import logging
import ssl

import pytest

from reaper.activity.exporters.activity import ExporterActivity
from reaper.activity.exporters.address import AddressError, read
from reaper.activity.exporters.binding import Teller, bindings
from reaper.activity.exporters.discovery import Discovery
from reaper.activity.exporters.settings import ExporterSettings
from tests import builders
from tests.certificates import Authority
from tests.pages import serving
from tests.reaper.activity.exporters.conftest import NOW, healthy, report

# ------------------------------------------------------------------ to what a target is bound


@pytest.mark.parametrize(
    ("text", "name", "node"),
    [
        ("gpu01:19440", "gpu01:19440", "gpu01"),
        ("gpu01.cluster.example:19440", "gpu01.cluster.example:19440", "gpu01.cluster.example"),
        ("https://gpu01:19440/metrics", "https://gpu01:19440/metrics", "gpu01"),
        ("127.0.0.1:19440=gpu01", "127.0.0.1:19440", "gpu01"),
        ("https://gw.example/a=b/metrics=gpu01", "https://gw.example/a=b/metrics", "gpu01"),
        ("10.0.0.7:19440", "10.0.0.7:19440", ""),
        ("[::1]:19440", "[::1]:19440", ""),
        ("localhost:19440", "localhost:19440", ""),
        ("https://gw.example/gpu01/metrics", "https://gw.example/gpu01/metrics", ""),
    ],
)
def test_a_target_is_bound_by_a_pair_or_its_hosts_name(text, name, node):
    target = read(text)

    assert (target.name, target.node) == (name, node)


@pytest.mark.parametrize("text", ["127.0.0.1:1=", "127.0.0.1:1=a b", "127.0.0.1:1=-x", "=gpu01"])
def test_what_is_no_pair_is_refused(text):
    with pytest.raises(AddressError):
        read(text)


def test_a_label_binds_the_one_target_of_its_group(tmp_path):
    path = tmp_path / "gpu.json"
    path.write_text(
        json.dumps(
            [
                {"targets": ["10.0.0.7:1"], "labels": {"node": "gpu07"}},
                {"targets": ["10.0.0.8:1", "10.0.0.9:1"], "labels": {"node": "rack7"}},
            ]
        ),
        encoding="utf-8",
    )
    found = Discovery((), (path,), label="node").refresh()

    assert [item.node for item in found] == ["gpu07", "", ""]


def test_of_an_address_that_is_listed_twice_the_word_that_binds_it_counts(tmp_path):
    path = tmp_path / "gpu.json"
    path.write_text(json.dumps([{"targets": ["10.0.0.7:1"]}]), encoding="utf-8")
    found = Discovery(("10.0.0.7:1=gpu07",), (path,)).refresh()

    assert [item.node for item in found] == ["gpu07"]


# ------------------------------------------------------------------ who may say what


@pytest.mark.parametrize(
    ("targets", "claimed", "believed"),
    [
        (["gpu01:1"], "gpu01", True),
        (["gpu01:1"], "GPU01", True),
        (["gpu01:1"], "gpu01.cluster.example", True),
        (["gpu01.cluster.example:1"], "gpu01", True),
        (["gpu01.cluster.example:1"], "gpu01.other.example", False),
        (["gpu01:1"], "gpu02", False),
        (["gpu01.a:1", "gpu01.b:1"], "gpu01", False),
        (["gpu01.a:1", "gpu01.b:1"], "gpu01.a", True),
        (["gpu01.a:1", "gpu01:1"], "gpu01", False),
        (["10.0.0.7:1"], "gpu01", True),
        (["10.0.0.7:1", "gpu01:1"], "gpu01", False),
        (["10.0.0.7:1", "gpu01:1"], "gpu01.cluster.example", False),
        (["10.0.0.7:1", "gpu01:1"], "gpu02", True),
        (["10.0.0.7:1=gpu02", "gpu01:1"], "gpu01", False),
    ],
)
def test_the_first_target_is_believed_only_as_the_node_that_it_is_bound_to(
    targets, claimed, believed
):
    first, *others = map(read, targets)
    told = [Teller.of(target) for target in (first, *others)]
    refusal = bindings(told).refusal(told[0], claimed)

    assert (refusal == "") is believed


# ------------------------------------------------------------------ what becomes of a lie


def bound(node, name):
    """Return a served node's address as the pair that binds it."""
    return f"{node.address}={name}"


async def test_a_lie_blinds_the_liar_and_not_whom_it_names(scraping, clock, caplog):
    true, liar = healthy(clock, "gpu01"), healthy(clock, "gpu01")
    async with scraping(true, liar) as scrape:
        scrape.rebind(bound(true, "gpu01"), bound(liar, "gpu02"))
        with caplog.at_level(logging.WARNING):
            await scrape.round()
            found = await scrape.round(after=15)

    assert found[true.address].error == ""
    assert (found[liar.address].node, found[liar.address].claims) == ("gpu02", "gpu01")
    assert "'gpu01', and is bound to gpu02" in found[liar.address].error
    assert found[liar.address].devices == ()
    assert caplog.text.count("and is bound to gpu02") == 1


async def test_a_lie_is_no_word_of_a_node_that_is_silent(scraping, clock):
    true, liar = healthy(clock, "gpu01"), healthy(clock, "gpu02")
    async with scraping(true, liar) as scrape:
        scrape.rebind(bound(true, "gpu01"), bound(liar, "gpu02"))
        await scrape.round()
        true.status, liar.page = 500, healthy(clock, "gpu01").page
        found = await scrape.round(after=15)
        (asked,) = (await scrape.activity.ask(["gpu01"])).nodes

    assert [item.node for item in found.values() if not item.error] == []
    assert (asked.target, "answers 500" in asked.error) == (true.address, True)


async def test_who_is_bound_to_nothing_cannot_speak_for_a_bound_node(scraping, clock):
    true, stranger = healthy(clock, "gpu01"), healthy(clock, "gpu01")
    async with scraping(true, stranger) as scrape:
        scrape.rebind(bound(true, "gpu01"), stranger.address)
        true.status = 500
        found = await scrape.round()

    assert found[stranger.address].node == "127.0.0.1"
    assert f"for which {true.address} speaks" in found[stranger.address].error


async def test_who_is_bound_to_nothing_may_be_judged_by_and_says_so(scraping, clock):
    node = healthy(clock, "gpu01")
    async with scraping(node) as scrape:
        (loose,) = (await scrape.round()).values()
        scrape.rebind(bound(node, "gpu01"))
        (sure,) = (await scrape.round(after=15)).values()
        (asked,) = (await scrape.activity.ask(["gpu01"])).nodes

    assert [loose.error, sure.error, asked.error] == ["", "", ""]
    assert [loose.unbound, sure.unbound, asked.unbound] == [True, False, False]


async def test_who_is_bound_to_nothing_keeps_a_name_against_those_that_had_another(scraping, clock):
    true, liar = healthy(clock, "gpu01"), healthy(clock, "gpu02")
    async with scraping(true, liar) as scrape:
        await scrape.round()
        liar.page = healthy(clock, "gpu01").page
        lied = await scrape.round(after=15)
        true.status = 500
        silent = await scrape.round(after=15)

    assert [lied[true.address].error, lied[liar.address].node] == ["", "gpu02"]
    assert f"for which {true.address} speaks" in silent[liar.address].error


async def test_two_that_give_the_same_name_from_the_start_are_both_doubted(scraping, clock):
    async with scraping(healthy(clock, "gpu01"), healthy(clock, "gpu01")) as scrape:
        await scrape.round()
        found = await scrape.round(after=15)

    assert ["is also reported by" in item.error for item in found.values()] == [True, True]


# ------------------------------------------------------------------ certificates


@pytest.mark.parametrize(
    ("certified", "claimed", "believed", "sure"),
    [
        ([["gpu01"]], "gpu01", True, True),
        ([["gpu01.cluster.example"]], "gpu01", True, True),
        ([["gpu01-ib", "gpu01"]], "gpu01", True, True),
        ([["gpu02"]], "gpu01", False, True),
        ([[]], "gpu01", True, False),
        ([["exporters"], ["exporters"]], "gpu01", True, False),
        ([["gpu01"], ["gpu01"]], "gpu01", True, False),
        ([["gpu02"], ["gpu01"]], "gpu01", False, True),
        ([[], ["gpu01"]], "gpu01", False, False),
    ],
)
def test_a_certificate_binds_who_is_bound_by_nothing_else(certified, claimed, believed, sure):
    told = [
        Teller.of(read(f"https://10.0.0.{number}:1"), certified=tuple(names))
        for number, names in enumerate(certified, start=7)
    ]
    found = bindings(told)

    assert (found.refusal(told[0], claimed) == "") is believed
    assert bool(found.of_teller(told[0])) is sure


@pytest.mark.parametrize("address", ["https://gw.example/gpu01/metrics", "https://10.0.0.7:1/a"])
def test_the_certificate_of_a_gateway_binds_nobody(address):
    assert Teller.of(read(address), certified=("gw.example",)).certified == ()


@pytest.mark.parametrize(
    ("san", "node", "unbound"),
    [
        ("IP:127.0.0.1,DNS:gpu01.cluster.example", "gpu01", False),
        ("IP:127.0.0.1,DNS:gpu02", "gpu02", None),
        ("IP:127.0.0.1,DNS:*.cluster.example,DNS:localhost", "gpu01", True),
        ("IP:127.0.0.1", "gpu01", True),
    ],
)
async def test_who_proves_itself_by_a_certificate_speaks_for_the_node_on_it(
    clock, tmp_path, san, node, unbound
):
    authority = Authority(tmp_path)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(*authority.sign("exporter", san))
    async with serving(healthy(clock, "gpu01"), tls=tls) as (address,):
        settings = ExporterSettings(targets=(address,), ca=authority.certificate)
        async with ExporterActivity(settings, clock=clock) as activity:
            (found,) = (await activity.readings(0)).nodes
            (asked,) = (await activity.ask([node])).nodes

    assert (found.node, found.error == "") == (node, unbound is not None)
    assert (asked.node, asked.error == "") == (node, unbound is not None)
    assert found.unbound is bool(unbound)


# ------------------------------------------------------------------ devices


@pytest.mark.parametrize("silent", [True, False])
async def test_nobody_takes_along_a_device_that_another_node_has_shown(scraping, clock, silent):
    one, other = healthy(clock, "gpu01"), healthy(clock, "gpu02")
    async with scraping(one, other) as scrape:
        await scrape.round()
        one.status = 500 if silent else 200
        mine, strange = report("gpu02").devices[0], report("gpu01").devices[0]
        other.page = healthy(clock, "gpu02", devices=(mine, strange)).page
        found = (await scrape.round(after=15))[other.address]
        left = (await scrape.round(after=15))[one.address]

    assert [item.gpu for item in found.devices] == ["GPU-gpu02-0"]
    assert found.faults == {"GPU-gpu01-0": "belongs to gpu01, which has shown it before"}
    assert len(left.devices) == (0 if silent else 2)


async def test_a_device_may_move_when_its_node_answers_without_it(scraping, clock):
    one, other = healthy(clock, "gpu01"), healthy(clock, "gpu02")
    async with scraping(one, other) as scrape:
        await scrape.round()
        moved = report("gpu01").devices[0]
        one.page = healthy(clock, "gpu01", devices=report("gpu01").devices[1:]).page
        await scrape.round(after=15)
        readings = (builders.reading(NOW + 30, gpu=moved.gpu),)
        other.page = healthy(clock, "gpu02", devices=(moved,), readings=readings).page
        found = (await scrape.round(after=15))[other.address]

    assert [item.gpu for item in found.devices] == [moved.gpu]
