"""
What the modes of the policies still need.

Without what `lacks` names nothing acts at all; without what `gaps` names some acts are refused.
Neither is a mistake: the program starts, observes and says so.
"""

from collections.abc import Callable, Iterator

from reaper.activity import LiveSettings
from reaper.activity.exporters.address import Target
from reaper.activity.exporters.settings import ExporterSettings
from reaper.activity.prometheus.settings import PrometheusSettings
from reaper.config.configuration import Configuration
from reaper.domain.judgement.policy import Mode
from reaper.domain.spoken import count
from reaper.edge.extras import installing, lacking
from reaper.edge.problems import Problem
from reaper.notifiers import PERSONAL
from reaper.people.ldap_directory import LdapSettings
from reaper.people.unix import UnixSettings
from reaper.reports import pdf
from reaper.web.settings import weaknesses

Lack = tuple[str, str, str]
"""Where, what and cure."""


def lacks(configuration: Configuration, *, name: str) -> Iterator[Problem]:
    """Yield what is missing before any policy may do what its mode says."""
    mode = max((policy.mode for policy in configuration.policies), key=_far, default=Mode.OBSERVE)
    if mode is Mode.OBSERVE:
        return
    found = [*_channel(configuration), *_platforms(configuration)]
    if mode is Mode.ACT:
        found += _exporters(configuration)
    yield from (
        _problem(name, where, f"{what}, which mode {mode} needs", cure)
        for where, what, cure in found
    )


def gaps(configuration: Configuration, *, name: str) -> Iterator[Problem]:
    """Yield what single policies, or some of their acts, ask for and do not get."""
    acting = [policy for policy in configuration.policies if policy.mode is Mode.ACT]
    found = [
        *_judging(configuration),
        *_extras(configuration),
        *undelivered(configuration, pdf.missing),
    ]
    if acting:
        found += _operators(configuration)
    found += [
        (f"web.{'.'.join(where)}", what, cure)
        for where, what, cure in weaknesses(configuration.web)
    ]
    yield from (_problem(name, *lack) for lack in found)


def authenticated(settings: LiveSettings) -> bool:
    """Tell whether every exporter listed now proves itself: by a pinned CA, or a low port."""
    asked = _asked(settings)
    pinned = asked.ca is not None
    if _by_label(settings):
        return pinned and asked.scheme == "https"
    found = asked.discovery().refresh()
    return bool(found) and all(pinned if target.secure else target.privileged for target in found)


def unbound(settings: LiveSettings) -> tuple[Target, ...]:
    """
    Return the targets listed now of which nothing but their pages says which node they are.

    Those whose certificate a pinned CA must have signed may be bound by that: it shows when they
    are asked.
    """
    if _by_label(settings):
        return ()
    asked = _asked(settings)
    return tuple(
        target
        for target in asked.discovery().refresh()
        if not target.node and not (asked.ca and target.secure and target.direct)
    )


def _by_label(settings: LiveSettings) -> bool:
    """Tell whether the exporters' addresses are known by an engine's labels alone."""
    return isinstance(settings, PrometheusSettings) and not settings.listed


def _asked(settings: LiveSettings) -> ExporterSettings:
    return settings.exporters if isinstance(settings, PrometheusSettings) else settings


def _far(mode: Mode) -> int:
    return list(Mode).index(mode)


def _problem(name: str, where: str, what: str, cure: str) -> Problem:
    return Problem(file=name, where=where, what=what, cure=cure, lacking=True)


def _judging(configuration: Configuration) -> Iterator[Lack]:
    if not configuration.policies:
        cure = "name policy files, or take `policies` out for those that observe"
        yield "policies", "no policy: nothing is ever judged against one", cure


def _extras(configuration: Configuration) -> Iterator[Lack]:
    if any(isinstance(item, LdapSettings) for item in configuration.people) and lacking("ldap3"):
        yield (
            "people",
            "LDAP is asked, and the extra that asks is not installed",
            installing("ldap"),
        )


def _channel(configuration: Configuration) -> Iterator[Lack]:
    people = configuration.people
    if not any(item.kind in PERSONAL for item in configuration.notifiers):
        cure = "add {kind: slack, token: {file: …}}"
        yield "notifiers", "no channel that reaches a person alone", cure
    elif all(isinstance(item, UnixSettings) and not item.mail_domain for item in people):
        cure = "write kind: yaml with a file of people, or mail_domain"
        yield "people", "no addresses of people", cure


def _platforms(configuration: Configuration) -> Iterator[Lack]:
    if not configuration.platforms:
        cure = "write for example platforms: {slurm: {}}"
        yield "platforms", "no source of allocations", cure


def _exporters(configuration: Configuration) -> Iterator[Lack]:
    if not authenticated(configuration.activity):
        cure = "write scheme: https and ca: …, or let exporters listen below port 1024"
        yield "activity", "no proof that each exporter is its node's own", cure
    if loose := unbound(configuration.activity):
        first, more = loose[0].name, len(loose) - 1
        others = f" (nor {count(more, 'other target')})" if more else ""
        what = f"nothing but its page says for which node {first} speaks{others}"
        yield "activity", what, f"write {first}=NODE under targets, or its host's name"


def _operators(configuration: Configuration) -> Iterator[Lack]:
    operators, limit = configuration.operators, configuration.limits.approval
    if not operators.groups and len(operators.users) < 2:
        what = f"nobody to approve an act on more than {count(limit, 'GPU')}, which takes two"
        yield "operators", what, "name two users or a group"


def undelivered(configuration: Configuration, unprinted: Callable[[], bool]) -> Iterator[Lack]:
    """Name what reports lack to go where they should; `unprinted` tells that no PDF can be."""
    wanted, kinds = configuration.report.deliver, {item.kind for item in configuration.notifiers}
    where = "report.deliver"
    if wanted is None:
        return
    if wanted.prints and unprinted():
        cure = f"{installing('pdf')}, or take pdf out"
        yield where, "asks for a PDF, and the extra that prints one is not installed", cure
    if wanted.slack_channel and "slack" not in kinds:
        yield f"{where}.slack_channel", "no Slack app", "add {kind: slack, …} to notifiers"
    if wanted.mail and "mail" not in kinds:
        yield f"{where}.mail", "no mail server", "add {kind: mail, …} to notifiers"
