"""Slurm's answers drawn by hand, and a Slurm that lives in memory."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from reaper.platforms.slurm.backend import UNLIMITED, Facts
from reaper.platforms.slurm.records.gres import gpus
from reaper.platforms.slurm.records.record import Job, Node
from reaper.ports import SourceError
from reaper.schema.hostlist import expand

NOON = 1_700_000_000.0
"""The instant at which every drawn story is told."""


def job(ident: int = 7, *held: str, state: str = "RUNNING", nodes: str = "", **more: Any) -> Job:
    """Draw a job; `held` has a GRES text for each node of `nodes`."""
    usual: dict[str, Any] = {
        "user": "mira",
        "submitted": NOON - 3700,
        "started": NOON - 3600,
        "ends": NOON + 7200,
        "limit": 180,
        "batch": True,
        "uid": 1500,
        "gid": 100,
        "workdir": "/home/mira/run",
        "requeue": True,
    }
    return Job(
        id=ident,
        states=frozenset(state.split("+")),
        nodes=expand(nodes or ("gpu01" if held else "")),
        gpus=tuple(gpus(text) for text in held),
        **(usual | more),
    )


def node(name: str = "gpu01", gres: str = "gpu:a100:4", used: int | None = 0, **more: Any) -> Node:
    """Draw a node."""
    states = frozenset(more.pop("state", "IDLE").split("+"))
    return Node(name=name, states=states, gpus=gpus(gres), used=used, **more)


def raw(shape: str, **more: Any) -> dict[str, Any]:
    """Draw a job's JSON as 22.05 writes it ("plain") or as 24.11 does ("structured")."""
    record: dict[str, Any] = {
        "job_id": 7,
        "job_state": "RUNNING",
        "user_name": "mira",
        "submit_time": 100,
        "start_time": 200,
        "end_time": 3800,
        "time_limit": 60,
        "restart_cnt": 0,
        "requeue": True,
        "batch_flag": True,
        "array_job_id": 0,
        "array_task_id": None,
        "het_job_id": 0,
        "nodes": "gpu[01-02]",
        "gres_detail": ["gpu:a100:2(IDX:0-1)", "gpu:a100:1(IDX:3)"],
        **more,
    }
    return record if shape == "plain" else {key: _as_2411(key, record[key]) for key in record}


def _as_2411(key: str, value: Any) -> Any:
    if key == "job_state":
        return [value]
    if key in ("job_id", "requeue", "batch_flag", "restart_cnt") or isinstance(value, str | list):
        return value
    endless = key == "time_limit" and value is None
    return {"set": value is not None, "infinite": endless, "number": value or 0}


class SlurmInMemory:
    """A back-end whose jobs are frozen values; it notes what was done, and refuses on demand."""

    def __init__(self, *jobs: Job, nodes: Sequence[Node] = ()) -> None:
        self.standing = {job.address: job for job in jobs}
        self.known_nodes = tuple(nodes)
        self.done: list[str] = []
        self.asked = 0
        self.refusals: dict[str, Exception] = {}
        self.scripts: dict[str, str] = {}
        self.lines: dict[str, str] = {}
        self.listed_steps: tuple[str, ...] = ()
        self.said_beside: list[str] = []
        """What looks beside a job say, one after the other."""
        self.looked: list[tuple[str, ...]] = []
        self.level = "Operator"
        self.settings = {
            "slurm_version": "24.11.5",
            "slurmuser": "slurm(64030)",
            "privatedata": "none",
            "accountingstoragetres": "cpu,gres/gpu",
        }

    async def jobs(self, addresses: Sequence[str] = ()) -> tuple[Job, ...]:
        self.asked += 1
        self._refuse("jobs")
        return tuple(self.standing.values())

    async def nodes(self) -> tuple[Node, ...]:
        self._refuse("nodes")
        return self.known_nodes

    async def facts(self) -> Facts:
        self._refuse("facts")
        version = tuple(int(part) for part in self.settings["slurm_version"].split("."))
        return Facts(version=version, settings=dict(self.settings))

    async def admin_level(self) -> str:
        self._refuse("admin_level")
        return self.level

    async def script(self, address: str) -> str:
        return self._said(self.scripts, address)

    async def submit_line(self, address: str) -> str:
        return self._said(self.lines, address)

    async def update(
        self, address: str, *, requeue: bool | None = None, limit: int | None = None
    ) -> None:
        self._refuse("update" if limit is None else "limit")
        changes = [f"Requeue={int(requeue)}"] if requeue is not None else []
        changes += [f"TimeLimit={limit}"] if limit is not None else []
        self.done.append(f"update {address} {' '.join(changes)}")
        job = self.standing[address]
        if requeue is not None:
            job = replace(job, requeue=requeue)
        if limit == UNLIMITED:
            job = replace(job, limit=None, ends=None)
        elif limit is not None:
            job = replace(job, limit=limit, ends=job.started + limit * 60)
        self.standing[address] = job

    async def cancel(self, address: str) -> None:
        self._refuse("cancel")
        self.done.append(f"cancel {address}")
        self.move(address, "CANCELLED+COMPLETING")

    async def steps(self, address: str) -> tuple[str, ...]:
        self._refuse("steps")
        return self.listed_steps

    async def beside(self, job: Job, script: str, words: Sequence[str]) -> str:
        self._refuse("beside")
        self.looked.append((script, *words))
        return self.said_beside.pop(0)

    async def signal_batch(self, address: str, name: str) -> None:
        self._refuse("signal")
        self.done.append(f"signal {address} {name} batch")

    async def signal_step(self, step: str, name: str) -> None:
        self._refuse("signal")
        self.done.append(f"signal {step} {name}")

    async def requeue(self, address: str) -> None:
        self._refuse("requeue")
        self.done.append(f"requeue {address}")
        restarts = self.standing[address].restarts + 1
        self.move(address, "PENDING", restarts=restarts, submitted=NOON + 5)

    def move(self, address: str, state: str, **more: Any) -> None:
        """Let a job go on to another state."""
        old = self.standing[address]
        self.standing[address] = replace(old, states=frozenset(state.split("+")), **more)

    def _refuse(self, what: str) -> None:
        if what in self.refusals:
            raise self.refusals[what]

    def _said(self, said: dict[str, str], address: str) -> str:
        if address not in said:
            raise SourceError(f"slurm: nothing is known of {address}")
        return said[address]
