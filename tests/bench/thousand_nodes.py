"""
A thousand exporters in one cheap process on loopback, for the scrape benchmark.

Reads one line of JSON (`pages`: variants in base64, `nodes`: how many, and the marks `name`, `gpu`
and `stamp` that differ from node to node), writes one line with the ports, and ends when its
input closes or after two minutes.
"""

import asyncio
import base64
import json
import resource
import sys
import time

LONGEST = 120.0


class Exporter(asyncio.Protocol):
    """Answers every request with the next variant of its node's page."""

    def __init__(self, node: int, order: dict) -> None:
        number = f"{node:04}"
        marks = {order["name"]: f"gpu{number}", order["gpu"]: f"GPU-{number}"}
        self.marks = [(mark.encode(), text.encode()) for mark, text in marks.items()]
        self.stamp = order["stamp"].encode()
        self.pages = [base64.b64decode(text) for text in order["pages"]]
        self.turn = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, received: bytes) -> None:
        if b"/people" in received:
            self.transport.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            return
        self.turn += 1
        page = self.pages[self.turn % len(self.pages)]
        for mark, text in (*self.marks, (self.stamp, b"%.1f" % time.time())):
            page = page.replace(mark, text)
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n"
        self.transport.write(head % len(page) + page)


async def main() -> None:
    order = json.loads(sys.stdin.readline())
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, most), most))
    loop = asyncio.get_running_loop()
    servers = [
        await loop.create_server(lambda node=node: Exporter(node, order), "127.0.0.1", 0)
        for node in range(order["nodes"])
    ]
    print(json.dumps([server.sockets[0].getsockname()[1] for server in servers]), flush=True)
    closed = loop.run_in_executor(None, sys.stdin.read)
    await asyncio.wait([asyncio.ensure_future(closed)], timeout=LONGEST)


asyncio.run(main())
