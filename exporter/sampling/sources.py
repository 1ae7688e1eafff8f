"""Whether a source of the node itself (not of a device) can be read, and why not."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceState:
    """
    One source, as ``kernel_log``, ``kubelet``, ``gres``, ``network``, ``delays``, ``node_name``.

    `off` was not asked for, `absent` is not there on this node, `failing` is there and refuses;
    `reason` says why in words without numbers that change.
    """

    source: str
    state: Literal["ok", "off", "absent", "failing"]
    reason: str = ""
