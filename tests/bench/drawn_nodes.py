"""
The nodes of a drawn cluster as exporters on loopback, in a process of its own.

Reads one line of JSON (`gpus`) and writes one with the ports, a node each.  For every time in Unix
seconds that it reads it draws the nodes' pages and writes the time.  Ends with its input.
"""

import asyncio
import json
import resource
import sys

from tests.bench.whole_cluster import DrawnCluster
from tests.builders import START
from tests.pages import people

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: %d\r\n\r\n"


class Exporter(asyncio.Protocol):
    """Answers every request with its node's newest page."""

    def __init__(self, number: int, pages: list[tuple[bytes, bytes]]) -> None:
        self.number, self.pages = number, pages

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, received: bytes) -> None:
        page = self.pages[self.number][b"/people" in received]
        self.transport.write(HEAD % len(page) + page)


async def main() -> None:
    cluster = DrawnCluster(json.loads(sys.stdin.readline())["gpus"])
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, most), most))
    pages: list[tuple[bytes, bytes]] = []
    draw(cluster, pages, START)
    loop = asyncio.get_running_loop()
    servers = [
        await loop.create_server(lambda number=number: Exporter(number, pages), "127.0.0.1", 0)
        for number in range(len(cluster.nodes))
    ]
    print(json.dumps([server.sockets[0].getsockname()[1] for server in servers]), flush=True)
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        draw(cluster, pages, float(line))
        print(line.strip(), flush=True)


def draw(cluster: DrawnCluster, pages: list[tuple[bytes, bytes]], at: float) -> None:
    """Draw the pages of all nodes at a time."""
    pages[:] = [(node.page(at), people(node.report(at))) for node in cluster.nodes]


if __name__ == "__main__":
    asyncio.run(main())
