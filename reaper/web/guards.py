"""What stands before every handler: errors in a sentence, headers, names of this machine."""

import logging
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from reaper.ports import ReaperError
from reaper.web.access.visitor import visitor
from reaper.web.json_api.answers import problem
from reaper.web.json_api.statuses import status_of, tellable

_log = logging.getLogger(__name__)

#: The least status of what is no fault of who asks.
_OURS: Final = 500

_HEADERS: Final = {
    "Server": "gpu-reaper",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}

#: For how long browsers ask this host by https alone, once it served https itself: a month.
_HTTPS_ONLY: Final = "max-age=2592000"


@web.middleware
async def plain(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Say every error of ours in one sentence, and let nobody keep an answer."""
    try:
        response = await handler(request)
    except ReaperError as error:
        if status_of(error) >= _OURS and visitor(request).known:
            _log.error("%s: %s", request.path, error)
        response = problem(status_of(error), str(tellable(error, visitor(request))))
    except web.HTTPException as error:
        response = problem(error.status, error.reason)
        if "Allow" in error.headers:
            response.headers["Allow"] = error.headers["Allow"]
    response.headers.update(_HEADERS)
    if request.secure:
        response.headers["Strict-Transport-Security"] = _HTTPS_ONLY
    return response


def known_hosts(names: frozenset[str], free: frozenset[str] = frozenset()) -> Middleware:
    """
    Return what answers only to names of this machine, and of the proxy before it.

    The paths `free` answer to any: probes and scrapers ask by whatever address they find.
    """

    @web.middleware
    async def known(request: web.Request, handler: Handler) -> web.StreamResponse:
        host = _host(request)
        if host in names or _is_this_machine(host) or request.path in free:
            return await handler(request)
        return problem(421, "not a name of this machine: ask localhost, or set `web.hosts`")

    return known


def _host(request: web.Request) -> str:
    try:
        return urlsplit(f"//{request.host}").hostname or ""
    except ValueError:
        return ""


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
