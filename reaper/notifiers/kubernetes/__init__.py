"""
Notices on the objects themselves: Events and one annotation, for whoever runs `kubectl describe`.

It knows how an object is found by what its run is called, and how Events are written.  It refuses
to tell of what it cannot prove to be the same object, and never counts as telling a person.
"""

from typing import Final

from reaper.notifiers.kind import Kind
from reaper.notifiers.kubernetes.settings import KubernetesNoticeSettings
from reaper.notifiers.kubernetes.writing import KubernetesNotices, opened

__all__ = ["CHANNEL", "KubernetesNoticeSettings", "KubernetesNotices"]

CHANNEL: Final = Kind(
    settings=KubernetesNoticeSettings,
    personal=False,
    build=lambda settings, site: (
        KubernetesNotices(opened(settings, site.clock), clock=site.clock),
    ),
)
