"""
Slurm's own books, as `sacct` writes them, read into recorded jobs.

It knows the text of `sacct -P` in any order of columns, the same as ``name=value``, `sacct --json`
of every version, and the summaries that jobstats leaves in a job's AdminComment.
It refuses to guess: steps are no jobs, a GPU counts once however often AllocTRES names it, what
cannot be read is named with its line, and a use that nobody recorded is unknown.
"""

from reaper.platforms.slurm.accounting.answer import read_answer
from reaper.platforms.slurm.accounting.columns import HELD, is_accounting
from reaper.platforms.slurm.accounting.making import Told
from reaper.platforms.slurm.accounting.pairs import is_pairs, read_pairs
from reaper.platforms.slurm.accounting.text import Opened, opened, read_text

__all__ = [
    "HELD",
    "Opened",
    "Told",
    "is_accounting",
    "is_pairs",
    "opened",
    "read_answer",
    "read_pairs",
    "read_text",
]
