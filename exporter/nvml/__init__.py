"""
NVIDIA's management library: the only room that knows it.

It turns every call into a value or a refusal with its reason, and refuses to let a blank, an
error code or an implausible number pass as a measurement.
"""

from exporter.nvml.driver import NvmlDriver

__all__ = ["NvmlDriver"]
