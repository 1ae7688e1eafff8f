"""What is an address of mail, and what is none."""

from email.headerregistry import Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.schema import Mistake
from reaper.schema.mail import address, addresses


@pytest.mark.parametrize(
    "text", ["mira@example.org", "gpu-board+weekly@mail.example.org", "root@localhost", "a.b@c-d.e"]
)
def test_an_address_is_taken_as_it_is(text: str) -> None:
    assert address(f" {text} ") == text


@pytest.mark.parametrize(
    "text",
    [
        *("", "mira", "@example.org", "mira@", "a@b@c", "mira@example..org", "mira@.org"),
        *("mira@example.org.", ".mira@example.org", "mi..ra@example.org", "mira.@example.org"),
        *("mira@-example.org", "mira@example-.org", "mailto:mira@example.org", "mi ra@example.org"),
        *("Mira <mira@example.org>", "mira@example.org,otto@example.org", "mira@[127.0.0.1]"),
        *("mira@example.org\nBcc: all@example.org", "míra@example.org", f"{'m' * 65}@example.org"),
        *(None, 5, True, ["mira@example.org"]),
    ],
)
def test_what_is_none_is_refused_with_a_cure(text: object) -> None:
    with pytest.raises(Mistake, match=r"is no mail address; write it alone"):
        address(text)


def test_one_address_needs_no_list() -> None:
    assert addresses("mira@example.org") == addresses(["mira@example.org"])


@given(st.text(alphabet="aA0.-+_@:;<>,\" ()'", max_size=20))
def test_what_is_taken_can_stand_in_a_header(text: str) -> None:
    try:
        taken = address(text)
    except Mistake:
        return
    assert Address(addr_spec=taken).addr_spec == taken
