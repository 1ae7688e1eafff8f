"""The minutes of a save are its own; blindness is nobody's."""

import pytest

from reaper.cycle.evaluation.saved import as_before, host_without_save, of_save, without_save
from reaper.domain.escalation.case import Case, Saving
from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.host import Host
from reaper.domain.facts.track import Track
from tests.builders import MINUTE, START, allocation, case

FIRST = int(START / MINUTE)
"""The minute in which the request falls."""


def asked(**more: object) -> Case:
    """Return a case that asked in the minute after START and had its proof two minutes later."""
    known = {"asked": START + 30, "proven": START + 150}
    return case(saving=Saving(requeueable=True, **(known | more)))


def judged(letters: str, holding: Case) -> str:
    """Return a track that begins two minutes before the request, as it is judged."""
    return without_save(Track(start=FIRST - 2, letters=letters), holding, NORMAL).letters


@pytest.mark.parametrize(
    ("letters", "meant"),
    [("HHAAAH", "HHHHHH"), ("HHLXHA", "HHHHHA"), ("AAHHHH", "AAHHHH"), ("HHA?!H", "HHH?!H")],
    ids=["work", "low, engine, and work after it", "work before it", "blindness stays"],
)
def test_work_in_the_minutes_of_a_proven_save_is_the_saves_own(letters: str, meant: str) -> None:
    """Before and after it everything is the run's."""
    assert judged(letters, asked()) == meant


@pytest.mark.parametrize("more", [{"proven": None}, {"lapsed": START + 900}])
def test_a_save_that_is_not_proven_or_has_lapsed_hides_nothing(more: dict[str, float]) -> None:
    """Then work is work."""
    assert judged("HHAAAH", asked(**more)) == "HHAAAH"


def test_a_host_that_writes_while_it_saves_is_quiet_for_the_verdict() -> None:
    """Writing a checkpoint is no work of the run's."""
    host = Host(track=Track(start=FIRST - 2, letters="QQBBBB"))

    kept = host_without_save(host, asked(), NORMAL)

    assert kept is not None
    assert kept.track.letters == "QQQQQB"
    assert host_without_save(None, asked(), NORMAL) is None


def test_active_minutes_of_a_save_are_not_counted_while_it_lasts() -> None:
    """From the request on, to the proof."""
    waiting = asked(proven=None)

    assert [of_save(FIRST + n, asked(), NORMAL) for n in range(-1, 4)] == [
        False,
        True,
        True,
        True,
        False,
    ]
    assert of_save(FIRST + 99, waiting, NORMAL)
    assert not of_save(FIRST, case(), NORMAL)


@pytest.mark.parametrize(
    ("holding", "later", "flag"),
    [
        (asked(), 0.0, True),
        (asked(lapsed=START), NORMAL.fresh, True),
        (asked(lapsed=START), NORMAL.fresh + 1, False),
        (case(), 0.0, False),
    ],
    ids=["saving", "just given up", "given up long ago", "never saved"],
)
def test_a_flag_that_the_save_has_switched_off_is_still_the_owners(
    holding: Case, later: float, *, flag: bool
) -> None:
    """A policy for jobs that may be requeued goes on to match."""
    now = allocation(requeueable=False)

    assert as_before(now, holding, START + later, NORMAL).claim.requeueable is flag
