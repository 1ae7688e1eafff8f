"""
Directories of people: who a platform's user is and how to reach them.

They know names, teams, addresses, zones and languages.
They refuse to know allocations and messages; a user nobody knows is None, never a guess.
"""

from typing import Annotated

from pydantic import Field

from reaper.people.unix import Unix, UnixSettings
from reaper.people.yaml_directory import YamlDirectory, YamlDirectorySettings
from reaper.ports import People

PeopleSettings = Annotated[UnixSettings | YamlDirectorySettings, Field(discriminator="kind")]
"""Every kind of directory there is."""


def build(settings: PeopleSettings) -> People:
    """Make the directory that the configuration names."""
    if isinstance(settings, UnixSettings):
        return Unix(settings)
    return YamlDirectory(settings)
