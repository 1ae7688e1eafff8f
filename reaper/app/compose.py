"""From a configuration to rules and adapters; the only place that knows every adapter."""

import os
import sys
from collections.abc import Mapping
from zoneinfo import ZoneInfo

from reaper.activity import live
from reaper.activity.serving.pages import ServerPages
from reaper.app.parts import Adapters
from reaper.config import Configuration
from reaper.config.lacks import lacks
from reaper.cycle.rules import Price, Rules
from reaper.domain.facts.allocation import Allocation
from reaper.domain.facts.grid import NORMAL, Pace
from reaper.domain.prices.rates import RateCard, Subject
from reaper.edge.secrets import given_key, own_key
from reaper.notifiers import build as build_notifier
from reaper.people import build as build_people
from reaper.platforms import Platform, Surroundings, builder
from reaper.ports import Clock


def rules(configuration: Configuration, *, pace: Pace = NORMAL) -> Rules:
    """Return everything that decides."""
    missing = "; ".join(
        problem.what for problem in lacks(configuration, name=str(configuration.path or ""))
    )
    return Rules(
        cluster=configuration.cluster,
        policies=configuration.policies,
        exemptions=configuration.exemptions,
        limits=configuration.limits,
        bounds=configuration.bounds,
        pace=pace,
        price=priced(configuration.rates, configuration.cluster),
        currency=configuration.currency,
        zone=ZoneInfo,
        page=page(configuration) or f"http://{configuration.web.listen}/",
        lacking=missing if configuration.acts else "",
        kill_switch=configuration.kill_switch.exists,
        back={
            name: f"gpu-reaper resume-workload {name}/{{id}}"
            for name, _ in configuration.platforms
            if builder(name).resumes
        },
    )


def priced(card: RateCard, site: str) -> Price:
    """Return the function that prices an allocation's GPU-hour by the rate card."""

    def price(allocation: Allocation, now: float) -> float | None:
        device = allocation.devices[0] if allocation.devices else None
        subject = Subject(
            model=device.model if device else "",
            site=site,
            partition=allocation.claim.partition,
        )
        rate = card.price(subject, now)
        return None if rate is None else float(rate.amount)

    return price


def answer_key(configuration: Configuration) -> bytes:
    """Return the key that signs the right to answer; raise SecretError."""
    named = configuration.web.key
    return given_key(named) if named else own_key(configuration.state_dir / "answer.key")


def page(configuration: Configuration) -> str:
    """Return the address of the pages as people reach them, with its last slash, or ""."""
    address = configuration.web.address
    return f"{address.rstrip('/')}/" if address else ""


def platforms(
    configuration: Configuration,
    clock: Clock,
    environment: Mapping[str, str] = os.environ,
    *,
    pace: Pace = NORMAL,
) -> tuple[Platform, ...]:
    """Put every configured platform together."""
    around = Surroundings(
        cluster=configuration.cluster, clock=clock, environment=dict(environment), pace=pace
    )
    return tuple(
        builder(name).build(settings, around) for name, settings in configuration.platforms
    )


def adapters(configuration: Configuration, clock: Clock, *, pace: Pace = NORMAL) -> Adapters:
    """Build every adapter that the configuration names."""
    built = platforms(configuration, clock, pace=pace)
    return Adapters(
        activities=(live(configuration.activity, clock=clock, pace=pace),),
        closings=tuple(item.close for item in built),
        holders=tuple(item.holder for item in built if item.holder),
        fronts=tuple(item.fronting for item in built if item.fronting),
        demands=tuple(item.demand for item in built if item.demand),
        servings=tuple(ServerPages(item, clock=clock) for item in configuration.servers),
        actors={item.name: item.actor for item in built if item.actor},
        commands={item.name: item.command for item in built if item.command},
        recorded={item.name: item.recorded for item in built if item.recorded},
        people=tuple(build_people(item, clock=clock) for item in configuration.people),
        notifiers=tuple(
            notifier
            for settings in configuration.notifiers
            for notifier in build_notifier(settings, clock=clock, stream=sys.stdout)
        ),
    )
