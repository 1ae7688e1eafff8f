"""
Directories of people: who a platform's user is and how to reach them.

They know names, teams, addresses, zones, hours, languages, and who answers for whoever has left.
They refuse to know allocations and messages; a user nobody knows is None, never a guess.
"""

from typing import Annotated, Any

from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import core_schema

from reaper.people.ldap_directory import LdapDirectory, LdapSettings
from reaper.people.unix import Unix, UnixSettings
from reaper.people.yaml_directory import YamlDirectory, YamlDirectorySettings
from reaper.ports import Clock, People
from reaper.schema import Mistake

PeopleSettings = Annotated[
    LdapSettings | UnixSettings | YamlDirectorySettings, Field(discriminator="kind")
]
"""Every kind of directory there is."""


class _OneOrSeveral:
    """Takes one directory without a list; several are asked in their order."""

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        def listed(value: object) -> object:
            if value == []:
                raise Mistake("an empty list knows nobody", "write {kind: unix}, or remove it")
            return value if isinstance(value, list | tuple) else [value]

        return core_schema.no_info_before_validator_function(listed, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        several = handler(schema)
        return {"anyOf": [several["items"], several]}


Directories = Annotated[
    tuple[PeopleSettings, ...],
    _OneOrSeveral(),
]
"""Directories in the order in which they are asked; one alone may stand without a list."""


def build(settings: PeopleSettings, *, clock: Clock) -> People:
    """Make a directory that the configuration names."""
    if isinstance(settings, LdapSettings):
        return LdapDirectory(settings, clock=clock)
    if isinstance(settings, UnixSettings):
        return Unix(settings)
    return YamlDirectory(settings)
