"""What an operator writes about notices on Kubernetes' objects."""

from pathlib import Path
from typing import Literal

from reaper.notifiers.kind import ChannelSettings
from reaper.schema import Span


class KubernetesNoticeSettings(ChannelSettings):
    """One cluster; several are several entries."""

    kind: Literal["kubernetes"] = "kubernetes"
    kubeconfig: Path | None = None
    """Its file; without it the pod's own account, else $KUBECONFIG, else ~/.kube/config."""
    context: str = ""
    """Which of its contexts; without it the current one."""
    timeout: Span = 15.0
    """Seconds after which an answer of the API server is late."""
