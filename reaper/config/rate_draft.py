"""A draft of a rate file from a catalogue's quotes: text that loads, to be read and corrected."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from reaper.config.model_names import patterns
from reaper.domain.buying.offers import Quote

SPOT = "purchase=spot"
"""The label of nodes that are bought on the spot market; `report.places` gives it to them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a draft comes from; it stands at the head of the file."""

    provider: str
    region: str
    version: str
    site: str = ""


def draft(quotes: Sequence[Quote], origin: Origin, unread: Iterable[str] = ()) -> str:
    """Return the text of a rate file; what has no rule is listed in it."""
    known = [quote for quote in quotes if patterns(quote.model, quote.memory)]
    lines = [
        *_head(origin),
        "rates:" if known else "rates: []",
        *(line for quote in known for line in _rules(quote, origin)),
        *_nameless(quote for quote in quotes if quote not in known),
        *(f"# not read: {one}" for one in unread),
        *_example(),
    ]
    return "\n".join(lines) + "\n"


def _head(origin: Origin) -> Iterator[str]:
    yield f"# Draft from gpuhunt's catalogue of {origin.provider}, region {origin.region}, version"
    yield f"# {origin.version}. List prices, without any discount; the price of the cheapest"
    yield "# instance divided by its GPUs, so processors, memory and network are in it."
    yield "# Look at every line: which models have you, what do you really pay, from when?"
    yield "# A MIG instance costs its compute slices' share of its card."


def _rules(quote: Quote, origin: Origin) -> Iterator[str]:
    for pattern in patterns(quote.model, quote.memory):
        keys = [f"model: {_quoted(pattern)}", f"per_hour: {quote.per_gpu:f}", "currency: USD"]
        keys.append(f"kind: {'spot' if quote.spot else 'on-demand'}")
        keys += [f"site: {_quoted(origin.site)}"] if origin.site else []
        keys += [f"labels: [{SPOT}]"] if quote.spot else []
        yield f"  - {keys[0]}"
        yield from (f"    {key}" for key in keys[1:])
        yield f"    note: {_quoted(f'{origin.provider} {origin.region}: {quote.arithmetic()}')}"


def _nameless(quotes: Iterable[Quote]) -> Iterator[str]:
    for quote in quotes:
        memory = f" {quote.memory:f} GiB" if quote.memory else ""
        kind = "spot" if quote.spot else "on-demand"
        price = f"{quote.per_gpu:f} USD {kind}"
        yield f"# no rule, NVML's name is not known: {quote.model}{memory}, {price}"


def _example() -> Iterator[str]:
    yield ""
    yield "# GPUs of your own have a price too; this is how it is worked out:"
    yield "#  - model: 'NVIDIA A100*'"
    yield "#    owned: {gpus: 8, purchase: 120000, residual: 10000, years: 5, power_kw: 4.2,"
    yield "#      cooling: 1.3, per_kwh: 0.22, people_per_year: 6000}"


def _quoted(text: str) -> str:
    """Return a text as YAML: in single quotes, on one line."""
    clean = "".join(sign if sign.isprintable() else "?" for sign in text)
    return "'" + clean.replace("'", "''") + "'"
