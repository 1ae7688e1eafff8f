"""What is left when the story is over: frozen, by job, for tests to look at."""

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reaper.domain.escalation.case import Case
from reaper.domain.escalation.decision import Hold, Intent, Phase
from reaper.domain.escalation.keep import Keep
from reaper.domain.escalation.notice import Notice
from reaper.domain.facts.share import Confirmation
from reaper.domain.money.entries import Event
from reaper.domain.picture import Picture
from reaper.ports import Books
from tests.real.e2e.commands import Call
from tests.real.e2e.jobs import Jobs

LATER = 1e12


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """The store at one moment."""

    events: Sequence[Event]
    cases: Sequence[Case]
    intents: Sequence[Intent]
    notices: Sequence[Notice]
    holds: Sequence[Hold]
    keeps: Sequence[Keep]
    outbox: Sequence[Notice]
    proven: frozenset[Confirmation]
    picture: Picture | None

    def worked(self, job: str) -> bool:
        """Tell whether a job was seen at work for a few minutes of the grid."""
        rows = self.picture.rows if self.picture else ()
        return any("AAA" in item.letters for row in rows if row.id == job for item in row.devices)

    def cases_of(self, job: str) -> list[Case]:
        """Return the cases of all runs of a job, oldest first."""
        return [case for case in self.cases if case.run.id == job]

    def intents_of(self, job: str) -> list[Intent]:
        return [intent for intent in self.intents if intent.effect.run.id == job]

    def phases(self, job: str) -> list[Phase]:
        return [intent.phase for intent in self.intents_of(job)]

    def notice(self, case: Case, kind: str) -> Notice:
        """Return the notice of a kind about a case, of its newest round."""
        found = [item for item in self.notices if (item.case_id, item.kind) == (case.id, kind)]
        return max(found, key=lambda item: item.round)

    def told(self, job: str) -> bool:
        """Tell whether a job's owner has its final warning."""
        cases = {case.id for case in self.cases_of(job)}
        return any(item.kind == "final" and item.counts for item in self.notices_of(cases))

    def notices_of(self, cases: set[str]) -> list[Notice]:
        return [item for item in self.notices if item.case_id in cases]

    def ids(self, kind: str) -> list[str]:
        """Return the jobs that events of a kind are about, each as often as it happened."""
        names = {case.run.key: case.run.id for case in self.cases}
        return sorted(names[event.run_key] for event in self.events if event.kind == kind)


async def look(books: Books) -> Seen:
    """Read everything that tests ask about."""
    cases = sorted(await books.cases_between(0, LATER), key=lambda case: case.opened)
    return Seen(
        events=await books.events(),
        cases=cases,
        intents=await books.intents_since(0),
        notices=[notice for case in cases for notice in await books.notices(case.id)],
        holds=await books.holds(),
        keeps=await books.keeps(0),
        outbox=await books.outbox(),
        proven=await books.confirmations(),
        picture=await books.picture(),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A message as the workspace took it, at its own time (Unix seconds)."""

    at: float
    channel: str
    text: str

    def about(self, job: str) -> bool:
        return f"slurm/{job} " in self.text

    @property
    def kind(self) -> str:
        starts = {"Your GPU has": "warning", "Last notice": "final", "Your GPU was": "released"}
        return next(kind for start, kind in starts.items() if self.text.startswith(start))


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A run of a job in Slurm's accounting."""

    job: str
    state: str
    end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """The observe phase: what was written, and what was touched."""

    jobs: Jobs
    seen: Seen
    posts: Sequence[Post]
    calls: Sequence[Call]
    states: Mapping[str, str]
    answers: Mapping[str, subprocess.CompletedProcess[str]]
    status: int
    """How the reaper ended when it was asked to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted:
    """The act phase, from the first warning to the last verification."""

    jobs: Jobs
    seen: Seen
    posts: Sequence[Post]
    calls: Sequence[Call]
    accounts: Sequence[Account]
    report: Any
    kills: int
    """How often the reaper was killed from outside, beside by its own commands."""
    starts: Sequence[float]
    status: int

    def states(self, job: str) -> list[str]:
        """Return how every run of a job ended."""
        return [item.state for item in self.accounts if item.job == job]

    def posts_about(self, job: str) -> list[Post]:
        return [post for post in self.posts if post.about(job)]

    def calls_to(self, job: str) -> list[Call]:
        return [call for call in self.calls if call.job == job]
