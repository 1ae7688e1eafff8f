"""What the node's network cards move, over a drawn /sys."""

from pathlib import Path

import pytest

from exporter.collectors.network import NetworkCollector
from exporter.collectors.sight import Places, Sight
from exporter.kernel.network import Traffic, traffic
from exporter.sampling.calls import Calls
from tests.exporter.fakes import StillClock


def drawn(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def interface(sys: Path, name: str, *, received: str, sent: str, real: bool = True) -> None:
    folder = sys / "class/net" / name
    drawn(folder / "statistics/rx_bytes", received)
    drawn(folder / "statistics/tx_bytes", sent)
    if real:
        (folder / "device").mkdir()


def port(sys: Path, name: str, number: int, *, received: int, sent: int) -> None:
    counters = sys / "class/infiniband" / name / "ports" / str(number) / "counters"
    drawn(counters / "port_rcv_data", f"{received}\n")
    drawn(counters / "port_xmit_data", f"{sent}\n")


def collected(sys: Path):
    clock = StillClock()
    sight = Sight(
        driver=None, devices=(), processes=(), clock=clock, calls=Calls(None, clock.monotonic)
    )
    return NetworkCollector(Places(sys=str(sys))).collect(sight)


def test_a_card_tells_what_it_has_received_and_sent(tmp_path: Path) -> None:
    interface(tmp_path, "eth0", received="700\n", sent="30\n")

    assert list(traffic(tmp_path)) == [Traffic(device="eth0", received=700, sent=30)]


@pytest.mark.parametrize("name", ["lo", "docker0", "veth1", "bond0"])
def test_what_moves_the_same_bytes_again_is_left_out(tmp_path: Path, name: str) -> None:
    interface(tmp_path, name, received="700\n", sent="30\n", real=False)

    assert list(traffic(tmp_path)) == []


def test_an_infiniband_port_counts_words_of_four_bytes(tmp_path: Path) -> None:
    port(tmp_path, "mlx5_0", 1, received=100, sent=5)

    assert list(traffic(tmp_path)) == [Traffic(device="mlx5_0/1", received=400, sent=20)]


@pytest.mark.parametrize("text", ["", "many\n"])
def test_a_card_that_cannot_be_read_is_left_out_alone(tmp_path: Path, text: str) -> None:
    interface(tmp_path, "eth0", received=text, sent="30\n")
    interface(tmp_path, "eth1", received="1\n", sent="2\n")

    assert [one.device for one in traffic(tmp_path)] == ["eth1"]


def test_a_node_without_cards_says_so(tmp_path: Path) -> None:
    (source,) = collected(tmp_path).sources

    assert (source.source, source.state) == ("network", "absent")
    assert str(tmp_path) in source.reason


def test_hundreds_of_cards_do_not_fill_the_page(tmp_path: Path) -> None:
    for number in range(200):
        interface(tmp_path, f"eth{number}", received="1\n", sent="1\n")

    assert len(collected(tmp_path).traffic) == 64
