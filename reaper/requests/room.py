"""The room of all requests."""

from dataclasses import replace

from reaper.requests.identity import Identity
from reaper.requests.operators import Operators
from reaper.requests.wishing import Wishing


class Requests(Wishing, Operators):
    """The requests of people, each in one transaction."""

    async def sign_out(self, *, session: str, by: Identity) -> None:
        """End a sign-in for good, on every copy of what it is remembered by; no event is left."""
        async with self._asked(replace(by, token="")) as books:
            await books.use_token(session, by=by.user, at=self._clock.now())
