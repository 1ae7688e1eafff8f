"""Names of nodes: what may be one machine's in another spelling, and what is not."""

import pytest

from exporter.contract.node_name import Names, alike


@pytest.mark.parametrize(
    ("one", "other", "meant"),
    [
        ("gpu01", "gpu01", True),
        ("gpu01", "GPU01", True),
        ("gpu01", "gpu01.example.org", True),
        ("gpu01.example.org.", "gpu01.Example.org", True),
        ("gpu01.a.example.org", "gpu01.b.example.org", False),
        ("gpu01", "gpu02", False),
        ("gpu01", "gpu011.example.org", False),
        ("10.0.0.1", "10.0.0.2", False),
        ("10.0.0.1", "10", False),
        ("", "", False),
    ],
)
def test_case_and_a_domain_that_one_lacks_are_spelling(one, other, meant):
    assert alike(one, other) is meant
    assert alike(other, one) is meant


def test_what_is_meant_is_another_name_and_the_only_one():
    assert Names(["gpu01", "gpu01.example.org", "gpu02"]).meant("gpu01") == "gpu01.example.org"
    assert Names(["gpu01.a.org", "gpu01.b.org"]).meant("gpu01") == ""
    assert Names(["gpu02"]).meant("gpu01") == ""
