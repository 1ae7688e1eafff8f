"""Pages of the contract before this one: exporters are upgraded after the reaper, node by node."""

import re

from reaper.activity.exporters.page import PageReader
from reaper.activity.exposition import Exposition
from reaper.domain.facts.receivers import Receivers
from reaper.domain.facts.share import Share
from tests.pages import metrics
from tests.reaper.activity.exporters.conftest import NOW, report

GPU = "GPU-gpu01-0"
WORD = Receivers(
    node="gpu01", id="101", start=NOW, catches={"batch": frozenset()}, platform="slurm"
)


def read(page: bytes):
    return PageReader().read(Exposition().parse(page))


def test_an_older_page_names_no_platform_of_whoever_catches():
    text = metrics(report(receivers=(WORD,)), contract=1).decode()
    older = re.sub(r'(catches_signal\{)platform="slurm",', r"\1", text)

    assert older != text
    assert [named for named, _ in read(older.encode()).catches] == [("", f"101@{NOW:.0f}")]


def test_an_older_page_calls_a_bare_process_otherwise():
    share = Share(node="gpu01", gpu=GPU, platform="process", id="7", start=NOW, share=1.0)

    assert read(metrics(report(shares=(share,)), contract=1)).shares[0].platform == "host"
