"""The list of platforms: explicit, and imported only when needed."""

import subprocess
import sys

import pytest

from reaper.edge.clock import JumpingClock
from reaper.platforms import NAMES, Surroundings, builder
from reaper.schema import Settings


@pytest.mark.parametrize("name", NAMES)
def test_every_platform_has_settings_of_its_own(name):
    assert issubclass(builder(name).settings, Settings)


def test_slurm_is_built_from_empty_settings_and_asks_nothing():
    found = builder("slurm")
    around = Surroundings(cluster="grove", clock=JumpingClock(at=0.0))

    platform = found.build(found.settings(), around)

    roles = (platform.holder, platform.demand, platform.actor)
    assert [role.name for role in roles if role] == ["slurm"] * 3
    assert platform.fronting is None


def test_naming_the_platforms_imports_none_of_them():
    code = (
        "import sys, reaper.platforms\n"
        "print([name for name in sys.modules if name.startswith('reaper.platforms.')])"
    )

    done = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "['reaper.platforms.platform']"
