"""
Exporters of gauges in an engine: what they call things, and sums as of counters.

It knows dialects of dcgm-exporter and its like; it refuses to guess what they do not say.
"""
