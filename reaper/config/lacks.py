"""What the modes of the policies still need; without it they refuse, they do not fail."""

from collections.abc import Iterator

from reaper.activity.exporters.address import read
from reaper.activity.exporters.settings import ExporterSettings
from reaper.config.configuration import Configuration
from reaper.domain.judgement.policy import Mode
from reaper.edge.problems import Problem
from reaper.notifiers.console import ConsoleSettings
from reaper.people.unix import UnixSettings


def lacks(configuration: Configuration, *, name: str) -> Iterator[Problem]:
    """Yield what is missing before the policies may do what their mode says."""
    modes = {policy.mode for policy in configuration.policies}
    if Mode.ACT in modes:
        yield from _problems(name, "act", (*_channel(configuration), *_exporters(configuration)))
        yield from _problems(name, "act", _operators(configuration))
    elif Mode.NOTIFY in modes:
        yield from _problems(name, "notify", _channel(configuration))
    if modes - {Mode.OBSERVE} and not configuration.platforms:
        what, cure = "no source of allocations", "write for example platforms: {slurm: {}}"
        mode = "act" if Mode.ACT in modes else "notify"
        yield from _problems(name, mode, (("platforms", what, cure),))


Lack = tuple[str, str, str]


def _problems(name: str, mode: str, found: tuple[Lack, ...]) -> Iterator[Problem]:
    for where, what, cure in found:
        said = f"{what}, which mode {mode} needs"
        yield Problem(file=name, where=where, what=said, cure=cure, lacking=True)


def _channel(configuration: Configuration) -> tuple[Lack, ...]:
    if all(isinstance(item, ConsoleSettings) for item in configuration.notifiers):
        cure = "add {kind: slack, token: {file: …}}"
        return (("notifiers", "no channel that reaches a person alone", cure),)
    people = configuration.people
    if isinstance(people, UnixSettings) and not people.mail_domain:
        cure = "write kind: yaml with a file of people, or mail_domain"
        return (("people", "no addresses of people", cure),)
    return ()


def _exporters(configuration: Configuration) -> tuple[Lack, ...]:
    if authenticated(configuration.activity):
        return ()
    cure = "write scheme: https and ca: …, or let exporters listen below port 1024"
    return (("activity", "no proof that an exporter is the node's own", cure),)


def authenticated(settings: ExporterSettings) -> bool:
    """Tell whether every exporter named here proves itself; of `file_sd` by the scheme alone."""
    pinned = settings.ca is not None
    targets = [read(text, scheme=settings.scheme) for text in settings.targets]
    if settings.file_sd and not (pinned and settings.scheme == "https"):
        return False
    known = [(target.secure and pinned) or target.privileged for target in targets]
    return all(known) and bool(known or settings.file_sd)


def _operators(configuration: Configuration) -> tuple[Lack, ...]:
    operators = configuration.operators
    if operators.groups or len(operators.users) > 1:
        return ()
    limit = configuration.limits.approval
    what = f"nobody to approve acts on more than {limit} GPUs by two"
    return (("operators", what, "name two users or a group"),)
