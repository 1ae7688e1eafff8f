"""What a page of the wire says of devices, and what NaN and nonsense on it mean."""

from dataclasses import replace

import pytest

from exporter.contract import catalog
from reaper.activity.exporters.page import Page, PageReader
from reaper.activity.exposition import Exposition, PageError
from reaper.domain.facts.device import Device, SignalState
from reaper.domain.facts.receivers import Receivers
from reaper.ports import NodeReport
from tests import builders
from tests.pages import metrics
from tests.reaper.activity.exporters.conftest import NOW, report

GPU, OTHER = "GPU-gpu01-0", "GPU-gpu01-1"


class Reading:
    """A reader that is given one page after the other."""

    def __init__(self) -> None:
        self.exposition = Exposition()
        self.reader = PageReader()

    def page(self, text: bytes) -> Page:
        return self.reader.read(self.exposition.parse(text))


def read(page: bytes) -> Page:
    return Reading().page(page)


def changed(name: str, gpu: str, value: str, page: bytes | None = None) -> bytes:
    """Return the page with another number on the first line of that name and device."""
    lines = (page or metrics(report())).decode().splitlines()
    start = f'{name}{{gpu="{gpu}"'
    place = next(number for number, line in enumerate(lines) if line.startswith(start))
    lines[place] = f"{lines[place].rpartition(' ')[0]} {value}"
    return "".join(f"{line}\n" for line in lines).encode()


def test_what_was_written_is_read():
    said = report()

    found = read(metrics(said))

    assert found.node == "gpu01"
    assert found.started == said.started
    assert found.devices == said.devices
    assert found.signals == said.signals
    assert found.shares == said.shares
    assert [replace(item, epoch="one") for item in found.readings] == list(said.readings)
    assert found.faults == {}


def test_a_card_that_has_no_name_changes_nothing_about_the_others():
    page = metrics(report())
    row = (
        'gpunode_unidentified_device{index="0",mig="",pci_bus_id="0000:b3:00.0",reason="lost"} 1\n'
    )

    found = read(page + row.encode())

    assert (found.devices, found.readings, found.faults) == (
        read(page).devices,
        read(page).readings,
        {},
    )


CATCHES = {"batch": frozenset(("USR1",)), "step": frozenset()}
WORD = Receivers(node="gpu01", id="101", start=NOW - 300.0, catches=CATCHES, platform="slurm")


def test_a_target_that_catches_nothing_is_not_one_that_nobody_mentions():
    found = read(metrics(report(receivers=(WORD,))))

    (((platform, key), catches),) = found.catches
    assert (platform, key.partition("@")[0]) == ("slurm", "101")
    assert catches == CATCHES
    assert read(metrics(report())).catches == ()


@pytest.mark.parametrize("value", ["0", "NaN", "2", "-1"])
def test_anything_but_one_is_not_caught(value: str):
    text = metrics(report(receivers=(WORD,))).decode()
    line = next(item for item in text.splitlines() if "catches_signal{" in item and "USR1" in item)

    found = read(text.replace(line, f"{line.rpartition(' ')[0]} {value}").encode())

    assert found.catches[0][1]["batch"] == frozenset()


def test_a_mig_instance_keeps_its_parent_and_profile():
    mig = Device(
        gpu="MIG-1", node="gpu01", index=0, mig_profile="1g.10gb", parent=GPU, generation="2"
    )

    assert read(metrics(report(devices=(mig,), readings=()))).devices == (mig,)


@pytest.mark.parametrize("text", ["-1", "1.5", "x", "9" * 5000, "٣"])
def test_an_index_that_is_no_number_is_unknown(text):
    page = metrics(report()).replace(b'gres_index="0"', f'gres_index="{text}"'.encode())

    assert read(page).devices[0].gres_index is None


def test_a_device_without_counters_has_no_reading():
    found = read(metrics(report(readings=report().readings[:1])))

    assert [item.gpu for item in found.readings] == [GPU]
    assert len(found.devices) == 2


def test_a_device_with_two_identities_is_refused():
    page = metrics(report()) + (f'{catalog.INFO.name}{{gpu="{GPU}",index="5"}} 1\n'.encode())

    found = read(page)

    assert [item.gpu for item in found.devices] == [OTHER]
    assert [item.gpu for item in found.readings] == [OTHER]
    assert found.faults == {GPU: "stands with two identities on one page"}


# ------------------------------------------------------------------ unknown numbers


@pytest.mark.parametrize(
    ("name", "field", "unknown"),
    [
        (catalog.SM_ACTIVE.name, "active", {"tensor", "dram", "engine"}),
        (catalog.OBSERVED.name, "observed", {"tensor", "dram", "engine"}),
        (catalog.ACTIVITY_ABOVE.name, "above", ()),
        (catalog.MEMORY_USED.name, "memory_used", None),
        (catalog.PROCESSES.name, "processes", None),
    ],
)
def test_nan_is_unknown_and_never_zero(name, field, unknown):
    found = getattr(read(changed(name, GPU, "NaN")).readings[0], field)

    assert (set(found) if isinstance(found, dict) else found) == unknown


