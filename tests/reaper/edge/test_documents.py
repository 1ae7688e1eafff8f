"""YAML as plain values with lines; what is ambiguous or dangerous is refused by name."""

from itertools import pairwise
from pathlib import Path

import pytest

from reaper.edge.documents import parse, read


def value(text: str):
    document, problems = parse(text, name="x.yaml")
    assert problems == ()
    return document.value


def said(text: str) -> list[str]:
    return [str(problem) for problem in parse(text, name="x.yaml")[1]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("18:00", "18:00"),
        ("yes", "yes"),
        ("off", "off"),
        ("no", "no"),
        ("010", "010"),
        ("1_000", "1_000"),
        ("2027-01-31", "2027-01-31"),
        ("0x1f", "0x1f"),
        ("12e3", "12e3"),
        ("12", 12),
        ("-1.5", -1.5),
        ("true", True),
        ("~", None),
        ("", None),
        ("'5'", "5"),
    ],
)
def test_a_plain_word_is_what_a_person_takes_it_for(text: str, expected: object):
    assert value(f"key: {text}\n") == {"key": expected}


def test_keys_are_always_texts():
    assert value("1001: a\nno: b\n") == {"1001": "a", "no": "b"}


def test_every_place_knows_its_line():
    document, _ = parse("a:\n  - b: 1\n    c:\n      2\n", name="x.yaml")

    assert [document.line(where) for where in (("a",), ("a", 0, "b"), ("a", 0, "c"))] == [1, 2, 3]


def test_an_unknown_place_has_the_line_around_it():
    document, _ = parse("a:\n  b: 1\n", name="x.yaml")

    assert document.line(("a", "zzz", 4)) == 1


def test_every_key_that_stands_twice_is_named():
    assert said("a: 1\nb: {c: 1, c: 2}\na: 3\n") == [
        "x.yaml:2: b.c: stands twice, again in line 2; keep one",
        "x.yaml:1: a: stands twice, again in line 3; keep one",
    ]


def test_anchors_and_merge_keys_are_followed():
    text = "base: &base {x: 1, y: 2}\nown: {<<: *base, y: 3}\n"

    assert value(text)["own"] == {"x": 1, "y": 3}


def test_several_groups_merge_the_first_wins():
    text = "a: &a {x: 1}\nb: &b {x: 2, z: 3}\nown: {<<: [*a, *b]}\n"

    assert value(text)["own"] == {"x": 1, "z": 3}


def test_a_key_that_overrides_a_merged_one_stands_once():
    assert said("a: &a {x: 1}\nown: {<<: *a, x: 2}\n") == []


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("a: !!python/object/apply:os.system [x]", "the tag"),
        ("a: !!binary aGk=", "the tag"),
        ("a: &a [*a]", "it grows without end"),
        ("? [a]\n: 1", "a key is no text"),
        ("a: [1, 2", "expected"),
        ("a:\n\t- 1", "cannot start any token"),
        ("a: b: c", "mapping values are not allowed"),
        ("a: *nobody", "found undefined alias"),
    ],
)
def test_what_no_configuration_needs_is_refused(text: str, what: str):
    (problem,) = parse(text, name="x.yaml")[1]

    assert problem.what.startswith("is no YAML: ")
    assert what in problem.what
    assert problem.line is not None


def test_a_text_that_unfolds_without_end_is_refused_at_once():
    lines = ["a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    for old, new in pairwise("abcdefghi"):
        lines.append(f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]")

    assert "it grows without end" in said("\n".join(lines))[0]


def test_endless_brackets_are_refused():
    assert said("[" * 5000) == ["x.yaml: is nested too deeply; write it flat"]


def test_a_file_that_is_no_text_is_named(tmp_path: Path):
    path = tmp_path / "x.yaml"
    path.write_bytes(b"a: \xff\n")

    assert [str(problem) for problem in read(path, name="x.yaml")[1]] == [
        "x.yaml: is not UTF-8 at byte 3; save it as UTF-8"
    ]


def test_a_folder_is_no_file(tmp_path: Path):
    (problem,) = read(tmp_path)[1]

    assert problem.what == "cannot be read: it is a directory, not a file"
