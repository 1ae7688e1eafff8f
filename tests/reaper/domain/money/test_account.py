"""From books to figures: prices, witnesses, start-up, doubt, demand, and the edges of a span."""

from dataclasses import replace
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from reaper.domain.facts.allocation import Purpose
from reaper.domain.money.account import account
from reaper.domain.money.calendar import week_named
from reaper.domain.money.entries import CASE_CLOSED, DemandPoint, Event, Tenure
from reaper.domain.money.figures import Figures, Key
from reaper.domain.money.ledger import Accounts, Ledger, Terms, Whereabouts
from reaper.domain.money.waste import Waits
from reaper.domain.prices.rates import Rate, RateCard
from tests.books import HOUR, MINUTE, TEN, priced, room, run_of, tenure_of, track_of


def accounts(letters: str, *, terms: Terms | None = None, **given: object) -> Accounts:
    """The accounts of one device that plays the letters while one job holds it."""
    tenure = given.pop("tenure", tenure_of("1", "GPU-0", TEN, None))
    end = TEN + len(letters) * MINUTE
    ledger = Ledger(
        tenures=(tenure,), tracks={"GPU-0": track_of(TEN, letters)}, capacity=(room(1, TEN),)
    )
    return account(replace(ledger, **given), begin=TEN, end=end, terms=terms or Terms())


def figures(letters: str, **given: object) -> Figures:
    return accounts(letters, **given).total


def hours(seconds: float) -> float:
    return round(seconds / HOUR, 3)


def test_unpriced_is_listed_and_never_zero():
    found = figures("H" * 120)

    assert hours(found.wasted) == 2
    assert hours(found.unpriced) == 2
    assert found.costs.wasted.currencies == ()


def test_a_price_change_within_a_stretch_splits_its_cost_and_not_the_stretch():
    change = TEN + HOUR / 2
    rates = (
        Rate(amount=Decimal(2), currency="EUR", end=change),
        Rate(amount=Decimal(4), currency="EUR", begin=change),
    )
    found = figures("H" * 60, terms=Terms(rates=RateCard(rates=rates)))

    assert hours(found.wasted) == 1
    assert found.costs.wasted.of("EUR") == 3


def test_a_change_of_currency_keeps_two_sums():
    change = TEN + HOUR
    rates = (
        Rate(amount=Decimal(2), currency="EUR", end=change),
        Rate(amount=Decimal(3), currency="USD", begin=change),
    )
    found = figures("H" * 120, terms=Terms(rates=RateCard(rates=rates)))

    assert (found.costs.wasted.of("EUR"), found.costs.wasted.of("USD")) == (2, 3)


def test_a_price_that_ends_leaves_the_rest_unpriced():
    rates = (Rate(amount=Decimal(2), currency="EUR", end=TEN + HOUR),)
    found = figures("H" * 120, terms=Terms(rates=RateCard(rates=rates)))

    assert hours(found.unpriced) == 1
    assert found.costs.wasted.of("EUR") == 2


def test_rates_that_contradict_each_other_on_a_gpu_are_a_finding():
    rates = (
        Rate(amount=Decimal(2), currency="EUR", model="A*"),
        Rate(amount=Decimal(4), currency="EUR", model="*100"),
    )
    found = accounts("H" * 60, terms=Terms(rates=RateCard(rates=rates)))

    assert hours(found.total.unpriced) == 1
    assert [one.kind for one in found.findings] == ["two prices"]


def test_a_rate_may_depend_on_where_the_node_stands():
    rates = (Rate(amount=Decimal(2), currency="EUR", site="north", labels=("rack=a",)),)
    terms = Terms(rates=RateCard(rates=rates))
    places = (
        Whereabouts(nodes=("node1",), site="north", labels=("rack=a",)),
        Whereabouts(nodes=("node*",), site="south"),
    )

    assert figures("H" * 60, terms=terms, places=places).costs.wasted.of("EUR") == 2
    assert hours(figures("H" * 60, terms=terms).unpriced) == 1


