"""What a turn adds to the totals since the reaper first ran."""

from collections import Counter

from reaper.board import Tally
from reaper.cycle.evaluation.decide import Decisions
from reaper.cycle.ledger import queueing
from reaper.cycle.memory import Memory
from reaper.cycle.ownership.uniting import Ownership
from reaper.cycle.rules import Rules


def count(
    memory: Memory, decisions: Decisions, rules: Rules, tally: Tally, owned: Ownership
) -> None:
    """Add a turn and what happened since the last one to the totals; names as in Tally."""
    queueing.count(memory, owned)
    memory.count("cycles:written")
    memory.count("cycle_seconds", tally.seconds)
    for policy in rules.policies:
        memory.count(f"judged:{policy.name}", 0)
    judged = Counter(item.policy.name for item in decisions.items if item.policy)
    notices = Counter(f"notices::{notice.delivery}" for notice in decisions.notices)
    acts = Counter(f"acts:{intent.phase}" for intent in decisions.intents)
    counts = (
        {f"judged:{name}": number for name, number in judged.items()},
        {f"refusals:{rule}": number for rule, number in decisions.refused.items()},
        notices,
        acts,
        tally.counts,
    )
    for part in counts:
        for name, number in part.items():
            memory.count(name, number)
