"""
Recorded files of other systems, read into usage and answered in GPU-hours.

It knows three public CSV forms by their columns and the rules by which each is read; all mistakes
of a file are named at once, with their lines.
It refuses to guess: a blank utilisation is unknown, and a file with a mistake gives no figures.
"""

from pathlib import Path
from typing import Final

from reaper.reports.traces import hourly, jobs, processes
from reaper.reports.traces.table import Format, Table, TraceError, read_table
from reaper.reports.traces.trace import TraceReport, summarised

#: Every form that can be replayed; a new one is a file and a line here.
FORMATS: Final[tuple[Format, ...]] = (jobs.FORMAT, processes.FORMAT, hourly.FORMAT)

__all__ = ["FORMATS", "TraceError", "TraceReport", "replay"]


def replay(path: Path) -> TraceReport:
    """Read a recorded file, its form told by its columns; raise TraceError with every mistake."""
    table = read_table(path)
    form = _detect(table)
    trace = form.read(table)
    table.refuse_mistakes()
    if not trace.records:
        raise TraceError(path.name, ("holds no row that names a GPU: nothing to replay",))
    return summarised(trace, form=form.name, source=path.name)


def _detect(table: Table) -> Format:
    """Return the form whose columns the file has; say which columns miss for the nearest one."""
    missing = {form.name: [c for c in form.columns if c not in table.columns] for form in FORMATS}
    for form in FORMATS:
        if not missing[form.name]:
            return form
    near = min(FORMATS, key=lambda form: len(missing[form.name]))
    lacks = f"its columns fit no known form; {near.name} would need {', '.join(missing[near.name])}"
    known = "; ".join(f"{form.name}: {', '.join(form.columns)}" for form in FORMATS)
    raise TraceError(table.source, (lacks, f"known forms are {known}"))
