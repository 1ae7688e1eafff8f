"""
Every metric family of the reaper: its exposed name, kind, labels and meaning.

Base units only: seconds, ratios of 0 to 1; money in the currency of its label.  A counter names
its `totals`: the first word of its entries in ``Picture.totals``, where label values follow, each
after a colon: ``notices:slack:delivered``.  Of a histogram the last is a bound, or ``sum``.
"""

from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["counter", "gauge", "histogram"]

PREFIX: Final = "gpureaper_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One metric family: `name` is exactly what the page shows."""

    name: str
    kind: Kind
    labels: tuple[str, ...]
    help: str
    totals: str = ""


def _gauge(name: str, labels: str, text: str) -> Family:
    return Family(name=PREFIX + name, kind="gauge", labels=tuple(labels.split()), help=text)


def _counter(name: str, labels: str, text: str, totals: str = "") -> Family:
    return Family(
        name=PREFIX + name, kind="counter", labels=tuple(labels.split()), help=text, totals=totals
    )


BUILD_INFO: Final = _gauge("build_info", "version cluster", "1; version of the program.")
PACE_NORMAL: Final = _gauge("pace_normal", "", "1 on a real cluster, 0 at the pace of a demo.")
CYCLE_LAST: Final = _gauge(
    "cycle_last_success_timestamp_seconds",
    "",
    "When the last cycle was written; every other figure of this page is of then.",
)
CYCLE_AGE: Final = _gauge("cycle_age_seconds", "", "How old that cycle is by monotonic time.")
CYCLE_STEP: Final = _gauge("cycle_step_seconds", "", "How often a cycle should be written.")
CYCLES: Final = _counter(
    "cycles_total", "outcome", "Cycles by how they ended (written, failed).", totals="cycles"
)
CYCLE_SECONDS: Final = _counter(
    "cycle_seconds_total", "", "Time spent in cycles.", totals="cycle_seconds"
)
ALLOCATIONS: Final = _gauge("allocations", "verdict", "Live allocations by verdict.")
GPUS: Final = _gauge(
    "gpus",
    "state",
    "GPUs in the inventory: held and idle, held and unknown, held otherwise (working), free; "
    "slices of cards that are free; unusable: drained, down, reserved.",
)
WAITING_GPUS: Final = _gauge("waiting_gpus", "", "GPUs that pending jobs ask for.")
WAITING_REQUESTS: Final = _gauge(
    "waiting_requests",
    "partition class",
    "Pending requests for GPUs; of one for several partitions, all their names.",
)
WAITED: Final = Family(
    name=f"{PREFIX}wait_seconds",
    kind="histogram",
    labels=("partition", "class"),
    help="How long runs with GPUs waited from their submission to their start; a namespace "
    "where there are no partitions.",
    totals="waited",
)
RUNS_ENDED: Final = _counter(
    "runs_ended_total",
    "partition class outcome",
    "Runs with GPUs that ended, by how; running out of memory is told apart from failing.",
    totals="ended",
)
COVERAGE: Final = _gauge(
    "coverage_ratio", "", "Share of the allocated devices whose newest minute was seen."
)
COST: Final = _gauge(
    "idle_cost_per_hour", "currency", "What all idle GPUs that have a price cost per hour."
)
UNPRICED: Final = _gauge("idle_unpriced_gpus", "", "Idle GPUs without a price; their cost is more.")
ALLOCATION_IDLE: Final = _gauge(
    "allocation_idle_seconds",
    "platform allocation node_ids partition namespace team owner",
    "How long an idle allocation has been idle; the owner only where that is switched on, "
    "`node_ids` as a pattern of what its nodes call it.",
)
ALLOCATION_GPUS: Final = _gauge(
    "allocation_idle_gpus",
    "platform allocation node_ids partition namespace team owner",
    "Its idle GPUs.",
)
ALLOCATION_COST: Final = _gauge(
    "allocation_idle_cost_per_hour",
    "platform allocation node_ids partition namespace team owner currency",
    "What its idle GPUs cost per hour; absent where they have no price.",
)
ALLOCATIONS_OMITTED: Final = _gauge(
    "allocations_omitted",
    "",
    "Idle allocations left out of the three families above to bound this page.",
)
SOURCE_UP: Final = _gauge("source_up", "source role", "1 if the source's last turn gave an answer.")
SOURCE_AGE: Final = _gauge(
    "source_age_seconds", "source role", "Age of its last answer; absent before the first."
)
SOURCE_DURATION: Final = _gauge(
    "source_duration_seconds", "source role", "How long its last answer took."
)
SOURCE_FAILURES: Final = _counter(
    "source_failures_total", "source role", "Turns without an answer since the reaper started."
)
NODE_BLIND: Final = _gauge("node_blind", "node", "1 if nothing is seen of the node's GPUs, else 0.")
NODE_DOUBTED: Final = _gauge(
    "node_doubted", "node", "1 if it is not known who holds the node's GPUs, else 0."
)
NODE_MISNAMED: Final = _gauge(
    "node_misnamed", "node", "1 if its exporter says that it is another node, else 0."
)
NODE_AGE: Final = _gauge(
    "node_age_seconds", "node", "Age of the node's last page; absent before the first."
)
HOLDS: Final = _gauge("holds", "kind", "Standing stops by kind; paused and interlock always shown.")
CASES: Final = _gauge("cases", "state mode", "Open cases by where they stand.")
POLICY_ALLOCATIONS: Final = _gauge(
    "policy_allocations", "policy mode", "Live allocations that a policy matches."
)
POLICY_JUDGED: Final = _counter(
    "policy_judgements_total",
    "policy",
    "Verdicts under a policy; 0 is a policy that never judged anything.",
    totals="judged",
)
NOTICES: Final = _counter(
    "notices_total", "channel delivery", "Notices by channel and fate.", totals="notices"
)
ACTS: Final = _counter("acts_total", "phase", "Acts by how far they came.", totals="acts")
REFUSALS: Final = _counter(
    "refusals_total", "rule", "Steps that were due and not taken, by rule.", totals="refusals"
)

