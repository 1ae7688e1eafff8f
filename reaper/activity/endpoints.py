"""
Exporters as a Service of Kubernetes lists them: each address, and the node that it is on.

The node is the API server's word, never the exporter's own, so it binds the address to that node.
Asked at most every :data:`KEPT` seconds, in a thread of its own: the list of targets is read where
no event loop may be.
"""

import asyncio
import os
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from pydantic import Field

from reaper.activity.exporters.address import AddressError, Scheme, Target, read
from reaper.edge.clock import SystemClock
from reaper.ports import Clock, ReaperError, SourceError
from reaper.schema import Settings

KEPT: Final = 10.0
_TIMEOUT: Final = 5.0
_PORT: Final = "metrics"
_NAME: Final = r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"
_LISTS: Final = "/apis/discovery.k8s.io/v1/namespaces/{}/endpointslices"

Slice = Mapping[str, Any]
Ask = Callable[[], Coroutine[Any, Any, Iterable[Slice]]]


class ServiceSettings(Settings):
    """
    The Service whose pods are the exporters; the reaper may list its endpoint slices.

    ```yaml
    kubernetes: {namespace: gpu-exporter, service: gpu-exporter}
    ```
    """

    namespace: str = Field(pattern=_NAME)
    service: str = Field(default="gpu-exporter", pattern=_NAME)
    kubeconfig: Path | None = None
    """Which API server; without it and `context` the pod's own, else what KUBECONFIG names."""
    context: str = ""


class Endpoints:
    """The Service's addresses, as its cluster's API server told last."""

    def __init__(self, ask: Ask, scheme: Scheme, clock: Clock) -> None:
        self._ask = ask
        self._scheme = scheme
        self._clock = clock
        self._asked = float("-inf")
        self._known: tuple[Target, ...] = ()
        self._trouble = ""

    def targets(self) -> tuple[Target, ...]:
        """
        Return them; blocking; raise SourceError where the API server does not tell.

        A server that is silent is not asked more often than one that answers: many may want to
        know at the same time, and would wait one after the other.
        """
        if self._clock.elapsed() - self._asked >= KEPT:
            self._look()
            self._asked = self._clock.elapsed()
        if self._trouble:
            raise SourceError(self._trouble)
        return self._known

    def _look(self) -> None:
        with ThreadPoolExecutor(1, thread_name_prefix="endpoints") as aside:
            try:
                slices = aside.submit(lambda: asyncio.run(self._ask())).result()
            except ReaperError as error:
                self._trouble = str(error)
            else:
                self._known, self._trouble = tuple(targets(slices, self._scheme)), ""


def of(settings: ServiceSettings, scheme: Scheme) -> Endpoints:
    """Return what these settings name; nothing is asked yet."""
    from reaper.edge.kubernetes import Connection, door

    clock = SystemClock()
    way = door(
        path=settings.kubeconfig,
        context=settings.context,
        clock=clock,
        environment=os.environ,
    )

    async def ask() -> Iterable[Slice]:
        connection = Connection(settings.service, way, clock, timeout=_TIMEOUT)
        selector = f"kubernetes.io/service-name={settings.service}"
        try:
            return await connection.listed(_LISTS.format(settings.namespace), selector=selector)
        finally:
            await connection.close()

    return Endpoints(ask, scheme, clock)


def targets(slices: Iterable[Slice], scheme: Scheme) -> Iterator[Target]:
    """Yield every address of a Service, bound to its node, but of pods that are on their way out.

    One that is not ready is among them: an exporter whose driver hangs has something to say.
    """
    for one in slices:
        port = _port(one)
        for endpoint in one.get("endpoints") or ():
            if port and not (endpoint.get("conditions") or {}).get("terminating"):
                yield from _target(endpoint, port, scheme)


def _port(one: Slice) -> int | None:
    """Return the port of the exporters' name, or the only one."""
    ports = [item for item in one.get("ports") or () if isinstance(item.get("port"), int)]
    named = [item for item in ports if item.get("name") == _PORT] or ports
    return int(named[0]["port"]) if len(named) == 1 else None


def _target(endpoint: Mapping[str, Any], port: int, scheme: Scheme) -> Iterator[Target]:
    """Yield the first address: the others lead to the same pod."""
    node = endpoint.get("nodeName")
    for address in tuple(endpoint.get("addresses") or ())[:1]:
        host = f"[{address}]" if ":" in address else address
        try:
            target = read(f"{host}:{port}", scheme=scheme)
            yield target.bound(str(node)) if node else target
        except AddressError:
            continue
