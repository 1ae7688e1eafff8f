"""Values written field by field come back as they were."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.domain.picture import NodeLine, Row, SignLine
from reaper.store.columns import decode_columns, encode_columns
from tests.reaper.store.test_codec import wholes


@pytest.mark.parametrize("kind", [Row, NodeLine, SignLine])
@given(drawing=st.data())
def test_what_is_written_in_columns_comes_back(kind: type[Any], drawing: st.DataObject) -> None:
    drawn = drawing.draw(st.lists(wholes(kind), max_size=4))
    values = [*drawn, *drawing.draw(st.lists(st.sampled_from(drawn), max_size=6))] if drawn else []

    assert decode_columns(kind, json.loads(encode_columns(kind, values))) == tuple(values)


@dataclass(frozen=True, kw_only=True)
class _Wide:
    name: str = ""
    count: int = 0


def test_fields_that_a_later_version_knows_are_passed_over():
    body = json.loads(encode_columns(_Wide, [_Wide(name="a"), _Wide(name="b", count=2)]))
    body["columns"]["colour"] = ["red", "blue"]

    assert decode_columns(_Wide, body) == (_Wide(name="a"), _Wide(name="b", count=2))


def test_values_that_are_all_default_are_counted():
    body = json.loads(encode_columns(_Wide, [_Wide(), _Wide()]))

    assert body["columns"] == {}
    assert decode_columns(_Wide, body) == (_Wide(), _Wide())


def test_what_repeats_is_written_once():
    values = [_Wide(name="gpu-node-with-a-long-name", count=number) for number in range(50)]

    assert encode_columns(_Wide, values).count("gpu-node") == 1
