"""When a node's own word is not believed."""

from dataclasses import replace

import pytest

from reaper.activity.exporters.trust import implausible
from tests import builders
from tests.pages import Node, metrics
from tests.reaper.activity.exporters.conftest import NOW, healthy, report

GPU = "GPU-gpu01-0"


def late(clock, by: float, **given: object) -> Node:
    """Return a node whose clock is `by` seconds before ours; its web server's is ours."""
    return Node(page=lambda: metrics(shifted(clock.now() - by, **given)))


def shifted(at: float, **given: object):
    return report(at=at, **given)


# ------------------------------------------------------------------ clocks


@pytest.mark.parametrize("by", [-20.0, 0.0, 20.0])
async def test_a_clock_that_is_a_little_off_is_believed(scraping, clock, by):
    async with scraping(late(clock, by)) as scrape:
        found = await scrape.only()

    assert found.error == ""
    assert found.skew == pytest.approx(-by)


async def test_a_node_ahead_of_us_is_an_error(scraping, clock):
    async with scraping(late(clock, -31.0)) as scrape:
        found = await scrape.only()

    assert found.error == "node clock is off by +31 s; check its time service"
    assert (found.node, found.readings) == ("gpu01", ())


async def test_a_node_behind_us_is_an_error(scraping, clock):
    node = late(clock, 400.0)
    node.headers = {"Date": "Fri, 15 Jan 2027 08:03:20 GMT"}
    async with scraping(node) as scrape:
        assert (await scrape.only()).error == "node clock is off by -399 s; check its time service"


async def test_old_samples_under_a_right_clock_are_only_old(scraping, clock):
    node = late(clock, 400.0)
    node.headers = {"Date": "Fri, 15 Jan 2027 08:10:00 GMT"}
    async with scraping(node) as scrape:
        found = await scrape.only()

    assert found.error == ""
    assert found.readings[0].at == NOW - 400


async def test_samples_that_the_node_calls_old_are_no_clock_error(scraping, clock):
    page = metrics(replace(report(at=NOW - 400), as_of=NOW))
    async with scraping(Node(page=lambda: page, headers={"Date": "nonsense"})) as scrape:
        assert (await scrape.only()).error == ""


@pytest.mark.parametrize("age", [b"NaN", b"-1000.0", b"+Inf"])
async def test_an_age_that_makes_no_sense_hides_no_wrong_clock(scraping, clock, age):
    page = metrics(report(at=NOW + 400))
    page = page.replace(b"last_sample_age_seconds 0.0", b"last_sample_age_seconds " + age)
    assert b"seconds " + age in page
    async with scraping(Node(page=lambda: page)) as scrape:
        assert "node clock is off by +400 s" in (await scrape.only()).error


async def test_a_clock_that_goes_back_costs_one_answer(scraping, clock):
    async with scraping(late(clock, 0.0)) as scrape:
        await scrape.only()
        scrape.nodes[0].page = lambda: metrics(report(at=clock.now() - 28))
        found = [await scrape.only(after=15), await scrape.only(after=15)]

    assert [item.error for item in found] == [
        "node clock went back by 13 s; check its time service",
        "",
    ]


async def test_a_restarted_exporter_may_begin_earlier(scraping, clock):
    async with scraping(late(clock, 0.0)) as scrape:
        await scrape.only()
        scrape.nodes[0].page = lambda: metrics(report(at=clock.now() - 28, started=NOW - 50.0))
        assert (await scrape.only(after=15)).error == ""


# ------------------------------------------------------------------ counters


def reading(at: float, **given: object):
    return builders.reading(at, gpu=GPU, **given)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({}, ""),
        ({"busy": 15.0}, ""),
        ({"busy": 660.0}, "sm was active for 660 s of 615 s observed"),
        ({"observed": {"sm": 700.0}, "active": {"sm": 0.0}}, "sm was observed for 100 s within 15"),
        ({"observed": {"sm": 605.0}, "active": {"sm": 11.0}}, "sm was active for 11 s of 5 s"),
        ({"active": {"sm": 2.0}, "observed": {}}, "sm was active for 2 s of 0 s observed"),
    ],
    ids=["idle", "busy", "over all", "faster than time", "busier than seen", "never seen"],
)
def test_counters_that_no_device_can_have_are_named(given, reason):
    earlier, later = reading(NOW), reading(NOW + 15, **given)

    found = implausible(earlier, later)

    assert found.startswith(reason) if reason else found == ""


def test_a_slow_signal_may_be_added_as_late_as_its_longest_interval():
    before = reading(NOW, observed={"processes": 60.0})

    assert implausible(before, reading(NOW + 0.2, observed={"processes": 105.0})) == ""
    assert implausible(before, reading(NOW + 0.2, observed={"processes": 106.0})) != ""


def test_counters_of_another_epoch_are_not_compared():
    assert implausible(reading(NOW, epoch="zero"), reading(NOW + 1)) == ""


async def test_an_implausible_reading_is_dropped_and_named(scraping, clock):
    node = healthy(clock)
    async with scraping(node) as scrape:
        await scrape.only()
        wrong = reading(NOW + 15, observed={"sm": 5000.0}, active={"sm": 0.0})
        page = metrics(report(at=NOW + 15, readings=(wrong,)))
        node.page = lambda: page
        found = await scrape.only(after=15)

    assert found.readings == ()
    assert "sm was observed for 4400 s within 15 s" in found.faults[GPU]
    assert len(found.devices) == 2
