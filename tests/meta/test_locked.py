"""What an installation is held to is what the tests ran with: versions and hashes of the lock."""

import re
import tomllib

import pytest

from tests.project import ROOT

FILES = ("requirements.txt", "extras.txt", "build.txt")
LOCK = {
    package["name"]: package
    for package in tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))["package"]
}
OWN = LOCK["gpu-reaper"]


def pinned(name: str) -> dict[str, tuple[str, set[str]]]:
    """Return the version and the hashes of each package that a file names."""
    text = (ROOT / "deploy/locked" / name).read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    found = [re.match(r"([a-z0-9._-]+)==([^ ;]+)", line) for line in lines]
    assert all(found), "every line is name==version"
    return {
        one[1]: (one[2], set(re.findall(r"--hash=(sha256:[0-9a-f]{64})", line)))
        for one, line in zip(found, lines, strict=True)
        if one
    }


def reached(*wanted: dict) -> set[str]:
    """Return every package that these need, on whatever machine."""
    todo, found = list(wanted), set()
    while todo:
        one = todo.pop()
        package = LOCK[one["name"]]
        extras = [
            item
            for extra in one.get("extra", ())
            for item in package.get("optional-dependencies", {}).get(extra, ())
        ]
        if one["name"] in found and not extras:
            continue
        found.add(one["name"])
        todo += [item for item in extras if item["name"] not in found]
        todo += [item for item in package.get("dependencies", ()) if item["name"] not in found]
    return found


@pytest.mark.parametrize("name", FILES)
def test_versions_and_hashes_are_those_of_the_lock(name):
    for package, (version, hashes) in pinned(name).items():
        locked = LOCK[package]
        files = [*locked.get("wheels", ()), *filter(None, [locked.get("sdist")])]
        assert (version, hashes) == (locked["version"], {one["hash"] for one in files}), package


def test_the_base_holds_all_that_the_programs_need():
    assert set(pinned("requirements.txt")) == reached(*OWN["dependencies"])


def test_what_builds_it_is_held_to_the_lock_too():
    wanted = OWN["dev-dependencies"]["build"]
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

    assert set(pinned("build.txt")) == reached(*wanted)
    assert asked["build-system"]["requires"] == asked["dependency-groups"]["build"]


def test_the_other_holds_every_extra_too():
    extras = [item for extra in OWN["optional-dependencies"].values() for item in extra]

    assert set(pinned("extras.txt")) == reached(*OWN["dependencies"], *extras)


@pytest.mark.parametrize("path", ["README.md", "deploy/systemd/README.md", "docs/operations.md"])
def test_the_documented_installation_is_held_to_it(path):
    text = (ROOT / path).read_text(encoding="utf-8")

    locked = "--require-hashes -r deploy/locked/requirements.txt -r deploy/locked/build.txt"
    assert f"pip install {locked}" in text
    assert "pip install --no-deps --no-build-isolation" in text
    assert re.search(r"pip install (?!--require-hashes|--no-deps|'gpu-reaper\[)", text) is None
