"""
What the doctor looks at, one function each; every answer is a finding, also a failure.

Read-only: it asks exporters, platforms and channels as a cycle would, and changes nothing.
"""

import json
import os
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from reaper.cli.ending import Ending
from reaper.cli.examination.cures import CLOCK, cure_of
from reaper.cli.examination.room import rooms
from reaper.cli.reach import Reach
from reaper.config import ConfigError, Configuration, load
from reaper.config.lacks import lacks, unbound
from reaper.config.outside import missing
from reaper.domain.escalation.interlock import Bounds
from reaper.edge.clock import FastClock, SystemClock
from reaper.languages.catalogue import said
from reaper.platforms import Finding, looked_at
from reaper.ports import Clock, NodeReport, NotifyError, ReaperError, SourceError
from reaper.web import words
from reaper.web.html.view import stale
from reaper.web.json_api.showing import Status
from reaper.web.server import CONFIGURATION

#: Seconds by which a node's clock may differ.
_SKEW: Final = 2.0

#: Nodes that are named one by one.
_NAMED: Final = 10

_MISNAMED: Final = "docs/runbooks/node-misnamed.md: a wrong name, or somebody who makes it up"
_NO_TARGET: Final = "name exporters under activity.targets, activity.file_sd or activity.kubernetes"

#: Signals whose absence leaves only utilisation.
_BLIND: Final = frozenset((("sm", "unsupported"), ("sm", "lost"), ("sm", "paused")))

Look = Callable[[Reach, Configuration], Awaitable[tuple[Finding, ...]]]


async def examine(reach: Reach) -> tuple[Finding, ...]:
    """Return every finding, in the order in which a cure helps the rest."""
    try:
        configuration = _in_force(reach)
    except ConfigError as error:
        return tuple(
            Finding(subject="configuration", ok=False, what=str(problem))
            for problem in error.problems
        )
    found: list[Finding] = []
    for look in LOOKS:
        found += await look(reach, configuration)
    return tuple(found)


def _in_force(reach: Reach) -> Configuration:
    """Read the configuration that was named, else that of the reaper that runs; ConfigError."""
    if reach.config is None and (line := reach.line()) is not None:
        try:
            path = json.loads(line.get(CONFIGURATION))["path"]
        except (Ending, ValueError, KeyError):
            return reach.configuration()
        return load(Path(path) if path else None)
    return reach.configuration()


def _clock(reach: Reach) -> Clock:
    """Return the clock of the reaper that runs: a demo's is fast, and so are its exporters'."""
    line = reach.line()
    try:
        told = line.told(Status, "/api/v1/status") if line else None
    except Ending:
        return SystemClock()
    if told is None or told.rate == 1.0:
        return SystemClock()
    here = SystemClock().now()
    return FastClock(rate=told.rate, epoch=here - (told.now - here) / (told.rate - 1.0))


async def _configuration(_reach: Reach, configuration: Configuration) -> tuple[Finding, ...]:
    name = str(configuration.path or "the defaults")
    modes = ", ".join(f"{policy.name} {policy.mode}" for policy in configuration.policies)
    found = [Finding(subject="configuration", ok=True, what=f"{name}: {modes or 'no policy'}")]
    found += [
        Finding(subject=f"configuration: {lack.where}", ok=None, what=lack.what, cure=lack.cure)
        for lack in lacks(configuration, name=name)
    ]
    found += [
        Finding(
            subject=f"configuration: {'.'.join(map(str, where))}", ok=None, what=what, cure=cure
        )
        for where, what, cure in missing(configuration, os.environ)
    ]
    if configuration.kill_switch.exists():
        what = f"{configuration.kill_switch} exists: nothing acts"
        cure = "remove the file when acts may go on"
        found.append(Finding(subject="kill switch", ok=None, what=what, cure=cure, needed="act"))
    return tuple(found)


