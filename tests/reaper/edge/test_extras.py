"""The command that adds an extra fits how the program was installed."""

from pathlib import Path

from reaper.edge.extras import command, installing, lacking


def test_in_a_checkout_its_own_uv_adds_it(tmp_path: Path):
    uv = tmp_path / ".uv" / "bin" / "uv"
    uv.parent.mkdir(parents=True)
    uv.touch()

    said = command("pdf", source=str(tmp_path), python=f"{tmp_path}/.venv/bin/python", pip=False)

    assert said == (
        f"{uv} sync --project {tmp_path} --frozen --inexact --no-default-groups --extra pdf"
    )


def test_what_was_installed_from_a_folder_is_installed_from_it_again(tmp_path: Path):
    said = command("ldap", source=str(tmp_path), python="/opt/venv/bin/python", pip=True)

    assert said == f"/opt/venv/bin/python -m pip install '{tmp_path}[ldap]'"


def test_without_pip_in_the_environment_the_machines_own_is_asked():
    said = command("ldap", source="gpu-reaper", python="/opt/venv/bin/python", pip=False)

    assert said == "python3 -m pip --python /opt/venv/bin/python install 'gpu-reaper[ldap]'"


def test_a_module_that_is_there_is_not_lacking():
    assert not lacking("json")
    assert lacking("no_such_module_at_all")


def test_the_command_names_the_extra():
    assert "pdf" in installing("pdf")
