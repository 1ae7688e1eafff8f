"""What was decided on a captured allocation, as what its scenario expects."""

from collections.abc import Iterator
from typing import Final

from exporter.contract.expectation import STEPS
from reaper.app.rescaling import Rescaled
from reaper.questions import Explanation

_WORDS: Final = {kind: word for word, kind in STEPS.items()}

#: Steps that a scenario expects; who began and ended when is drawn.
_LEFT_OUT: Final = frozenset(("began", "ended", "advice", "refused"))

#: Rules that hold a case by what is drawn.
_DRAWN: Final = frozenset(
    ("keep", "dispute", "delivery", "evidence", "verdict", "window", "presence", "hours", "demand")
)


def expected_lines(explanation: Explanation, times: Rescaled) -> Iterator[str]:
    """Yield the steps, and the verdict at the end with what held the case then."""
    steps = [
        f'"{_WORDS[event.kind]}@{times.offset(event.at)}"'
        for event in explanation.events
        if event.kind in _WORDS and _WORDS[event.kind] not in _LEFT_OUT and event.at >= times.origin
    ]
    yield ""
    yield "[expect]"
    yield f'"1" = [{", ".join(steps)}]'
    row = explanation.row
    if row is None:
        return
    rules = [text.partition(":")[0] for text in (row.case.held_by if row.case else ())]
    held = next((f', held = "{rule}"' for rule in rules if rule in _DRAWN), "")
    yield f'"1@{times.length}" = {{ verdict = "{row.verdict}"{held} }}'