async def _reaper(reach: Reach, configuration: Configuration) -> tuple[Finding, ...]:
    line = reach.line()
    if line is None:
        what = f"nobody answers at {reach.places()}"
        cure = "systemctl start gpu-reaper, or gpu-reaper run"
        return (Finding(subject="reaper", ok=None, what=what, cure=cure),)
    try:
        told = line.told(Status, "/api/v1/status")
    except Ending as error:
        return (Finding(subject="reaper", ok=False, what=error.message),)
    return tuple(_running(told, configuration.bounds))


def _running(told: Status, bounds: Bounds) -> Iterator[Finding]:
    picture = told.picture
    age = words.duration(told.now - picture.at)
    late = stale(picture, told.now, told.rate)
    cure = "journalctl -u gpu-reaper says why no cycle ends" if late else ""
    yield Finding(subject="reaper", ok=not late, what=f"last cycled {age} ago", cure=cure)
    low = picture.coverage < bounds.coverage
    yield Finding(
        subject="coverage",
        ok=None if low else True,
        what=f"{words.share(picture.coverage)} of the held GPUs seen",
        cure="see the exporters below" if low else "",
        needed="act",
    )
    for hold in picture.holds:
        cure = f'gpu-reaper resume --hold {hold.id} --reason "…"'
        yield Finding(
            subject=hold.kind,
            ok=None,
            what=f"{said(hold.reason)} (by {hold.by})",
            cure=cure,
            needed="act",
        )
    for node in picture.nodes:
        if node.doubt:
            yield Finding(subject=f"owners on {node.node}", ok=False, what=node.doubt)


async def _store(reach: Reach, configuration: Configuration) -> tuple[Finding, ...]:
    from reaper.store import open_reading

    subject = "store"
    try:
        store = await open_reading(configuration.store, cluster=configuration.cluster)
    except ReaperError as error:
        found = Finding(subject=subject, ok=None, what=str(error))
        return (found, _folder(configuration), *rooms(configuration))
    try:
        async with store.reading() as books:
            beat = await books.heartbeat()
    finally:
        await store.close()
    written = f"last cycle {words.ago(beat, _clock(reach).now())}"
    found = Finding(subject=subject, ok=True, what=f"readable; {written}")
    return (found, _folder(configuration), *rooms(configuration))


def _folder(configuration: Configuration) -> Finding:
    folder = configuration.state_dir
    there = next(path for path in (folder, *folder.parents) if path.exists())
    if os.access(there, os.W_OK):
        return Finding(subject="state directory", ok=True, what=f"{folder} can be written")
    what = f"{there} cannot be written by this user"
    cure = "ask as the user that runs the reaper, or set `state_dir`"
    return Finding(subject="state directory", ok=None, what=what, cure=cure)


# ------------------------------------------------------------------ sources and channels


async def _exporters(reach: Reach, configuration: Configuration) -> tuple[Finding, ...]:
    from reaper.activity import live
    from reaper.cli.examination.joins import joins

    clock = _clock(reach)
    activity = live(configuration.activity, clock=clock)
    try:
        readings = await activity.readings(0)
        problems = (*activity.problems, *await activity.unmatched())
    except SourceError as error:
        return (Finding(subject=activity.name, ok=False, what=str(error)),)
    finally:
        await activity.close()
    lists = [Finding(subject="list of exporters", ok=False, what=text) for text in problems]
    met = await joins(configuration, clock, readings.nodes)
    return (*lists, *_reports(readings.nodes), *_loose(configuration, readings.nodes), *met)


def _loose(configuration: Configuration, reports: Sequence[NodeReport]) -> Iterator[Finding]:
    """Yield how many targets could speak for any node: enough to observe, never to act."""
    listed = [target.name for target in unbound(configuration.activity)]
    told = [report.target for report in reports if report.unbound]
    if loose := tuple(dict.fromkeys((*listed, *told))):
        names = ", ".join(loose[:_NAMED])
        more = f" and {len(loose) - _NAMED} more" if len(loose) > _NAMED else ""
        what = f"nothing but their pages says for which nodes these speak: {names}{more}"
        cure = f"write {loose[0]}=NODE under targets"
        yield Finding(subject="targets", ok=None, what=what, cure=cure, needed="act")


