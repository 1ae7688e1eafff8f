"""Settings of a kind of inference server, as an operator writes them under ``servers``."""

from pathlib import Path
from typing import Annotated, Final

from pydantic import AfterValidator, Field, model_validator

from reaper.activity.credentials import BasicSettings, must_be_private, one_of
from reaper.schema import Globs, Mistake, Secret, Settings, Span, shown

#: Counters of answered requests, failed ones included: each of them was work.
ANSWERED: Final = (
    "vllm:request_success_total",
    "tgi_request_count",
    "tgi_request_failure",
    "nv_inference_request_success",
    "nv_inference_request_failure",
    "sglang:num_requests_total",
    "ray_serve_deployment_request_counter_total",
    "request_success_total",
)

#: Gauges of requests that are under way or wait.
PENDING: Final = (
    "vllm:num_requests_running",
    "vllm:num_requests_waiting",
    "tgi_queue_size",
    "tgi_batch_current_size",
    "nv_inference_pending_request_count",
    "sglang:num_running_reqs",
    "sglang:num_queue_reqs",
)

_NODE: Final = "{node}"


def _url(text: str) -> str:
    if not text.startswith(("http://", "https://")):
        raise Mistake(f"{shown(text)} is no address", "write http://{node}:8000/metrics")
    if _NODE not in text:
        raise Mistake(f"{shown(text)} names no node", "write {node} where the node's name stands")
    rest = text.replace(_NODE, "node")
    if "{" in rest or "}" in rest or "@" in rest:
        raise Mistake(f"{shown(text)} holds more than {{node}}", "write http://{node}:8000/metrics")
    return text


class ServerSettings(Settings):
    """Servers of one kind: whose runs they are, and where each answers."""

    url: Annotated[str, AfterValidator(_url)] = Field(examples=["http://{node}:8000/metrics"])
    """Its Prometheus page; {node} stands for each node of the run."""
    name: Globs = ()
    """Patterns of the runs' names; without any pattern every run for inference is asked."""
    partition: Globs = ()
    user: Globs = ()
    answered: tuple[str, ...] = Field(default=ANSWERED, min_length=1)
    """Counters of answered requests; those that a page has are added up."""
    pending: tuple[str, ...] = PENDING
    """Gauges of requests under way or waiting."""
    timeout: Span = 5.0
    page_limit: int = Field(default=8 * 1024**2, ge=64 * 1024)
    bearer: Secret | None = None
    basic: BasicSettings | None = None
    in_clear: bool = False
    """Whether the credential may travel readably, by http beyond this machine."""
    ca: Path | None = None

    @model_validator(mode="after")
    def _one_credential(self) -> "ServerSettings":
        one_of(self.bearer, self.basic)
        url = self.url.replace(_NODE, "node")
        must_be_private((url,), self.bearer, self.basic, allowed=self.in_clear)
        return self
