"""What an operator writes under `platforms: kubernetes:` in the configuration."""

from pathlib import Path

from pydantic import field_validator

from reaper.platforms.kubernetes.workload_settings import WorkloadSettings
from reaper.schema import Mistake, Settings, Span, shown


class ClusterSettings(Settings):
    """One API server."""

    name: str
    """As it is called in the books: a part of every key, so never changed."""
    kubeconfig: Path | None = None
    """Its file; without it the pod's own account, else $KUBECONFIG, else ~/.kube/config."""
    context: str = ""
    """Which of its contexts; without it the current one."""


class KubernetesSettings(WorkloadSettings):
    """Which API servers are asked."""

    clusters: tuple[ClusterSettings, ...] = ()
    """None: the one that this process finds itself in or its kubeconfig names."""
    timeout: Span = 30.0
    """Seconds after which an answer is late: a page of a list may take some."""

    @field_validator("clusters")
    @classmethod
    def _once(cls, value: tuple[ClusterSettings, ...]) -> tuple[ClusterSettings, ...]:
        names = [one.name for one in value]
        twice = next((name for name in names if names.count(name) > 1 or not name), None)
        if twice is not None:
            raise Mistake(f"{shown(twice)} is no name of one cluster", "give each its own")
        return value
