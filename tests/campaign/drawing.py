"""A cluster with its truth as a scenario, in the words of its format."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from exporter.contract.scenario import written
from tests.campaign.truth import Cluster, Held, Span, Trouble

_NAMES = {"pause": "pause", "channel": "deaf"}
_SIGNALS = ("host", "people", "profiling")


def text(cluster: Cluster) -> str:
    """Return the scenario as TOML: one truth, as its signals show it."""
    return "\n".join(_lines(cluster)) + "\n"


def _lines(cluster: Cluster) -> Iterator[str]:
    yield "version = 1"
    yield f'title = "campaign {cluster.seed}"'
    yield f"start = {cluster.start:%Y-%m-%dT%H:%M:%SZ}"
    yield f'length = "{cluster.length}m"'
    yield "[budgets]"
    yield from (f"per_{one} = 1000" for one in ("cycle", "hour", "owner", "node"))
    yield "share = 1.0"
    yield "[interlocks]"
    yield "coverage = 0.0"
    yield "jump = 1.0"
    yield "jump_devices = 1000"
    yield "restarts_at_least = 1000"
    yield "failures = 1000"
    for node, gpus in enumerate(cluster.gpus):
        yield "[[node]]"
        yield f'name = "{_node(node)}"'
        yield f"gpus = [{_texts(_track(cluster, node, gpu) for gpu in range(gpus))}]"
    for held in cluster.held:
        yield from _allocation(held)
        for at, minutes in held.keeps:
            yield from ("[[event]]", 'do = "keep"', f'allocation = "{held.id}"')
            yield from (_at(at), f'for = "{minutes}m"')
    for trouble in cluster.troubles:
        yield from _trouble(trouble)
    for at, gpus in cluster.waiting:
        yield from ("[[waiting]]", _at(at), f"gpus = {gpus}")
    for user in sorted({held.user for held in cluster.held if not held.reached}):
        yield from ("[[person]]", f'user = "{user}"', "address = false")


def _node(place: int) -> str:
    return f"gpu{place + 1:02}"


def _at(minute: int) -> str:
    return f'at = "{minute}m"'


def _track(cluster: Cluster, node: int, gpu: int) -> str:
    """Return what a GPU plays: what is held does, else nothing."""
    letters = ["E"] * cluster.length
    for held in cluster.held:
        if (node, gpu) in held.places:
            for doing in held.doings:
                begin, end = max(0, doing.begin), min(cluster.length, doing.end)
                letters[begin:end] = [doing.letter] * (end - begin)
    runs = ((letter, sum(1 for _ in run)) for letter, run in groupby(letters))
    return " ".join(f"{letter}*{count}" for letter, count in runs)


def _allocation(held: Held) -> Iterator[str]:
    yield "[[allocation]]"
    yield f'id = "{held.id}"'
    yield f'user = "{held.user}"'
    yield f'purpose = "{held.purpose}"'
    yield f"holds = [{_texts(f'{_node(node)}:{gpu}' for node, gpu in held.places)}]"
    yield f'begin = "{held.begin}m"'
    if held.end is not None:
        yield f'end = "{held.end}m"'
    if held.requeueable:
        yield "requeueable = true"
    if held.measured:
        yield f"host_load = [{', '.join(_loads(held))}]"
    if held.counted:
        yield f"serves = [{_spans(one for one in _served(held))}]"
    if held.suspended:
        yield f"suspended = [{_spans(held.suspended)}]"
    if held.session:
        yield f"sessions = [{{ {_session(held)} }}]"


def _loads(held: Held) -> Iterator[str]:
    for one in held.doings:
        if one.cores or one.waits or one.network:
            yield (
                f'{{ during = "{one.begin}m..{one.end}m", cores = {one.cores}, '
                f"waits = {one.waits}, network = {one.network} }}"
            )


def _served(held: Held) -> Iterator[Span]:
    return ((one.begin, one.end) for one in held.doings if one.served)


def _session(held: Held) -> str:
    inputs = () if held.session == "vscode" else held.inputs
    said = [
        f'kind = "{held.session}"',
        f"inputs = [{_texts(written(at * 60) for at in inputs)}]",
    ]
    if any(one.busy for one in held.doings):
        said.append(f"busy = [{_spans((one.begin, one.end) for one in held.doings if one.busy)}]")
    return ", ".join(said)


def _spans(spans: Iterable[Span]) -> str:
    return _texts(f"{begin}m..{end}m" for begin, end in spans)


def _texts(texts: Iterable[str]) -> str:
    return ", ".join(f'"{one}"' for one in texts)


def _trouble(trouble: Trouble) -> Iterator[str]:
    lasts = f'for = "{trouble.end - trouble.begin}m"'
    node = [] if trouble.node is None else [f'node = "{_node(trouble.node)}"']
    if trouble.of in _SIGNALS:
        yield from ("[[signal]]", f'of = "{trouble.of}"', 'shows = "nothing"')
        yield from (*node, f"during = [{_spans([(trouble.begin, trouble.end)])}]")
    elif trouble.of in _NAMES:
        yield from ("[[event]]", f'do = "{_NAMES[trouble.of]}"', _at(trouble.begin), lasts)
    else:
        yield from ("[[event]]", 'do = "outage"', f'of = "{trouble.of}"', _at(trouble.begin))
        yield from (lasts, *node)
