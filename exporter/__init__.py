"""
gpu-exporter: measures the GPUs of one node and says who holds them.

It knows facts: counters, device identities, processes, cgroups, sessions.
It refuses to judge: no word of idle, waste or policy appears below this package.
"""
