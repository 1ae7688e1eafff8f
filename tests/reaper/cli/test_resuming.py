"""Starting again what was released, from the command line."""

import pytest
from click.testing import CliRunner

from reaper.cli.main import cli


@pytest.mark.parametrize("name", ["lab/notebook/mira", "nowhere/7", "slurm", "slurm/", "/"])
def test_a_name_without_a_platform_is_wrong_usage(name: str) -> None:
    done = CliRunner().invoke(cli, ["resume-workload", name])

    assert done.exit_code == 2
    assert "such as kubernetes/" in done.output


def test_what_leaves_nothing_to_start_is_refused() -> None:
    done = CliRunner().invoke(cli, ["resume-workload", "slurm/4711"])

    assert done.exit_code == 1
    assert "submit it anew" in done.output