def _reports(reports: Sequence[NodeReport]) -> Iterator[Finding]:
    """Yield how many exporters answer, those that do not, and those that see or tell too little."""
    good = [report for report in reports if not report.error]
    gpus = sum(len(report.devices) for report in good)
    what = f"{len(good)} of {len(reports)} answer, with {words.count(gpus, 'GPU')}"
    whole = bool(reports) and len(good) == len(reports)
    yield Finding(subject="exporters", ok=whole, what=what, cure="" if reports else _NO_TARGET)
    silent = [report for report in reports if report.error]
    for report in silent[:_NAMED]:
        subject = f"exporter {report.node or report.target}"
        cure = _MISNAMED if report.claims else cure_of(report.error, report.target)
        yield Finding(subject=subject, ok=False, what=report.error, cure=cure)
    if len(silent) > _NAMED:
        yield Finding(subject="exporters", ok=False, what=f"and {len(silent) - _NAMED} more")
    for report in good:
        yield from _sight(report)


def _sight(report: NodeReport) -> Iterator[Finding]:
    if report.skew < -_SKEW:
        what = f"its newest sample is {-report.skew:.1f} s old, or its clock is behind ours"
        yield Finding(subject=f"clock of {report.node}", ok=None, what=what, cure=CLOCK)
    elif report.skew > _SKEW:
        what = f"its clock is {report.skew:+.1f} s off ours"
        yield Finding(subject=f"clock of {report.node}", ok=False, what=what, cure=CLOCK)
    if not report.devices:
        what = "it sees no GPU"
        cure = "gpu-exporter --once on that node says why"
        yield Finding(subject=f"exporter {report.node}", ok=None, what=what, cure=cure)
    blind = sorted({item.gpu for item in report.signals if (item.signal, item.state) in _BLIND})
    if blind:
        what = f"{words.count(len(blind), 'GPU')} without profiling: idle is told by utilisation"
        yield Finding(subject=f"signals of {report.node}", ok=None, what=what)


async def _platforms(reach: Reach, configuration: Configuration) -> tuple[Finding, ...]:
    from reaper.app.compose import platforms

    built = platforms(configuration, _clock(reach))
    found = [finding for platform in built for finding in await looked_at(platform)]
    if not built:
        cure = "write for example platforms: {slurm: {}}"
        what = "none is configured: nobody is known to hold a GPU"
        found.append(Finding(subject="platforms", ok=None, what=what, cure=cure))
    return tuple(found)


async def _channels(_reach: Reach, configuration: Configuration) -> tuple[Finding, ...]:
    from reaper.notifiers.slack.checks import checked
    from reaper.notifiers.slack.settings import SlackSettings

    slack = [item for item in configuration.notifiers if isinstance(item, SlackSettings)]
    found = [one for item in slack for one in await checked(item)]
    return tuple(
        Finding(subject=one.subject, ok=one.ok, what=one.what, cure=one.cure, needed="notify")
        for one in found
    )


async def _mail(_reach: Reach, configuration: Configuration) -> tuple[Finding, ...]:
    from reaper.notifiers.mail import Mail, MailSettings

    found = []
    for settings in configuration.notifiers:
        if isinstance(settings, MailSettings):
            mail = Mail(settings, clock=SystemClock())
            found.append(await _tried(str(settings.server), mail.knock, "takes the sender"))
            if settings.returns is not None:
                found.append(await _tried("returns", mail.returned, "can be read"))
    return tuple(found)


async def _tried(what: str, ask: Callable[[], Awaitable[object]], said: str) -> Finding:
    """Ask something of the mail server or the box, without sending anything."""
    try:
        await ask()
    except NotifyError as error:
        text = str(error).removeprefix("mail: ")
        return Finding(subject=f"mail {what}", ok=False, what=text, needed="notify")
    return Finding(subject=f"mail {what}", ok=True, what=said, needed="notify")


LOOKS: Final[tuple[Look, ...]] = (
    _configuration,
    _reaper,
    _store,
    _exporters,
    _platforms,
    _channels,
    _mail,
)
"""What is looked at, in order; a new look is a function and a line here."""
