"""Many scrapers at a time, each on a connection of its own, timed by one thread."""

import random
import re
import selectors
import socket
import time

_LENGTH = re.compile(rb"Content-Length: (\d+)\r\n", re.IGNORECASE)
_ASK = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Scraper:
    """One kept connection; `due` is when it asks next, `took` how long each answer took in ms."""

    def __init__(self, address: str):
        host, _, port = address.rpartition(":")
        self.socket = socket.create_connection((host, int(port)), timeout=30)
        self.due = 0.0
        self.took: list[float] = []
        self._asked = 0.0
        self._got = b""

    def ask(self):
        self._asked = time.perf_counter()
        self._got = b""
        self.socket.sendall(_ASK)

    def hear(self) -> bool:
        """Take what is there; say whether the answer is whole."""
        self._got += self.socket.recv(1 << 18)
        head, mark, body = self._got.partition(b"\r\n\r\n")
        if not mark or len(body) < int(_LENGTH.search(head + b"\r\n")[1]):
            return False
        self.took.append((time.perf_counter() - self._asked) * 1e3)
        return True


def crowd(address: str, count: int, seconds: float, *, spread: bool) -> list[float]:
    """Let each scrape once a second, at its own moment or all at one; return the milliseconds."""
    scrapers = [Scraper(address) for _ in range(count)]
    begun = time.perf_counter()
    chance = random.Random(7)
    for one in scrapers:
        one.due = begun + (chance.random() if spread else 0.5)
    with selectors.DefaultSelector() as waiting:
        while waiting.get_map() or min(one.due for one in scrapers) < begun + seconds:
            _turn(scrapers, waiting, begun + seconds)
    for one in scrapers:
        one.socket.close()
    return [took for one in scrapers for took in one.took]


def _turn(scrapers: list[Scraper], waiting: selectors.BaseSelector, end: float):
    now = time.perf_counter()
    for one in scrapers:
        if one.due <= now and one.due < end and one.socket not in waiting.get_map():
            waiting.register(one.socket, selectors.EVENT_READ, one)
            one.due += 1.0
            one.ask()
    patience = max(0.0, min(one.due for one in scrapers) - time.perf_counter())
    if not waiting.get_map():
        time.sleep(min(patience, 0.05))
        return
    for key, _ in waiting.select(min(patience, 0.05)):
        if key.data.hear():
            waiting.unregister(key.fileobj)
