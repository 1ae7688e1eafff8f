"""Paths that other services post to; who they are is proven by what they post, not by the page."""

from collections.abc import Awaitable, Callable

from aiohttp import web

from reaper.ports import Door


def entering(door: Door) -> Callable[[web.Request], Awaitable[web.Response]]:
    """Return what handles a post to a door."""

    async def enter(request: web.Request) -> web.Response:
        headers = {name.lower(): value for name, value in request.headers.items()}
        status, text = await door.enter(headers, await request.read())
        return web.Response(status=status, text=text)

    return enter