@pytest.mark.parametrize(
    ("purpose", "wasted"), [(Purpose.INTERACTIVE, 0.75), (Purpose.TRAINING, 0)]
)
def test_the_threshold_is_that_of_the_purpose(purpose: Purpose, wasted: float):
    tenure = tenure_of("1", "GPU-0", TEN, None, purpose=purpose)

    assert hours(figures("H" * 45 + "A" * 15, tenure=tenure).wasted) == wasted


def test_low_is_never_waste():
    found = figures("L" * 60 + "X" * 60)

    assert (hours(found.low), hours(found.engine_only), found.high) == (2, 1, 0)


def test_a_mig_slice_counts_as_its_part_of_a_card():
    tenure = tenure_of("1", "GPU-0", TEN, None, share=3 / 7, size=3 / 7)
    found = figures(
        "H" * 70,
        tenure=tenure,
        capacity=(room(1, TEN, stranded=1 / 7),),
        terms=Terms(rates=priced("7")),
    )

    assert found.wasted == pytest.approx(70 * MINUTE * 3 / 7)
    assert found.stranded == pytest.approx(10 * MINUTE)
    assert found.unallocated == pytest.approx(30 * MINUTE)
    assert found.costs.wasted.of("EUR") == pytest.approx(Decimal("3.5"))


def test_startup_ends_with_the_first_active_minute_of_any_device():
    run = run_of("1", started=TEN)
    tenures = tuple(
        tenure_of("1", gpu, TEN, None, run=run, startup_until=None) for gpu in ("GPU-0", "GPU-1")
    )
    tracks = {"GPU-0": track_of(TEN, "H" * 60), "GPU-1": track_of(TEN, "HHHHHA" + "H" * 54)}
    found = account(
        Ledger(tenures=tenures, tracks=tracks), begin=TEN, end=TEN + HOUR, terms=Terms()
    )

    assert found.total.startup == 10 * MINUTE
    assert found.total.active == MINUTE


def test_startup_ends_after_twenty_minutes_at_the_latest():
    tenure = tenure_of("1", "GPU-0", TEN, None, startup_until=None)

    assert figures("H" * 60, tenure=tenure).startup == 20 * MINUTE


def test_a_run_begun_long_ago_has_no_startup():
    tenure = tenure_of("1", "GPU-0", TEN - 9 * HOUR, None, startup_until=None)

    assert figures("H" * 60, tenure=tenure).startup == 0


def test_a_doubtful_hold_is_unknown_and_perhaps_waste():
    tenure = tenure_of("1", "node1:3", TEN, None, doubt="index not proven")
    found = figures("H" * 60, tenure=tenure)

    assert (hours(found.unknown), found.wasted, hours(found.high)) == (1, 0, 1)
    assert found.coverage == 0


def test_waste_with_one_witness_stands_apart():
    weak = {"GPU-0": ((TEN, TEN + 5 * MINUTE),)}
    found = figures("H" * 60 + "A" + "H" * 60, one_witness=weak)

    assert (hours(found.one_witness), hours(found.wasted), hours(found.high)) == (1, 1, 2)
    assert found.pause == 0


def test_only_waste_after_a_release_was_possible_was_avoidable():
    events = (
        Event(at=TEN + HOUR, kind="would release", run_key="1+0"),
        Event(at=TEN + 3 * HOUR, kind=CASE_CLOSED, run_key="1+0"),
    )

    assert hours(figures("H" * 300, events=events).avoidable) == 2
    assert hours(figures("H" * 300, events=events[:1]).avoidable) == 4
    assert figures("H" * 300).avoidable == 0