def test_a_link_with_one_unknown_direction_is_unknown():
    reading = builders.reading(NOW, gpu=GPU, links={"pcie": 10.0})
    page = metrics(report(readings=(reading,)))

    assert read(page).readings[0].links == {"pcie": 10.0}
    assert read(changed(catalog.LINK_BYTES.name, GPU, "NaN", page)).readings[0].links == {}


@pytest.mark.parametrize("value", ["-1", "+Inf", "-Inf"])
@pytest.mark.parametrize(
    "name",
    [
        catalog.SM_ACTIVE.name,
        catalog.OBSERVED.name,
        catalog.ACTIVITY_ABOVE.name,
        catalog.MEMORY_USED.name,
        catalog.SAMPLE_TIMESTAMP.name,
    ],
)
def test_a_number_that_nothing_can_have_drops_its_reading(name, value):
    found = read(changed(name, GPU, value))

    assert [item.gpu for item in found.readings] == [OTHER]
    assert "its reading is dropped" in found.faults[GPU]


@pytest.mark.parametrize(("value", "share"), [("0.5", 0.5), ("1.04", 1.0)])
def test_a_share_is_a_part_of_the_device(value, share):
    assert read(changed(catalog.ALLOCATION_SHARE.name, GPU, value)).shares[0].share == share


@pytest.mark.parametrize("value", ["-0.1", "2", "NaN", "+Inf"])
def test_a_share_that_is_no_part_is_named(value):
    found = read(changed(catalog.ALLOCATION_SHARE.name, GPU, value))

    assert found.shares == ()
    assert "the share of 101" in found.faults[GPU]
    assert len(found.readings) == 2


@pytest.mark.parametrize("key", ["101", "@5", "101@x", "101@" + "9" * 400, "101@" + "9" * 5000])
def test_a_share_without_a_node_key_is_named(key):
    page = metrics(report()).replace(f'"101@{int(NOW) - 300}"'.encode(), f'"{key}"'.encode())

    found = read(page)

    assert found.shares == ()
    assert GPU in found.faults


# ------------------------------------------------------------------ epochs


def epochs(*reports: NodeReport) -> list[str]:
    reading = Reading()
    return [reading.page(metrics(item)).readings[0].epoch for item in reports]


def source(name: str, state: str = "ok") -> tuple[SignalState, ...]:
    return (SignalState(gpu=GPU, signal="sm", source=name, state=state),)


@pytest.mark.parametrize(
    "other",
    [
        {"started": NOW},
        {"signals": source("dcgm")},
        {"devices": (builders.device(generation="boot2"),)},
    ],
    ids=["exporter", "source", "generation"],
)
def test_what_resets_counters_begins_an_epoch(other):
    one, two, three = epochs(report(), report(**other), report(**other))

    assert one != two
    assert two == three


def test_a_signal_that_is_away_for_a_while_keeps_the_epoch():
    away = source("none", "stale")

    assert len(set(epochs(report(), report(signals=away), report()))) == 1


def test_other_numbers_keep_the_epoch():
    assert len(set(epochs(report(), report(at=NOW + 15), report(shares=())))) == 1


def test_an_information_that_is_not_one_refuses_the_page():
    page = metrics(report()).replace(b'state="ok",reason=""} 1', b'state="ok",reason=""} 2', 1)

    with pytest.raises(PageError, match="info series is 2"):
        read(page)


# ------------------------------------------------------------------ tenants of a shared device

TENANTS = {"slurm/101@1800000300": 12.5, "host/7@1800000000": 0.0}


def shared(**seconds: float) -> bytes:
    plain = builders.reading(NOW, gpu=GPU)
    return metrics(report(readings=(replace(plain, tenants={**TENANTS, **seconds}),)))


def test_the_seconds_of_tenants_are_read_by_platform_and_key():
    (found,) = read(shared()).readings

    assert found.tenants == TENANTS


@pytest.mark.parametrize("more", [{"slurm/no-key": 1.0}, {"slurm/9@1": -1.0}])
def test_a_tenant_without_a_key_or_a_number_costs_nobody_else(more: dict[str, float]):
    (found,) = read(shared(**more)).readings

    assert found.tenants == TENANTS


def moving(page: bytes, *numbers: str) -> bytes:
    """Return the page of a node with so many network cards, by what they have received."""
    rows = (
        f'{catalog.NETWORK.name}{{device="eth{place}",direction="received"}} {number}\n'
        for place, number in enumerate(numbers)
    )
    return page + "".join(rows).encode()


@pytest.mark.parametrize(
    ("numbers", "moved"),
    [
        pytest.param(("700", "30"), 730.0, id="all cards together"),
        pytest.param(("700", "NaN"), None, id="one that is not known hides what it moves"),
        pytest.param(("700", "-900"), None, id="nonsense"),
        pytest.param(("+Inf",), None, id="endless"),
        pytest.param((), None, id="nothing counts it"),
    ],
)
def test_what_a_node_moves_is_the_sum_of_its_cards(
    numbers: tuple[str, ...], moved: float | None
) -> None:
    assert read(moving(metrics(report()), *numbers)).moved == moved
