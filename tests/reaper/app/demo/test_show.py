import socket
from pathlib import Path

import pytest

from reaper.app.demo.show import demo
from reaper.schema import address
from reaper.web.sockets import ListenError


async def test_what_lies_in_the_folder_of_a_running_demonstration_stays(tmp_path: Path):
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "reaper.sock"))
        listening.listen()

        with pytest.raises(ListenError, match="another gpu-reaper listens"):
            await demo(say=print, listen=address("127.0.0.1:0"), directory=tmp_path)

    assert not (tmp_path / "gpu-reaper.yaml").exists()
