"""How many samples a second are parsed on one core, beside prometheus_client, in one run."""

from time import process_time

from prometheus_client.parser import text_string_to_metric_families

from reaper.activity.exporters.page import PageReader
from reaper.activity.exposition import Exposition
from tests.bench.drawn_pages import pages

WANTED = 1_000_000
ROUNDS = 40


async def test_samples_a_second():
    drawn = await pages(20)
    samples = len(Exposition().parse(drawn[0]).values)
    print(f"\n{samples} samples and {len(drawn[0]):,} bytes a page of 8 GPUs; wanted: {WANTED:,}/s")
    known = known_pages(drawn, samples)
    say("a page of known shape", known)
    say("the same, and what it means", understood_pages(drawn, samples))
    say("a page with one series more or less", changed_pages(drawn, samples))
    say("a page never seen", first_pages(drawn, samples))
    peer = peer_pages(drawn[:4], samples)
    say("prometheus_client, any page", peer)
    print(f"{known / peer:.0f} times the peer")


def say(what: str, rate: float) -> None:
    print(f"{what:<40}{rate:>12,.0f} samples/s")


def known_pages(drawn: list[bytes], samples: int) -> float:
    reader = Exposition()
    reader.parse(drawn[0])
    began = process_time()
    for _ in range(ROUNDS):
        for page in drawn:
            reader.parse(page)
    return ROUNDS * len(drawn) * samples / (process_time() - began)


def understood_pages(drawn: list[bytes], samples: int) -> float:
    reader, meaning = Exposition(), PageReader()
    meaning.read(reader.parse(drawn[0]))
    began = process_time()
    for _ in range(ROUNDS):
        for page in drawn:
            meaning.read(reader.parse(page))
    return ROUNDS * len(drawn) * samples / (process_time() - began)


def changed_pages(drawn: list[bytes], samples: int) -> float:
    reader = Exposition()
    pairs = [page + b"more 1\n" if number % 2 else page for number, page in enumerate(drawn)]
    reader.parse(drawn[0])
    began = process_time()
    for page in pairs:
        reader.parse(page)
    return len(pairs) * samples / (process_time() - began)


def first_pages(drawn: list[bytes], samples: int) -> float:
    began = process_time()
    for page in drawn:
        Exposition().parse(page)
    return len(drawn) * samples / (process_time() - began)


def peer_pages(drawn: list[bytes], samples: int) -> float:
    began = process_time()
    for page in drawn:
        text = page.decode()
        assert (
            sum(len(family.samples) for family in text_string_to_metric_families(text)) == samples
        )
    return len(drawn) * samples / (process_time() - began)
