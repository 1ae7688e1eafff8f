"""What `doctor` finds out about Slurm: whether it answers, what we may do, what it hides."""

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Final

from reaper.platforms.platform import Finding
from reaper.platforms.slurm.backend import Backend, Facts
from reaper.platforms.slurm.balance import COMPARE, CURE, mismatches
from reaper.platforms.slurm.records.record import Job, Node
from reaper.platforms.slurm.release.beside import may_become, status
from reaper.ports import SourceError

#: The oldest version whose JSON is whole, and the newest that was tried.
OLDEST: Final = (22, 5)
NEWEST: Final = (25, 11)

#: Records that are named one by one.
_NAMED: Final = 5

_HIDING: Final = frozenset(("jobs", "nodes", "all"))
_PRIVILEGED: Final = frozenset(("Operator", "Administrator"))


async def check(backend: Backend, *, user: str) -> tuple[Finding, ...]:
    """Return every finding; a question that fails is one, too."""
    return tuple([finding async for finding in _findings(backend, user)])


async def _findings(backend: Backend, user: str) -> AsyncIterator[Finding]:
    try:
        facts = await backend.facts()
    except SourceError as error:
        yield Finding(subject="slurm: controller", ok=False, what=str(error))
        return
    operator = await _operator(backend, facts, user)
    for finding in (
        _version(facts),
        _rights(user, operator=operator),
        _private(facts, operator=operator),
    ):
        yield finding
    yield _proofs(user, able=may_become(status()))
    for finding in _settings(facts):
        yield finding
    for finding in await _ownership(backend):
        yield finding


async def _operator(backend: Backend, facts: Facts, user: str) -> bool | None:
    """Tell whether this account may act on everybody's jobs; None when nobody can say."""
    slurm_user = facts.settings.get("slurmuser", "").partition("(")[0]
    if user in ("root", slurm_user):
        return True
    try:
        return await backend.admin_level() in _PRIVILEGED
    except SourceError:
        return None


def _version(facts: Facts) -> Finding:
    shown = facts.settings.get("slurm_version", "")
    known = OLDEST <= facts.version[:2] <= NEWEST
    return Finding(
        subject="slurm: version",
        ok=known or (False if facts.version[:2] < OLDEST else None),
        what=f"Slurm {shown}",
        cure="" if known else "22.05 to 25.11 are known; compare `status` with squeue on others",
    )


def _rights(user: str, *, operator: bool | None) -> Finding:
    what = {
        True: f"{user} may act on every job",
        False: f"{user} is an ordinary user to Slurm and may only act on its own jobs",
        None: f"accounting does not say what {user} may do",
    }[operator]
    cure = "" if operator else f"sacctmgr modify user {user} set AdminLevel=Operator"
    return Finding(subject="slurm: rights", ok=operator, what=what, cure=cure, needed="act")


def _proofs(user: str, *, able: bool) -> Finding:
    """Only policies that save need it: without it their jobs are neither signalled nor released."""
    what = f"{user} may look for saves as the jobs' users"
    return Finding(
        subject="slurm: proofs of saves",
        ok=able or None,
        what=what if able else f"{user} cannot look for saves as the jobs' users",
        cure="" if able else "for policies that save: give it CAP_SETUID and CAP_SETGID",
        needed="act",
    )


def _private(facts: Facts, *, operator: bool | None) -> Finding:
    words = facts.settings.get("privatedata", "none").lower().replace(" ", "").split(",")
    hidden = sorted(_HIDING.intersection(words))
    if not hidden:
        return Finding(subject="slurm: PrivateData", ok=True, what="hides no jobs and no nodes")
    what = f"PrivateData hides {', '.join(hidden)} from ordinary users"
    return Finding(
        subject="slurm: PrivateData", ok=operator, what=what, cure="" if operator else CURE
    )


def _settings(facts: Facts) -> Iterator[Finding]:
    tracked = facts.settings.get("accountingstoragetres", "").lower().split(",")
    counted = any(item == "gres/gpu" or item.startswith("gres/gpu:") for item in tracked)
    yield Finding(
        subject="slurm: AccountingStorageTRES",
        ok=counted or None,
        what="accounting counts GPUs" if counted else "accounting does not count GPUs",
        cure=""
        if counted
        else "add gres/gpu to AccountingStorageTRES in slurm.conf, so that sacct can confirm",
    )
    slack = facts.settings.get("overtimelimit", "0").lower().removesuffix("min").strip()
    if slack not in ("", "0", "none"):
        yield Finding(
            subject="slurm: OverTimeLimit",
            ok=None,
            what=f"jobs may run {slack} min over their limit: a release takes that much longer",
            needed="act",
        )


async def _ownership(backend: Backend) -> tuple[Finding, ...]:
    """Ask as a cycle does, twice where sums differ, and name the nodes where they still do."""
    subject = "slurm: jobs and nodes agree"
    try:
        jobs, nodes = await backend.jobs(), await backend.nodes()
        if mismatches(jobs, nodes):
            jobs, nodes = await backend.jobs(), await backend.nodes()
    except SourceError as error:
        return (Finding(subject=subject, ok=False, what=str(error)),)
    odd = tuple(_odd(jobs, nodes))
    if wrong := mismatches(jobs, nodes):
        return (*(Finding(subject=subject, ok=False, what=text) for text in wrong.values()), *odd)
    what = "on every node the jobs' GPUs are what Slurm has given out"
    return (Finding(subject=subject, ok=True, what=what), *odd)


def _odd(jobs: Iterable[Job], nodes: Iterable[Node]) -> Iterator[Finding]:
    """Yield what of the records cannot be read: each is unclear by itself, and the rest is not."""
    said = [f"job {job.address}: {job.doubt}" for job in jobs if job.doubt]
    said += [f"node {node.name}: {node.unclear}" for node in nodes if node.unclear]
    for what in said[:_NAMED]:
        yield Finding(subject="slurm: a record", ok=None, what=what, cure=COMPARE)
    if len(said) > _NAMED:
        yield Finding(subject="slurm: records", ok=None, what=f"and {len(said) - _NAMED} more")
