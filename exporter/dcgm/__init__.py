"""
The activity of GPUs that have no monitor of their own, from the page of a local dcgm-exporter.

It fills what NVML does not support, and nothing else.  It refuses to take a missing series for
idleness: what DCGM does not say is paused, stale or unsupported, with what to do about it.
"""
