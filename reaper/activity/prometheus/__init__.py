"""
Activity out of a Prometheus-compatible engine: Prometheus, VictoriaMetrics, Thanos, Mimir.

It knows how such an engine is asked and how its answers become the pages that exporters would
have shown at a minute's end.  It refuses to know what idle means, and never lets the engine
compute: counters are read at the ends of minutes, gauges as the raw samples of the minute.
"""