WEEK_INFO: Final = _gauge(
    "week_info",
    "span week closing",
    "1; the ISO week behind a span: this_week so far (closing 0), last_week as it was closed.",
)
WEEK_AS_OF: Final = _gauge(
    "week_as_of_timestamp_seconds", "span", "Until when the figures of a span are known."
)
WEEK_STATES: Final = _gauge(
    "week_gpu_seconds",
    "span state team class model",
    "GPU-seconds of a week by state; all states add up to those of the inventory.",
)
WEEK_FIGURES: Final = _gauge(
    "week_figure_gpu_seconds",
    "span figure team class model",
    "GPU-seconds of a week that a report tells: wasted, high, avoidable, reclaimed and others.",
)
WEEK_COSTS: Final = _gauge(
    "week_cost",
    "span figure currency team class model",
    "What figures of a week cost, in the currency of the label; unpriced hours are in none.",
)

FAMILIES: Final[tuple[Family, ...]] = (
    BUILD_INFO,
    PACE_NORMAL,
    CYCLE_LAST,
    CYCLE_AGE,
    CYCLE_STEP,
    CYCLES,
    CYCLE_SECONDS,
    ALLOCATIONS,
    GPUS,
    WAITING_GPUS,
    WAITING_REQUESTS,
    WAITED,
    RUNS_ENDED,
    COVERAGE,
    COST,
    UNPRICED,
    ALLOCATION_IDLE,
    ALLOCATION_GPUS,
    ALLOCATION_COST,
    ALLOCATIONS_OMITTED,
    SOURCE_UP,
    SOURCE_AGE,
    SOURCE_DURATION,
    SOURCE_FAILURES,
    NODE_BLIND,
    NODE_DOUBTED,
    NODE_MISNAMED,
    NODE_AGE,
    HOLDS,
    CASES,
    POLICY_ALLOCATIONS,
    POLICY_JUDGED,
    NOTICES,
    ACTS,
    REFUSALS,
    WEEK_INFO,
    WEEK_AS_OF,
    WEEK_STATES,
    WEEK_FIGURES,
    WEEK_COSTS,
)
