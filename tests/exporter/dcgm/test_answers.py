"""What a page's fields say of one device."""

import pytest

from exporter.dcgm.answers import PAUSED, UNCOLLECTED, UNLISTED, answers
from exporter.dcgm.page import value
from exporter.sampling.snapshot import Absent, Flow, Measured

FULL = {"sm": 0.5, "tensor": 0.25, "dram": 0.125, "graphics": 1.0}
NEVER = frozenset()


def state(value):
    return value.state if isinstance(value, Absent) else "ok"


def states(fields, seen=NEVER):
    return {name: state(one) for name, one in answers(fields, seen).signals.items()}


def test_every_field_is_a_measured_signal():
    found = answers(FULL, NEVER).signals

    assert {name: one.value for name, one in found.items()} == {
        "sm": 0.5,
        "tensor": 0.25,
        "dram": 0.125,
        "engine": 1.0,
    }
    assert {one.source for one in found.values()} == {"dcgm"}


def test_the_graphics_engine_bounds_multiprocessors_that_are_switched_off():
    sm = answers({"graphics": 0.75}, NEVER).signals["sm"]

    assert (sm.value, "upper bound" in sm.note, "SM_ACTIVE" in sm.note) == (0.75, True, True)


def test_multiprocessors_that_vanished_are_not_replaced_by_a_bound():
    assert states({"graphics": 0.75}, frozenset({"sm"}))["sm"] == "stale"


def test_vanished_profiling_series_are_paused():
    found = answers({}, frozenset({"sm"}))

    assert set(found.signals.values()) | set(found.links.values()) == {PAUSED}


def test_profiling_series_that_never_were_are_unsupported_with_a_cure():
    assert set(answers({}, NEVER).signals.values()) == {UNCOLLECTED}
    assert "log" in UNCOLLECTED.reason


def test_a_device_that_is_not_listed_is_unsupported_with_a_cure():
    assert set(answers(None, frozenset({"sm"})).signals.values()) == {UNLISTED}


def test_a_blanked_field_is_paused_alone():
    assert states(FULL | {"sm": value("2147483632")}) == {
        "sm": "paused",
        "tensor": "ok",
        "dram": "ok",
        "engine": "ok",
    }


def test_a_field_that_is_not_switched_on_is_named():
    tensor = answers({"sm": 0.5}, NEVER).signals["tensor"]

    assert (tensor.state, "PIPE_TENSOR_ACTIVE" in tensor.reason) == ("unsupported", True)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1.29, Measured(value=1.0, source="dcgm")), (129.0, None), (-1.0, None)],
)
def test_a_ratio_out_of_bounds_is_cut_or_refused_and_named(value, expected):
    found = answers(FULL | {"sm": value}, NEVER)

    assert found.touched == ("sm",)
    assert found.signals["sm"] == expected or (
        expected is None and state(found.signals["sm"]) == "stale"
    )


def test_links_need_both_directions():
    both = answers(FULL | {"pcie sent": 5.0, "pcie received": 6.0}, NEVER).links
    one = answers(FULL | {"pcie sent": 5.0}, NEVER).links

    assert both["pcie"] == Flow(sent=5.0, received=6.0, source="dcgm")
    assert (state(one["pcie"]), state(both["nvlink"])) == ("unsupported", "unsupported")


def test_a_flow_that_is_a_blank_of_another_kind_is_refused():
    found = answers(FULL | {"pcie sent": 1.4e16, "pcie received": 0.0}, NEVER)

    assert (state(found.links["pcie"]), found.touched) == ("stale", ("pcie",))
