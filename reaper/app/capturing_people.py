"""What is known of people, hosts and requests of a captured allocation, as keys of a scenario."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from reaper.app.rescaling import Rescaled
from reaper.domain.facts.host import AT_WORK
from reaper.domain.facts.serving import REQUEST
from reaper.domain.facts.sign import EARLIER
from reaper.domain.facts.track import whole
from reaper.domain.money.entries import Event
from reaper.domain.picture import Row, SignLine
from reaper.questions import Explanation

#: Who is proven away is drawn with this kind where the real one is not kept, and who is not with
#: the other.
_PROVEN = "shell"
_UNPROVEN = "vscode"

#: What tells of an input and is no person.
_NOBODY = "keeper"

#: What reasons say where a host worked, and where a server rests.
_HOST_WORKED = "its host worked"
_NO_REQUEST = "no request for"


def session_lines(explanation: Explanation, times: Rescaled) -> Iterator[str]:
    """Yield the sessions: those that the picture shows, or what events tell of an ended one."""
    told = [event.numbers for event in explanation.events if "away" in event.numbers]
    inputs = sorted({numbers["last_input"] for numbers in told if "last_input" in numbers})
    row = explanation.row
    if row is not None:
        signs = [_sign(sign, inputs if sign is row.signs[0] else [], times) for sign in row.signs]
        yield f"sessions = [{', '.join(signs)}]"
    elif told and inputs:
        kind = _PROVEN if told[-1]["away"] else _UNPROVEN
        yield f'sessions = [{{ kind = "{kind}", inputs = [{_moments(inputs, times)}] }}]'


def _sign(sign: SignLine, inputs: Sequence[float], times: Rescaled) -> str:
    moments = sorted({*inputs, *([] if sign.last_seen is None else [sign.last_seen])})
    kind = _NOBODY if sign.kind == EARLIER else sign.kind
    said = [f'kind = "{kind}"', f"inputs = [{_moments(moments, times)}]"]
    if sign.state in ("busy", "unreachable"):
        said.append(f'{sign.state} = ["0s.."]')
    return f"{{ {', '.join(said)} }}"


def _moments(moments: Sequence[float], times: Rescaled) -> str:
    return ", ".join(f'"{times.offset(at)}"' for at in moments)


def host_lines(row: Row | None, events: Sequence[Event], times: Rescaled) -> Iterator[str]:
    """Yield when its host worked; what it did before what is kept, it did before that, too."""
    if row is not None and row.host:
        spans = _spans(row.host, AT_WORK, times)
        yield f"host_works = [{', '.join(spans)}]"
    elif row is None and any(_HOST_WORKED in event.text for event in events):
        yield 'host_works = ["0s.."]'


def served_lines(row: Row | None, events: Sequence[Event], times: Rescaled) -> Iterator[str]:
    """Yield when it answered requests: what is kept is how long it has not."""
    if row is not None and (row.served or row.requests):
        rests = len(whole(row.served).lstrip(REQUEST))
        yield from _served(times.end - rests * times.pace.step, times)
        return
    rested = [event for event in events if _NO_REQUEST in event.text]
    if rested:
        yield from _served(rested[0].at - rested[0].numbers.get("idle_seconds", 0.0), times)


def _served(until: float, times: Rescaled) -> Iterator[str]:
    served = f'"0s..{times.offset(until)}"' if until > times.origin else ""
    yield f"serves = [{served}]"


def _spans(drawn: str, letter: str, times: Rescaled) -> Iterator[str]:
    letters = whole(drawn)
    minutes = round((times.end - times.origin) / times.pace.step)
    letters = (letters[0] * (minutes - len(letters)) + letters)[-minutes:]
    at = times.origin
    for played, group in groupby(letters):
        begin, at = at, at + sum(1 for _ in group) * times.pace.step
        if played == letter:
            yield f'"{times.offset(begin)}..{times.offset(at)}"'
