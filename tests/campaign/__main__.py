"""Plays a campaign and prints its figures: ``python -m tests.campaign 2000``."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice

from tests.campaign.drawing import text
from tests.campaign.drawing_lots import cluster
from tests.campaign.judge import Figures, Mistake, judged
from tests.campaign.playing import played

#: After how many clusters the figures so far are shown.
_SHOWN = 100


def one(seed: int) -> Figures:
    """Draw, play and judge the cluster of a seed."""
    drawn = cluster(seed)
    return judged(drawn, played(text(drawn)))


def campaign(seeds: Iterable[int], *, processes: int) -> Figures:
    """Return the figures over many clusters."""
    total = Figures()
    with ProcessPoolExecutor(processes) as pool:
        for found in pool.map(one, seeds, chunksize=4):
            total.add(found)
            if total.clusters % _SHOWN == 0:
                lines = (f"so far, {total.clusters} clusters:", *report(total), *_worst(total))
                sys.stderr.write("\n".join((*lines, "", "")))
    return total


def report(found: Figures) -> Iterator[str]:
    """Yield the figures as lines of Markdown."""
    wrong = found.false_notices
    yield "| figure | is | wanted |"
    yield "|---|---|---|"
    yield f"| clusters, allocations | {found.clusters}, {found.allocations} | |"
    yield f"| releases | {found.releases} | |"
    yield (
        "| releases of what was in use, and a signal showed it or nothing measured it "
        f"| {len(found.harms)} | 0 |"
    )
    share = found.found / found.due if found.due else 1.0
    yield (
        f"| abandoned GPU-hours found when they were due | {share:.1%} of {found.due:,.0f} "
        "| at least 95 % |"
    )
    notices = max(1, found.notices)
    yield (
        f"| notices to allocations in use | {len(wrong) / notices:.1%} of {found.notices} "
        "| at most 10 % |"
    )
    pauses = len(found.in_pauses) / notices
    yield f"| notices while a person was away for about an hour | {pauses:.1%} | |"
    yield ""
    yield "| given to what was in use | what it did | shown by | how often |"
    yield "|---|---|---|---|"
    counts = Counter((item.step, item.what, item.shown) for item in found.mistakes)
    for (step, what, shown), count in sorted(counts.items(), key=lambda pair: -pair[1]):
        yield f"| {step} | {what} | {shown or 'no signal'} | {count} |"
    yield ""
    yield "| abandoned, and never due | GPU-hours |"
    yield "|---|---|"
    for why, hours in found.never.most_common():
        yield f"| {why} | {hours:,.0f} |"


def _worst(found: Figures) -> Iterator[str]:
    yield "mistakes (seed, allocation, minute):"
    first: dict[tuple[str, str, str], list[Mistake]] = {}
    for item in found.mistakes:
        first.setdefault((item.step, item.what, item.shown), []).append(item)
    for key, items in first.items():
        places = ", ".join(f"{one.seed}/{one.allocation}@{one.at}m" for one in islice(items, 4))
        yield f"  {key}: {places}"
    yield "found late or never (seed, allocation, due, released, GPU-hours):"
    for one in sorted(found.missed, key=lambda item: -item.hours)[:25]:
        yield f"  {one.seed}/{one.allocation} {one.due}m {one.released}m {one.hours:.1f}"


def main() -> int:
    """Play what the command names; end with 1 where a release harmed somebody."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaign", description=__doc__)
    parser.add_argument("clusters", type=int, nargs="?", default=2000)
    parser.add_argument("--from", dest="first", type=int, default=1, help="the first seed")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--draw", type=int, help="print the scenario of this seed and no more")
    asked = parser.parse_args()
    if asked.draw is not None:
        sys.stdout.write(text(cluster(asked.draw)))
        return 0
    seeds = range(asked.first, asked.first + asked.clusters)
    found = campaign(seeds, processes=asked.processes)
    for line in (*report(found), "", *_worst(found)):
        sys.stdout.write(f"{line}\n")
    return 1 if found.harms else 0


if __name__ == "__main__":
    sys.exit(main())
