"""The schema that editors read knows every key."""

import json

from reaper.config import schema
from reaper.config.sections import FileSettings
from reaper.platforms import NAMES


def test_the_schema_is_json_and_names_every_section():
    made = json.loads(json.dumps(schema()))

    assert set(made["properties"]) == set(FileSettings.model_fields)


def test_the_schema_names_the_keys_of_policies_and_platforms():
    made = schema()

    assert {"name", "match", "idle", "rungs"} <= set(made["$defs"]["PolicySettings"]["properties"])
    assert set(made["$defs"]["Platforms"]["properties"]) == set(NAMES)
