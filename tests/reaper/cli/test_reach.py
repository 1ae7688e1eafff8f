import socket
import subprocess
import sys
from pathlib import Path

import pytest

from reaper.cli.reach import Reach
from reaper.config import ConfigError

LOADED = """
import sys
import reaper.cli.main, reaper.cli.status
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def test_status_loads_neither_store_nor_configuration_before_it_has_asked():
    told = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True
    ).stdout.split()

    assert not {"sqlalchemy", "pydantic", "aiohttp", "jinja2", "yaml"} & set(told)


def test_a_reaper_at_a_socket_named_plainly_is_found_though_the_rest_is_broken(tmp_path: Path):
    file = tmp_path / "reaper.yaml"
    file.write_text(f"web: {{socket: {tmp_path}/own.sock}}\nnobody: knows this\n")

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(f"{tmp_path}/own.sock")
        server.listen()
        line = Reach(config=file, socket=None).line()

    assert line is not None
    assert line.path == tmp_path / "own.sock"


@pytest.mark.parametrize("text", ["web: {socket: own.sock}", "[]", "web: [", "a: b", "web: 1"])
def test_a_broken_file_that_does_not_say_it_plainly_is_read_whole(tmp_path: Path, text: str):
    file = tmp_path / "reaper.yaml"
    file.write_text(f"{text}\nnobody: knows this\n")

    with pytest.raises(ConfigError):
        Reach(config=file, socket=None).line()
