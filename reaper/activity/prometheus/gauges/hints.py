"""
Which job has which GPU by the labels of other exporters: hints, which can only contradict.

jobstats names a GPU by its UUID and the job in a label, or as the value of a series.
slurm-job-exporter's indices are those inside the job: they name no GPU of the node.  Pure.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from reaper.activity.exporters.address import AddressError, read
from reaper.activity.prometheus.queries.answer import Vector
from reaper.activity.prometheus.queries.columns import NAME
from reaper.activity.prometheus.targets import INSTANCE
from reaper.domain.facts.share import Share
from reaper.ports import NodeReport

JOBSTATS: Final = ("nvidia_gpu_jobId", "nvidia_gpu_duty_cycle")
SLURM_JOB_EXPORTER: Final = ("slurm_job_utilization_gpu",)
_NOBODY: Final = frozenset(("", "0"))
_SLURM: Final = "slurm"


def of_jobstats(found: Vector, at: float) -> Iterator[Share]:
    """Yield what jobstats' GPU exporter says of each device."""
    for metric, value in zip(found.metrics(), found.values, strict=True):
        job = metric.get("jobid", "")
        if not job and metric.get(NAME) == JOBSTATS[0] and 0 < value < 2**32:
            job = f"{value:.0f}"
        if job not in _NOBODY and metric.get("uuid"):
            yield _hint(metric, metric["uuid"], job, at)


def of_slurm_job_exporter(found: Vector, at: float) -> Iterator[Share]:
    """Yield which jobs slurm-job-exporter sees on each node; not on which device."""
    for metric in found.metrics():
        if job := metric.get("slurmjobid", ""):
            yield _hint(metric, "", job, at)


def _hint(metric: Mapping[str, str], gpu: str, job: str, at: float) -> Share:
    return Share(
        node=_node(metric.get(INSTANCE, "")),
        gpu=gpu,
        platform=_SLURM,
        id=job,
        start=at,
        proof=False,
    )


def _node(instance: str) -> str:
    try:
        return read(instance).host
    except AddressError:
        return instance


def hinted(reports: Iterable[NodeReport], hints: Iterable[Share]) -> Iterator[NodeReport]:
    """Yield the reports with the hints on their devices, or on their nodes alone."""
    by_gpu: dict[str, list[Share]] = {}
    by_node: dict[str, list[Share]] = {}
    for item in dict.fromkeys(hints):
        place = by_gpu.setdefault(item.gpu, []) if item.gpu else by_node.setdefault(item.node, [])
        place.append(item)
    for report in reports:
        found = [
            replace(item, node=report.node)
            for device in report.devices
            for item in by_gpu.get(device.gpu, ())
        ]
        found += by_node.get(report.node, ())
        yield replace(report, shares=(*report.shares, *found)) if found else report
