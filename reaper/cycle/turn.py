"""The cycle itself: one turn after another, each in one transaction."""

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from reaper.board import Board, Tally
from reaper.cycle.aside import aside
from reaper.cycle.decided import Decided
from reaper.cycle.evaluation.deafness import ears
from reaper.cycle.evaluation.escalating import escalate
from reaper.cycle.memory import Memory
from reaper.cycle.reckoning import Reckoning
from reaper.cycle.rules import Rules
from reaper.cycle.standing import standing
from reaper.cycle.writing import write
from reaper.domain.picture import Picture
from reaper.ports import Books, Clock, Store

_log = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class Cycle:
    """Turns the board's answers into cases, notices and intents, minute by minute."""

    rules: Rules
    board: Board
    store: Store
    clock: Clock
    epoch: int
    jumps: bool = False
    """The clock leaps over minutes in which nothing happens: a long step is no silence of ours."""
    memory: Memory | None = None
    turned: tuple[float, float] | None = None
    """Unix and monotonic seconds of the newest turn that was written."""
    tally: Tally = field(default_factory=Tally)
    """Counts of the performers, shared with them; a turn takes them into the totals."""
    onlooker: Callable[[Decided], None] | None = None
    """Is shown what each turn decided, once that is written: whoever plays the past."""

    async def turn(self) -> str:
        """
        Take one turn and return its sentence.

        A turn that fails leaves nothing behind, neither in the store nor in memory.
        """
        began = self.clock.elapsed()
        try:
            sentence = await self._turn(self.clock.now(), self.clock.elapsed())
        except BaseException:
            self.tally.add("cycles:failed")
            raise
        self.tally.seconds += self.clock.elapsed() - began
        return sentence

    async def _turn(self, now: float, elapsed: float) -> str:
        tally = Tally(Counter(self.tally.counts), self.tally.seconds)
        if self.memory is None:
            self.memory = await self._load(now)
        memory, self.memory = self.memory, None
        reckoning = Reckoning(
            rules=self.rules,
            board=self.board.still(),
            memory=memory,
            tally=tally,
            epoch=self.epoch,
            jumps=self.jumps,
            now=now,
            elapsed=elapsed,
        )
        async with self.store.transaction(self.epoch) as books:
            decided = await self._decide(books, reckoning)
            plan = decided.plan
            await write(books, plan, now)
        await aside(reckoning.size, decided.remember, memory, self.rules)
        self._watch(plan.picture)
        if self.onlooker is not None:
            self.onlooker(decided)
        memory.last_turn = self.turned = (now, elapsed)
        self.memory = memory
        self.tally.taken(tally.counts, tally.seconds)
        _log.info("%s", plan.picture.sentence)
        return plan.picture.sentence

    def _watch(self, picture: Picture) -> None:
        """Say of which nodes and owners the observers must know more."""
        cases = [row for row in picture.rows if row.case is not None]
        self.board.watched = frozenset(node for row in cases for node in row.nodes)
        self.board.owners = frozenset(row.owner for row in cases if row.owner)

    async def rest(self) -> None:
        """Write what the next start goes on from: every device as it was seen last."""
        if self.memory is not None:
            async with self.store.transaction(self.epoch) as books:
                await books.keep_records(tuple(self.memory.records.values()))

    async def _load(self, now: float) -> Memory:
        async with self.store.reading() as books:
            return await Memory.load(books, now=now, pace=self.rules.pace)

    async def _decide(self, books: Books, reckoning: Reckoning) -> Decided:
        """Reckon beside the loop, and read the books in between."""
        size, now, board = reckoning.size, reckoning.now, reckoning.board
        sight = await aside(size, reckoning.see)
        stands = await standing(books, self.rules, now=now, jumps=self.jumps, ears=ears(board))
        judged = await aside(size, reckoning.decide, sight, stands)
        await escalate(books, judged.decisions, self.rules, now)
        return await aside(size, reckoning.draw_up, sight, judged)