def test_idleness_while_jobs_waited_is_told():
    first = int(TEN // MINUTE)
    demand = (DemandPoint(minute=first + 10, gpus=4), DemandPoint(minute=first + 11, gpus=0))

    assert figures("H" * 60, demand=demand).idle_while_waiting == MINUTE


def test_a_stretch_is_judged_whole_and_booked_where_it_lies():
    ledger = Ledger(
        tenures=(tenure_of("1", "GPU-0", TEN, None),),
        tracks={"GPU-0": track_of(TEN, "A" * 30 + "H" * 60 + "A" * 30)},
    )
    terms = Terms(waits=Waits(by_purpose={}, otherwise=HOUR))
    halves = [
        account(ledger, begin=begin, end=begin + HOUR, as_of=TEN + 2 * HOUR, terms=terms).total
        for begin in (TEN, TEN + HOUR)
    ]

    assert [hours(half.wasted) for half in halves] == [0.5, 0.5]


def test_what_is_not_known_yet_is_restated_later():
    ledger = Ledger(
        tenures=(tenure_of("1", "GPU-0", TEN, None),), tracks={"GPU-0": track_of(TEN, "H" * 90)}
    )
    early = account(ledger, begin=TEN, end=TEN + HOUR / 2, terms=Terms())
    late = account(ledger, begin=TEN, end=TEN + HOUR / 2, as_of=TEN + 1.5 * HOUR, terms=Terms())

    assert (hours(early.total.wasted), hours(late.total.wasted)) == (0, 0.5)


def test_figures_are_kept_by_owner_and_class():
    found = accounts("H" * 60)
    key = Key(
        cluster="alpha",
        owner="mira",
        team="vision",
        purpose="training",
        model="A100",
        partition="gpu",
    )

    assert hours(found.figures[key].wasted) == 1
    assert list(found.by("owner", "purpose")) == [("mira", "training")]


def test_runs_are_listed_with_the_most_wasteful_first():
    def job(number: int) -> Tenure:
        return tenure_of(str(number), f"GPU-{number}", TEN, TEN + HOUR * number)

    ledger = Ledger(
        tenures=tuple(job(number) for number in (1, 3, 2)),
        tracks={f"GPU-{number}": track_of(TEN, "H" * 180) for number in (1, 2, 3)},
    )
    found = account(ledger, begin=TEN, end=TEN + 4 * HOUR, terms=Terms())

    assert [run.run.id for run in found.runs] == ["3", "2", "1"]
    assert [hours(run.longest) for run in found.runs] == [3, 2, 1]
    assert [run.end for run in found.runs] == [TEN + n * HOUR for n in (3, 2, 1)]


@pytest.mark.parametrize(
    ("zone", "week", "length"),
    [
        ("Europe/Berlin", "2026-W13", 167),
        ("America/New_York", "2026-W44", 169),
        ("Australia/Lord_Howe", "2026-W40", 167.5),
    ],
)
def test_a_week_in_which_the_clocks_change_has_its_real_hours(zone: str, week: str, length: float):
    span = week_named(week, ZoneInfo(zone))
    ledger = Ledger(
        tenures=(tenure_of("1", "GPU-0", span.begin - HOUR, None),),
        tracks={"GPU-0": track_of(span.begin - HOUR, "A" * 60 * 171)},
        capacity=(room(2, span.begin - HOUR),),
    )
    found = account(ledger, begin=span.begin, end=span.end, terms=Terms()).total

    assert (hours(found.active), hours(found.unallocated)) == (length, length)
    assert hours(found.calendar) == 2 * length


def test_idleness_that_unseen_minutes_cut_short_is_told_apart_from_the_unseen():
    """Twenty minutes idle, one unseen, and so on: no stretch is long enough by itself."""
    found = figures(("H" * 20 + "?") * 6)

    assert found.wasted == 0
    assert found.joined == found.idle == 120 * MINUTE
    assert found.high == found.joined + found.unknown


def test_the_high_end_is_the_sum_of_what_it_is_made_of():
    found = figures("H" * 90 + "?" * 5 + "H" * 10 + "A" * 20 + "H" * 10 + "?" * 70 + "A" * 5)

    assert found.high == found.wasted + found.one_witness + found.joined + found.unknown
    assert found.joined == 20 * MINUTE


def test_a_pause_beside_work_joins_nothing():
    found = figures("H" * 20 + "A" + "H" * 20 + "?" + "A" * 60)

    assert (found.joined, found.high) == (0, 0)
