"""
What an operator writes: one YAML file and the policy files it names, or nothing at all.

It knows the keys, their defaults and what contradicts what; it names every mistake at once.
It refuses to know what the settings do: it hands frozen values to those that do.
"""

from reaper.config.configuration import Configuration, Operators
from reaper.config.loading import ConfigError, check, load
from reaper.config.preparing import foreseen, prepared
from reaper.config.sections import schema
from reaper.edge.problems import Problem

__all__ = [
    "ConfigError",
    "Configuration",
    "Operators",
    "Problem",
    "check",
    "foreseen",
    "load",
    "prepared",
    "schema",
]
