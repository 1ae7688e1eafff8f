"""A value comes back from its JSON as it was, whatever type the store keeps."""

import json
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reaper.domain.escalation.case import Case, State
from reaper.domain.escalation.decision import Hold, Intent, Refusal
from reaper.domain.escalation.keep import Keep
from reaper.domain.escalation.notice import Notice
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.judgement.verdict import Verdict
from reaper.domain.money.entries import CapacitySpan, Event, Tenure
from reaper.domain.picture import Picture
from reaper.domain.reason import Reason, Words, because, quoted
from reaper.store.codec import decode, encode
from tests import stored
from tests.thoroughness import examples

KINDS = (Case, Intent, Hold, Keep, Notice, DeviceRecord, CapacitySpan, Event, Tenure, Picture)
PLAIN = {
    str: st.text(st.characters(), max_size=5),
    int: st.integers(),
    float: st.floats(allow_nan=False),
    bool: st.booleans(),
}


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Draw values of a type hint, the ends of its range and surrogates included."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in PLAIN:
        return PLAIN[hint]
    if origin is Literal:
        return st.sampled_from(arguments)
    if hint is Reason:
        return reasons()
    if hint == Words:
        return PLAIN[str] | reasons()
    if NoneType in arguments:
        return st.none() | values(arguments[0])
    if origin is tuple and arguments[1:] == (...,):
        return st.lists(values(arguments[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values, arguments))
    if origin is Mapping:
        return st.dictionaries(values(arguments[0]), values(arguments[1]), max_size=2)
    if issubclass(hint, Enum):
        return st.sampled_from(hint)
    assert is_dataclass(hint), hint
    return wholes(hint)


def reasons() -> st.SearchStrategy[Reason]:
    """Draw reasons, with others within them."""
    plain = st.text("ab-", min_size=1, max_size=3) | st.integers() | st.floats(allow_nan=False)
    words = st.text(st.characters(), max_size=5).map(quoted)
    return st.recursive(
        words | coded(plain),
        lambda inner: coded(plain | inner | st.lists(inner, min_size=1, max_size=2).map(tuple)),
        max_leaves=4,
    )


def coded(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Reason]:
    code, names = st.sampled_from(("idle-only", "together")), st.sampled_from(("why", "seconds"))
    named = st.dictionaries(names, values, max_size=2).map(lambda known: tuple(known.items()))
    return st.builds(Reason, code, named)


def wholes(kind: type[Any]) -> st.SearchStrategy[Any]:
    hints = get_type_hints(kind)
    required = {f.name: values(hints[f.name]) for f in fields(kind) if is_required(f)}
    optional = {f.name: values(hints[f.name]) for f in fields(kind) if not is_required(f)}
    return st.fixed_dictionaries(required, optional=optional).map(lambda known: kind(**known))


def is_required(field: Any) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@given(draw=st.data())
@settings(max_examples=examples(30), deadline=None)
def test_a_value_comes_back_as_it_was(kind, draw):
    value = draw.draw(wholes(kind))

    assert decode(kind, encode(value)) == value


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@given(draw=st.data())
@settings(max_examples=examples(30), deadline=None)
def test_a_body_is_one_line_of_ascii(kind, draw):
    body = encode(draw.draw(wholes(kind)))

    assert body.isascii()
    assert body.isprintable()


def test_types_come_back_too():
    back = decode(Case, encode(stored.case("c1", state=State.ACTING)))

    assert (back.state, type(back.nodes), type(back.run)) == (
        State.ACTING,
        tuple,
        type(stored.run()),
    )


def test_what_equals_its_default_is_left_out():
    body = json.loads(encode(stored.hold("h1")))

    assert body == {
        "id": "h1",
        "kind": "paused",
        "reason": "maintenance",
        "by": "otto",
        "begin": 1.0,
    }


def test_a_field_that_is_newer_than_the_body_has_its_default():
    body = json.dumps({"id": "h", "kind": "k", "reason": "r", "by": "b", "begin": 1.0})

    assert decode(Hold, body).scope == ""


def test_a_field_that_the_type_no_longer_has_is_ignored():
    body = json.loads(encode(stored.hold("h1"))) | {"colour": "red"}

    assert decode(Hold, json.dumps(body)) == stored.hold("h1")


@pytest.mark.parametrize("body", ["{", "{}", "[]", '{"id": "i", "state": "nowhere"}'])
def test_a_body_that_is_no_value_is_an_error(body):
    with pytest.raises((ValueError, TypeError, AttributeError)):
        decode(Case, body)


def test_a_type_that_cannot_be_kept_is_named():
    @dataclass(frozen=True)
    class Odd:
        when: complex = 1j

    with pytest.raises(TypeError, match="complex"):
        encode(Odd())


def test_texts_of_an_older_store_are_somebodys_words() -> None:
    found = decode(Verdict, '{"kind":"idle","reason":"no work on GPU","at":1.0,"held_until":2.0}')
    held = decode(Refusal, '"hours: outside working hours: closed"')
    plain = decode(Refusal, '"its owner has given it back"')

    assert found.reason == quoted("no work on GPU")
    assert held == Refusal(rule="hours", reason="outside working hours: closed")
    assert plain == Refusal(rule="", reason="its owner has given it back")


def test_what_somebody_typed_is_never_read_as_a_reason() -> None:
    typed = Event(at=1.0, kind="dispute", text='["idle-only",{"seconds":60}]')

    assert decode(Event, encode(typed)) == typed


def test_reasons_of_nothing_come_back() -> None:
    empty = Event(at=1.0, kind="k", text=because("refused", reasons=()))

    assert decode(Event, encode(empty)) == empty
