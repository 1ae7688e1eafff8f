"""The summaries of jobstats: rates by GPU, or nothing at all."""

import base64
import gzip
import json

import pytest

from reaper.domain.audit.jobs import Records
from reaper.platforms.slurm.accounting import Told, read_text
from reaper.platforms.slurm.accounting.jobstats import SummaryError, summary


def packed(body: object) -> str:
    """Pack a summary as jobstats does."""
    return "JS1:" + base64.b64encode(gzip.compress(json.dumps(body).encode(), mtime=0)).decode()


def node(*rates: float, **more: object) -> dict[str, object]:
    return {
        "total_memory": 137438953472,
        "used_memory": 84683702272,
        "gpu_utilization": {str(index): rate for index, rate in enumerate(rates)},
        **more,
    }


def job(comment: str, devices: int = 2) -> Records:
    text = f"JobID|ElapsedRaw|AllocTRES|AdminComment\n7|3600|gres/gpu={devices}|{comment}\n"
    return read_text(text, source="books.txt", told=Told())


def test_each_gpu_has_its_rate():
    found = summary(packed({"nodes": {"a": node(98.6), "b": node(0)}, "gpus": 2}))

    assert found.rates == (0.986, 0.0)
    assert found.memory_used == 2 * 84683702272


def test_the_fullest_gpu_tells_the_memory():
    memory = {"gpu_used_memory": {"0": 10, "1": 30}, "gpu_total_memory": {"0": 40, "1": 40}}

    assert summary(packed({"nodes": {"a": node(1, 2, **memory)}})).gpu_memory == 0.75


@pytest.mark.parametrize("comment", ["", "JS1:Short", "JS1:None", "told by hand", "JS1:"])
def test_a_comment_without_a_summary_says_nothing(comment: str):
    assert summary(comment) is None


@pytest.mark.parametrize(
    "comment",
    [
        "JS1:%%%",
        "JS1:" + base64.b64encode(b"no gzip").decode(),
        packed([1]),
        packed({"nodes": 7}),
        packed({"nodes": {"a": node(250)}}),
        packed({"nodes": {"a": node("much")}}),
        packed({"nodes": {"a": node(float("nan"))}}),
    ],
)
def test_a_summary_that_makes_no_sense_is_named(comment: str):
    with pytest.raises(SummaryError, match="the summary of jobstats"):
        summary(comment)


def test_a_summary_that_unpacks_to_gigabytes_is_given_up():
    bomb = base64.b64encode(gzip.compress(b"[" + b" " * 50_000_000, mtime=0)).decode()

    with pytest.raises(SummaryError, match="cannot be unpacked"):
        summary(f"JS1:{bomb}")


def test_the_use_of_a_job_is_that_of_its_gpus():
    found = job(packed({"nodes": {"a": node(0, 100)}}))

    assert [one.utilisation for one in found.jobs[0].usage] == [0.0, 1.0]


def test_a_summary_of_some_gpus_only_is_of_no_use():
    found = job(packed({"nodes": {"a": node(0), "b": node()}}))

    assert [one.utilisation for one in found.jobs[0].usage] == [None]
    assert str(found.unread[0]) == (
        "books.txt:2: job 7: jobstats knows 1 of its 2 GPUs; its use is unknown"
    )


def test_a_broken_summary_costs_the_use_and_not_the_job():
    found = job("JS1:%%%")

    assert (found.jobs[0].held, found.jobs[0].usage[0].utilisation) == (7200, None)
    assert found.unread[0].kept
