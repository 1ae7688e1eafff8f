"""A job and a node as Slurm tells them: frozen values, free of versions and of shapes."""

from dataclasses import dataclass
from typing import Final

from reaper.platforms.slurm.records.gres import Gpus

#: Base states of a job that is over.
ENDED: Final = frozenset(
    (
        "BOOT_FAIL",
        "CANCELLED",
        "COMPLETED",
        "DEADLINE",
        "FAILED",
        "LAUNCH_FAILED",
        "NODE_FAIL",
        "OUT_OF_MEMORY",
        "PREEMPTED",
        "RECONFIG_FAIL",
        "REVOKED",
        "TIMEOUT",
    )
)
_WAITING: Final = frozenset(("PENDING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT"))
_BROKEN: Final = frozenset(
    ("BOOT_FAIL", "FAILED", "LAUNCH_FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "SPECIAL_EXIT")
)
_AT_WORK: Final = frozenset(("RUNNING", "CONFIGURING"))
_STANDING: Final = frozenset(
    (
        "COMPLETING",
        "RESIZING",
        "RESV_DEL_HOLD",
        "SIGNALING",
        "STAGE_OUT",
        "STOPPED",
        "SUSPENDED",
    )
)
#: States of which one at least says where a job stands; the rest are flags beside them.
KNOWN: Final = ENDED | _WAITING | _AT_WORK | _STANDING


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a job asked for, in Slurm's own words; counts of nodes and tasks to multiply with."""

    per_job: str = ""
    per_node: str = ""
    per_socket: str = ""
    per_task: str = ""
    total: str = ""
    """``tres_req_str``: holds GPUs only where AccountingStorageTRES lists gres/gpu."""
    nodes: int = 1
    tasks: int = 1
    sockets: int = 1
    cpus: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """
    One job record: a job, a task of an array, a component of a het job.

    Times in Unix seconds, `limit` in minutes, None for no limit.  `gpus` has an entry for every
    node of `nodes`; it is empty once the job has ended.
    """

    id: int
    states: frozenset[str]
    user: str
    submitted: float
    array: int = 0
    task: int | None = None
    pending_tasks: str = ""
    """The tasks of an array that have not started yet, such as ``2-9%3``."""
    het: int = 0
    offset: int = 0
    sluid: str = ""
    account: str = ""
    partition: str = ""
    qos: str = ""
    name: str = ""
    command: str = ""
    uid: int | None = None
    gid: int | None = None
    workdir: str = ""
    submit_line: str = ""
    reservation: str = ""
    named: tuple[str, ...] = ()
    """Nodes that it asks for by name."""
    avoids: tuple[str, ...] = ()
    reason: str = ""
    dependency: str = ""
    started: float = 0.0
    eligible: float = 0.0
    ends: float | None = None
    over: float | None = None
    """When it ended; None while it has not."""
    limit: int | None = None
    paused: float = 0.0
    """When it was last suspended or resumed, 0 for never."""
    ran_before_pause: float = 0.0
    restarts: int = 0
    requeue: bool = False
    batch: bool = False
    nodes: tuple[str, ...] = ()
    gpus: tuple[tuple[Gpus, ...], ...] = ()
    unclear: str = ""
    """Why `gpus` is empty although the job may hold some."""
    odd: str = ""
    """What of the record cannot be read: nothing that follows from it is sure."""
    nameless: str = ""
    """What of it leaves open which run, array or het job this is."""
    allocated: str = ""
    wish: Wish = Wish()

    @property
    def doubt(self) -> str:
        """Return why nothing may be concluded from the record, "" where all of it was read."""
        return "; ".join(filter(None, (self.odd, self.nameless, self.unclear)))[:400]

    @property
    def key(self) -> str:
        """Return the identity of this run, unique for ever: SLUID, or id.restarts.submit."""
        return self.sluid or f"{self.id}.{self.restarts}.{int(self.submitted)}"

    @property
    def address(self) -> str:
        """
        Return what Slurm's commands must be given to mean this job alone.

        The task that started last has the array's own id: only ``5_3`` names it, 5 is all of them.
        """
        return f"{self.array}_{self.task}" if self.array and self.task is not None else str(self.id)

    @property
    def completing(self) -> bool:
        """Tell whether it has ended and its nodes are not free yet."""
        return "COMPLETING" in self.states

    @property
    def ended(self) -> bool:
        """Tell whether it is over; a job that completes is."""
        return self.completing or bool(self.states & ENDED)

    @property
    def waiting(self) -> bool:
        """Tell whether it has not started, or waits to start again."""
        return not self.ended and bool(self.states & _WAITING)

    @property
    def live(self) -> bool:
        """Tell whether it holds what it was given; a state that we do not know does."""
        return not self.ended and not self.waiting

    @property
    def goes_on(self) -> bool:
        """Tell whether a run that was put back is in the queue, runs, or came to a good end."""
        held = self.waiting and self.reason.startswith(("JobHeld", "JobHold"))
        return not held and not self.states & _BROKEN

    @property
    def suspended(self) -> bool:
        """Tell whether its processes are stopped: what they do not do says nothing of them."""
        return self.live and bool(self.states & {"SUSPENDED", "STOPPED"})

    @property
    def at_work(self) -> bool:
        """Tell whether it runs and nothing else: not suspended, stopped, resizing."""
        return "RUNNING" in self.states and self.states <= _AT_WORK


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """
    A node; `used` None where Slurm does not say how many of its GPUs are allocated.

    `unclear` is what of its record cannot be read: then nobody's GPUs there can be told.
    """

    name: str
    states: frozenset[str]
    gpus: tuple[Gpus, ...] = ()
    used: int | None = None
    used_slices: int = 0
    """How many of `used` are slices of cards, by their type."""
    partitions: tuple[str, ...] = ()
    reservation: str = ""
    unclear: str = ""
