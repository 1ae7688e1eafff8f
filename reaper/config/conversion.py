"""From what an operator wrote to what the core decides with."""

import json
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from hashlib import sha256
from zoneinfo import ZoneInfo

from reaper.config.policy_settings import (
    ExemptionSettings,
    HoursSettings,
    KeepSettings,
    MatchSettings,
    PolicySettings,
    RungSettings,
)
from reaper.config.rate_file import instant
from reaper.domain.facts import thresholds
from reaper.domain.judgement.policy import Exemption, Hours, KeepRule, Match, Policy, Rung, Save


def policy(settings: PolicySettings, hours: Hours) -> Policy:
    """Return a policy with its version; `hours` are those of policies without their own."""
    own = settings.when.hours
    made = Policy(
        name=settings.name,
        version="",
        match=match(settings.match),
        idle_for=settings.idle.window,
        away_for=settings.idle.human_away,
        counting=tuple(sorted(set(settings.idle.counting))),
        presence_unknown=settings.idle.presence_unknown,
        demand=settings.when.demand,
        team_held_over=settings.when.team_held_over,
        team_idle_over=settings.when.team_idle_over,
        also=settings.idle.also,
        rungs=tuple(_rung(rung) for rung in settings.rungs),
        keep=_keep(settings.keep),
        notices_per_day=settings.notices.per_day,
        mode=settings.mode,
        hours=working_hours(own, hours.zone) if own else hours,
        any_hour=settings.when.any_hour,
    )
    return replace(made, version=version(made))


def version(made: Policy) -> str:
    """
    Return the digest of all that decides when and to whom something happens.

    The mode is left out, so that the days observed count for acting, and the name decides
    nothing.  The thresholds belong to it: they say what idle is.
    """
    decides = {**asdict(made), "thresholds": asdict(thresholds.DEFAULT)}
    for key in ("name", "mode", "version"):
        decides.pop(key)
    return sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()[:12]


def match(settings: MatchSettings) -> Match:
    """Return whom a policy or an exemption is for."""
    return Match(
        platform=settings.platform,
        cluster=settings.cluster,
        partition=settings.partition,
        qos=settings.qos,
        account=settings.account,
        team=settings.team,
        user=settings.user,
        purpose=settings.purpose,
        model=settings.model,
        name=settings.name,
        namespace=settings.namespace,
        label=settings.label,
        session=settings.session,
        older_than=settings.older_than or 0.0,
        requeueable=settings.requeueable,
        devices_at_least=settings.devices.at_least,
        devices_at_most=settings.devices.at_most,
    )


def exemption(settings: ExemptionSettings, zone: str) -> Exemption:
    """Return an exemption; a day without a time is meant to its end."""
    until = None if settings.until is None else _end(settings.until, ZoneInfo(zone))
    return Exemption(match=match(settings.match), reason=settings.reason, until=until)


def working_hours(settings: HoursSettings, zone: str) -> Hours:
    """Return working hours; `zone` holds where they name none."""
    return Hours(
        zone=settings.zone or zone,
        weekdays=settings.weekdays,
        begin=settings.begin,
        end=settings.end,
        holidays=tuple(day.isoformat() for day in settings.holidays),
    )


def _rung(settings: RungSettings) -> Rung:
    if settings.warn:
        return Rung(step="warn", after=settings.warn.after, final=settings.warn.final)
    if settings.save:
        return Rung(
            step="save",
            grace=settings.save.grace or 0.0,
            save=Save(
                signal="" if settings.save.send == "auto" else settings.save.send,
                path=settings.save.proof.path,
                within=settings.save.proof.within,
                to=settings.save.to,
                unproven=settings.save.proof.unproven,
            ),
        )
    assert settings.release is not None  # noqa: S101 - a rung has exactly one step
    return Rung(
        step="release", grace=settings.release.grace or 0.0, requeue=settings.release.requeue
    )


def _keep(settings: KeepSettings) -> KeepRule:
    return KeepRule(
        per_request=settings.per_request,
        per_day=settings.per_day,
        mornings_per_week=settings.until_next_morning,
    )


def _end(text: str, zone: ZoneInfo) -> float:
    if ":" in text:
        return instant(text, zone)
    following = datetime.fromisoformat(text).date() + timedelta(days=1)
    return instant(following.isoformat(), zone)
