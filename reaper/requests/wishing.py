"""Keeps that were asked for on the platform's own objects: each is granted or refused once."""

from typing import Final

from reaper.ports import Wished
from reaper.requests.asking import event
from reaper.requests.finding import live
from reaper.requests.identity import AbsentError, Identity, RefusedError, UsedTokenError
from reaper.requests.owners import Owners

#: Kind of the event that a refused wish leaves.
NOT_KEPT: Final = "keep refused"


class Wishing(Owners):
    """The wishes that holders bring."""

    async def wish(self, wished: Wished, *, channel: str) -> str | None:
        """
        Keep a run as was asked on its platform; a wish that was answered before is left alone.

        Return what was said, "" to a wish that was answered before, None where nothing is known of
        its run yet: it may be brought again.
        """
        by = Identity(user=wished.by, channel=channel, token=f"wish {wished.id}", group=True)
        async with self._store.reading() as books:
            try:
                await live(books, wished.run_key)
            except AbsentError:
                return None
        try:
            granted = await self.keep(
                name=wished.run_key, seconds=wished.seconds, reason=wished.reason, by=by
            )
        except UsedTokenError:
            return ""
        except RefusedError as refused:
            return await self._refused(wished, by, str(refused))
        return granted.text

    async def _refused(self, wished: Wished, by: Identity, why: str) -> str:
        """Spend a wish that was refused: it is not granted when its budget has grown again."""
        now = self._clock.now()
        try:
            async with self._asked(by) as books:
                left = event(now, NOT_KEPT, by, f"{wished.reason}: {why}", run_key=wished.run_key)
                await books.append_events([left])
        except UsedTokenError:
            return ""
        return why
