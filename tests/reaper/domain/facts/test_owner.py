"""Who owns an allocation: whom the platform vouches for, never what a user can write."""

import pytest

from tests.builders import allocation

WRITTEN = {"labels": ("owner=otto", "user=otto", "gpu-reaper/owner=otto"), "name": "otto"}


def test_the_platform_vouches_for_the_owner_whatever_labels_say():
    assert allocation(**WRITTEN).owner == "mira"


@pytest.mark.parametrize("field", ["labels", "name"])
def test_what_a_user_can_write_names_no_owner_where_the_platform_knows_none(field: str):
    assert allocation(user="", **{field: WRITTEN[field]}).owner == ""
