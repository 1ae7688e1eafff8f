"""People who visit the pages: behind a proxy that names them, with cookies, sending real forms."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from html.parser import HTMLParser

import aiohttp

from reaper.domain.escalation.token import LASTS, Token, signed
from reaper.domain.facts.allocation import Run
from reaper.domain.judgement.policy import KeepRule, Mode
from reaper.domain.money.entries import Event, Tenure
from reaper.domain.picture import Row
from reaper.web.roles import Members, ProxySignIn, Roles
from tests.builders import case, policy
from tests.builders_picture import HOUR, MINUTE, NOW, busy, case_line, picture, row
from tests.served import KEY, Served, serving

ROLES = Roles(
    operators=Members(users=("otto",), groups=("hpc-admins",)), managers=Members(users=("vera",))
)
RULE = KeepRule(per_request=4 * HOUR, per_day=2, mornings_per_week=1)
POLICIES = (
    policy(name="notebooks", keep=RULE, mode=Mode.ACT),
    policy(name="quiet-training", keep=RULE, mode=Mode.ACT),
)


@dataclass
class Seen:
    """An answer as somebody sees it."""

    status: int
    text: str
    headers: dict[str, str]

    @property
    def word(self) -> str:
        """The sealed word of its first form."""
        found = re.search(r'name="form" value="([^"]+)"', self.text)
        return found.group(1) if found else ""


class Visit:
    """One browser of one person."""

    def __init__(self, served: Served, client: aiohttp.ClientSession, headers: dict[str, str]):
        self.client = client
        self.headers = headers
        self.origin = f"http://{served.web.address}"

    async def get(self, path: str, **headers: str) -> Seen:
        return await self._ask("GET", path, headers=headers)

    async def post(self, path: str, fields: object = None, **headers: str) -> Seen:
        return await self._ask("POST", path, data=fields or {}, headers=headers)

    async def send(self, page: str, action: str, **fields: str) -> Seen:
        """Send a form that stands on a page."""
        word = (await self.get(page)).word
        return await self.post(action, {"form": word, **fields})

    async def _ask(self, method: str, path: str, headers: dict[str, str], **given) -> Seen:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        async with self.client.request(
            method,
            f"{self.origin}{path}" if isinstance(path, str) else path,
            headers=[*self.headers.items(), *named.items()],
            allow_redirects=False,
            **given,
        ) as response:
            return Seen(response.status, await response.text(), dict(response.headers))


@asynccontextmanager
async def visiting(served: Served, user: str = "", **headers: str) -> AsyncIterator[Visit]:
    """Visit as whom the proxy names; "" for nobody."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if user:
        named["X-Forwarded-User"] = user
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(cookie_jar=jar) as client:
        yield Visit(served, client, named)


@asynccontextmanager
async def proxied(folder, **settings) -> AsyncIterator[Served]:
    """Serve mira's idle allocation and otto's busy one behind a proxy, both with their cases."""
    given = {"sign_in": ProxySignIn(), "roles": ROLES, "policies": POLICIES, **settings}
    rows = given.pop("rows", (MIRAS, OTTOS))
    async with serving(folder, picture(rows=rows), **given) as served:
        await book(served, *rows)
        yield served


MIRAS = row(owner="mira", case=case_line(id="case-1"))
OTTOS = busy(owner="otto", case=case_line(id="case-2", next_step="warning"), mode="act")


def run_of(line: Row) -> Run:
    return Run(
        cluster="sim", platform=line.platform, id=line.id, key=line.run_key, started=line.started
    )


async def book(served: Served, *rows: Row) -> None:
    """Write what the cycle would have written of allocations: tenures, and an open case each."""
    async with served.store.transaction(served.epoch) as books:
        for line in rows:
            run = run_of(line)
            held = Tenure(
                run=run, gpu=f"GPU-{line.id}", node="node01", begin=line.started, end=None,
                owner=line.owner, team=line.team, model=line.model,
            )  # fmt: skip
            await books.keep_tenures([held])
            began = Event(at=line.started, kind="run began", run_key=run.key, text=str(run))
            await books.append_events([began])
            if line.case:
                await books.keep_case(
                    case(
                        id=line.case.id,
                        run=run,
                        owner=line.owner,
                        policy=line.policy,
                        opened=NOW - 40 * MINUTE,
                        warned=(NOW - 40 * MINUTE,),
                        devices=line.gpus,
                    )
                )


async def rewritten(served: Served, **changes) -> None:
    """Write the picture anew, with changes to it."""
    async with served.store.transaction(served.epoch) as books:
        before = await books.picture()
        await books.keep_picture(replace(before, **changes))


def link(user: str = "mira", *, run_key: str = MIRAS.run_key, lasts: float = LASTS) -> str:
    """Return a signed link's path."""
    token = Token(notice_id="case-1/final/1", run_key=run_key, user=user, expires=NOW + lasts)
    return f"/answer/{signed(token, KEY)}"


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._off = 0

    def handle_starttag(self, tag, attrs):
        self._off += tag in ("style", "script")

    def handle_endtag(self, tag):
        self._off -= tag in ("style", "script")

    def handle_data(self, data):
        if not self._off:
            self.words += data.split()


def words(text: str) -> str:
    """Return what a page says, on one line."""
    parser = _Words()
    parser.feed(text)
    return " ".join(parser.words)
