"""Pages made to stop their reader, each under the size limit, served by a process of their own."""

import asyncio
import gzip
import sys
from collections.abc import Callable, Mapping
from itertools import count
from typing import Final

from aiohttp import web

LIMIT: Final = 8 * 1024**2

Make = Callable[[bytes], bytes]

_INFO: Final = (
    'gpunode_info{{gpu="GPU-{0}",index="{0}",minor="",pci_bus_id="",gres_index="",gres_source="",'
    'model="m",architecture="",mig_profile="",parent="",generation=""}} 1\n'
)
_SHARE: Final = 'gpunode_allocation_share{{gpu="GPU-{0}",platform="slurm",allocation="{0}@1"}} 1\n'
_SESSION: Final = (
    'gpunode_session_last_activity_timestamp_seconds{{platform="slurm",allocation="{0}@1",'
    'kind="shell",uid="1"}} 1\n'
)
_SERIES: Final = 'gpunode_sm_active_seconds_total{{gpu="GPU-{0}"}} 0\n'
_SIGNAL: Final = (
    'gpunode_signal_info{{gpu="GPU-{0}",signal="sm",source="none",state="lost",reason=""}} 1\n'
)
_TENANT: Final = (
    'gpunode_allocation_engine_active_seconds_total{{gpu="GPU-0",platform="slurm",'
    'allocation="{0}@1"}} 1\n'
)


def _filled(page: bytes, line: str, most: int = 10**9) -> bytes:
    """Append numbered lines to a page until it is nearly as large as a page may be."""
    room, lines = LIMIT - len(page) - 200, []
    for number in range(most):
        lines.append(line.format(number).encode())
        room -= len(lines[-1])
        if room < 0:
            break
    return page + b"".join(lines)


def _long(page: bytes, begin: bytes, piece: bytes, end: bytes) -> bytes:
    """Append one line that is as long as a page may be."""
    room = LIMIT - len(page) - len(begin) - len(end) - 200
    return page + begin + piece * (room // len(piece)) + end


_turn = count()


def _other(page: bytes) -> bytes:
    """Give another shape at every look, as many lines as are read."""
    return _filled(page, f'x{next(_turn)}{{{{gpu="GPU-{{0}}"}}}} 0\n', 19_000)


KINDS: Final[Mapping[str, Make]] = {
    "devices": lambda page: _filled(page, _INFO),
    "devices within the cap": lambda page: _filled(page, _INFO, 250),
    "shares": lambda page: _filled(page, _SHARE),
    "shares within the cap": lambda page: _filled(page, _SHARE, 2000),
    "tenants within the cap": lambda page: _filled(page, _TENANT, 2000),
    "sessions": lambda page: _filled(page, _SESSION, 19_000),
    "sessions within the cap": lambda page: _filled(page, _SESSION, 2000),
    "signals within the cap": lambda page: _filled(page, _SIGNAL, 4000),
    "series": lambda page: _filled(page, _SERIES),
    "series within the cap": lambda page: _filled(page, _SERIES, 19_000),
    "another shape at every look": _other,
    "empty lines": lambda page: _long(page, b"", b"\n", b"\n"),
    "one label": lambda page: _long(page, b'x{a="', b"A", b'"} 1\n'),
    "many labels": lambda page: _long(page, b"x{", b'a="1",', b"} 1\n"),
    "open quotes": lambda page: _long(page, b'x{a="', b'\\"', b"\n"),
    "quotes": lambda page: _long(page, b"x{", b'"', b"\n"),
    "spaces": lambda page: _long(page, b"x ", b" ", b"y z w\n"),
    "one number": lambda page: _long(page, b"x ", b"1", b"\n"),
    "comment": lambda page: _long(page, b"# ", b"a", b"\n"),
}


def _handler(make: Make, good: bytes) -> Callable[[web.Request], object]:
    async def answer(_: web.Request) -> web.Response:
        return web.Response(body=make(good), content_type="text/plain")

    return answer


async def main(good: bytes) -> None:
    """Serve every kind until standard input ends; the port is printed."""
    app = web.Application()
    for number, make in enumerate(KINDS.values()):
        for path in (f"/{number}", f"/{number}/people"):
            app.router.add_get(path, _handler(make, good))
    bomb = gzip.compress(good + b"# " + b"a" * 10**9 + b"\n", 9)

    async def bombed(_: web.Request) -> web.Response:
        return web.Response(body=bomb, headers={"Content-Encoding": "gzip"})

    app.router.add_get("/bomb", bombed)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    sys.stdout.write(f"{runner.addresses[0][1]}\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.buffer.read)
    await runner.cleanup()


if __name__ == "__main__":
    size = int(sys.stdin.buffer.readline())
    asyncio.run(main(sys.stdin.buffer.read(size)))
