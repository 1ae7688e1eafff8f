"""What a target's pages say of the hosts of allocations."""

from exporter.contract import catalog
from reaper.activity.exporters.fetch import Fetched
from reaper.activity.exporters.page import PageReader
from reaper.activity.exporters.reporter import Reporter
from reaper.activity.exposition import Exposition
from reaper.domain.facts.host import Pressure
from tests.pages import metrics
from tests.reaper.activity.exporters.conftest import NOW, report

MOVED = f'{catalog.NETWORK.name}{{device="eth0",direction="sent"}} 700\n'


def hosts(*keys: str, moved: str = MOVED) -> tuple[Pressure, ...]:
    """Return the words on hosts of a page of so many allocations."""
    rows = (f'{catalog.PRESSURE.name}{{allocation="{key}",resource="cpu"}} 5\n' for key in keys)
    page = metrics(report()) + ("".join(rows) + moved).encode()
    read = PageReader().read(Exposition().parse(page))
    return Reporter(target="gpu01").report(read, fetched(page)).pressures


def fetched(page: bytes) -> Fetched:
    return Fetched(body=page, sent=NOW, received=NOW)


def test_what_a_node_moves_is_its_only_allocation_s() -> None:
    (word,) = hosts("101@1700000000")

    assert (word.moved, word.alone) == (700.0, True)


def test_what_a_node_moves_is_nobody_s_where_several_are() -> None:
    words = hosts("101@1700000000", "102@1700000000")

    assert [(word.moved, word.alone) for word in words] == [(700.0, False)] * 2


def test_a_node_that_counts_no_bytes_says_nothing_of_them() -> None:
    (word,) = hosts("101@1700000000", moved="")

    assert word.moved is None
