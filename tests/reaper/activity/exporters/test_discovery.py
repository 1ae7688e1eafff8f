"""Which exporters there are: addresses, and files that other programs write."""

import json
import os
from pathlib import Path

import pytest

from reaper.activity.exporters.address import AddressError, read
from reaper.activity.exporters.discovery import Discovery

# ------------------------------------------------------------------ addresses


@pytest.mark.parametrize(
    ("text", "url", "host"),
    [
        ("gpu01:19440", "http://gpu01:19440/metrics", "gpu01"),
        ("gpu01.cluster.example:19440", "http://gpu01.cluster.example:19440/metrics", "gpu01"),
        ("10.0.0.7:19440", "http://10.0.0.7:19440/metrics", "10.0.0.7"),
        ("[::1]:19440", "http://[::1]:19440/metrics", "::1"),
        ("https://gpu01:443", "https://gpu01/metrics", "gpu01"),
        ("https://gw.example/gpu01/metrics", "https://gw.example/gpu01/metrics", "gw"),
    ],
)
def test_an_address_says_where_both_pages_are(text, url, host):
    target = read(text)

    assert str(target.metrics) == url
    assert str(target.people) == f"{target.metrics}/people"
    assert target.host == host


@pytest.mark.parametrize(
    "text",
    [
        "",
        "gpu01",
        ":1",
        "gpu01:x",
        "gpu01:99999",
        "gpu01:1/metrics",
        "ftp://gpu01:1",
        "http://",
        "gpu 01:1",
    ],
)
def test_what_is_no_address_is_refused(text):
    with pytest.raises(AddressError):
        read(text)


def test_a_password_in_an_address_is_refused_and_not_repeated():
    with pytest.raises(AddressError) as caught:
        read("http://mira:hunter2@gpu01:19440")

    assert "hunter2" not in str(caught.value)


# ------------------------------------------------------------------ files


def names(discovery: Discovery) -> list[str]:
    return [target.name for target in discovery.refresh()]


def write(path: Path, content: object) -> None:
    """Write a file as configuration management does: whole, with a new time."""
    text = content if isinstance(content, str) else json.dumps(content)
    before = path.stat().st_mtime_ns if path.exists() else 0
    path.write_text(text)
    os.utime(path, ns=(before + 10**9, before + 10**9))


LIST = [{"targets": ["gpu01:1", "gpu02:1"], "labels": {"room": "a"}}, {"targets": ["gpu03:1"]}]
YAML = "- targets: [gpu01:1, gpu02:1]\n  labels: {room: a}\n- targets:\n  - gpu03:1\n"


@pytest.mark.parametrize(("name", "content"), [("a.json", LIST), ("a.yml", YAML), ("a.yaml", YAML)])
def test_a_file_lists_targets(tmp_path, name, content):
    write(tmp_path / name, content)

    assert names(Discovery([], [tmp_path / name])) == ["gpu01:1", "gpu02:1", "gpu03:1"]


def test_a_pattern_finds_every_file(tmp_path):
    write(tmp_path / "a.json", LIST)
    write(tmp_path / "b.json", [{"targets": ["gpu09:1"]}])

    assert names(Discovery([], [tmp_path / "*.json"]))[-1] == "gpu09:1"


def test_a_target_listed_twice_is_asked_once(tmp_path):
    write(tmp_path / "a.json", LIST)

    assert names(Discovery(["gpu03:1"], [tmp_path / "a.json"])).count("gpu03:1") == 1


def test_the_scheme_holds_for_plain_addresses(tmp_path):
    write(tmp_path / "a.json", [{"targets": ["gpu01:1"]}])
    discovery = Discovery(["http://gpu02:1"], [tmp_path / "a.json"], scheme="https")

    assert [target.secure for target in discovery.refresh()] == [False, True]


def test_a_changed_file_is_read_again(tmp_path):
    write(tmp_path / "a.json", LIST)
    discovery = Discovery([], [tmp_path / "a.json"])
    discovery.refresh()
    write(tmp_path / "a.json", [{"targets": ["gpu04:1"]}])

    assert names(discovery) == ["gpu04:1"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[{"targets": ["gpu01:1"', "a.json: Expecting"),
        ('{"targets": ["gpu01:1"]}', "is no list"),
        ('[{"targets": "gpu01:1"}]', "group 0 has no list of targets"),
        ('[["gpu01:1"]]', "group 0 has no list of targets"),
        ('[{"targets": ["gpu01:1", "gpu01"]}]', "group 0: 'gpu01' has no port"),
        ('[{"targets": [7]}]', "group 0: '7' has no port"),
        ("", "a.json: Expecting"),
        ("\x00", "a.json: Expecting"),
    ],
)
def test_a_bad_file_keeps_the_last_good_list_and_says_so(tmp_path, caplog, content, message):
    write(tmp_path / "a.json", LIST)
    discovery = Discovery([], [tmp_path / "a.json"])
    before = names(discovery)
    write(tmp_path / "a.json", content)

    assert names(discovery) == names(discovery) == before
    assert message in discovery.problems[0]
    assert caplog.text.count("its last good list stays in force") == 1


def test_a_bad_yaml_file_keeps_the_last_good_list(tmp_path):
    write(tmp_path / "a.yml", YAML)
    discovery = Discovery([], [tmp_path / "a.yml"])
    before = names(discovery)
    write(tmp_path / "a.yml", "- targets: [gpu01:1\n")

    assert names(discovery) == before
    assert "is no YAML" in discovery.problems[0]


def test_a_file_that_is_mended_is_no_problem_any_more(tmp_path):
    write(tmp_path / "a.json", "[")
    discovery = Discovery([], [tmp_path / "a.json"])
    discovery.refresh()
    write(tmp_path / "a.json", LIST)

    assert len(names(discovery)) == 3
    assert discovery.problems == ()


def test_a_named_file_that_is_gone_keeps_its_list_and_is_a_problem(tmp_path):
    write(tmp_path / "a.json", LIST)
    discovery = Discovery([], [tmp_path / "a.json"])
    before = names(discovery)
    (tmp_path / "a.json").unlink()

    assert names(discovery) == before
    assert "cannot be read: No such file" in discovery.problems[0]


def test_a_file_that_a_pattern_no_longer_finds_takes_its_targets_along(tmp_path):
    write(tmp_path / "a.json", LIST)
    discovery = Discovery([], [tmp_path / "*.json"])
    discovery.refresh()
    (tmp_path / "a.json").unlink()

    assert names(discovery) == []
    assert discovery.problems == ()


def test_bytes_that_are_no_text_are_a_problem(tmp_path):
    (tmp_path / "a.json").write_bytes(b"[\xff]")
    discovery = Discovery([], [tmp_path / "a.json"])

    assert names(discovery) == []
    assert discovery.problems
