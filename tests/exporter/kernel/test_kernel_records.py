"""What the kernel log's lines say of cards, in every spelling."""

import pytest

from exporter.kernel.records import Loaded, Message, Reader, Xid

JOURNAL = "Nov 30 06:00:00 n1 kernel: "


def heard(*lines, wall=5.0, step=0.0):
    reader = Reader()
    return [
        event
        for number, line in enumerate(lines)
        for event in reader.read(line, wall + number * step, past=False)
    ]


def lost(*lines, **words):
    """Return the addresses that lines call lost, empty text for one that is not named."""
    return [
        one.bus
        for one in heard(*lines, **words)
        if isinstance(one, Message) and one.fault.meaning == "lost"
    ]


@pytest.mark.parametrize(
    ("text", "bus", "number"),
    [
        (
            "NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, name=python3, GPU has fallen",
            "0000:3b:00",
            79,
        ),
        ("NVRM: Xid (PCI:0000:3B:00): 31, pid=1, Ch 00000010", "0000:3b:00", 31),
        ("[  12.3] NVRM: Xid (PCI:0001:03:00 GPU-I:05 GPU-CI:00): 13, x", "0001:03:00", 13),
        ("Mar 2 09:00:00 gpu01 kernel: NVRM: Xid (0000:3b:00): 48, x", "0000:3b:00", 48),
        ("NVRM: Xid (PCI:00000000:3b:00): 119, Timeout", "0000:3b:00", 119),
        ("NVRM: Xid (PCI:0000:3b:00.0): 119, Timeout", "0000:3b:00", 119),
        ("NVRM: Xid (3b:00): 62, 2ec4 8d", "0000:3b:00", 62),
        ("NVRM: Xid (PCI:3b:00.0): 62", "0000:3b:00", 62),
        ("NVRM: Xid (PCI:10000:e1:00): 45, x", "10000:e1:00", 45),
        ("nv_printf: 12 callbacks suppressed NVRM: Xid (PCI:0000:3b:00): 63, x", "0000:3b:00", 63),
    ],
)
def test_an_xid_is_read_with_its_card(text, bus, number):
    (event,) = heard(text)

    assert (type(event), event.bus, event.number) == (Xid, bus, number)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "eth0: link up",
        "NVRM: Xid (PCI:xyz): 79",
        "NVRM: Xid (PCI:0000:3b:00): ",
        "NVRM: GPU at PCI:0000:3b:00: GPU-0",
        "NVRM: GPU 0000:3b:00.0: RmInitAdapter failed! (0x62:0x40:2404)",
        "nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 12028, Non-fatal, Link 32",
        "mlx5_core 0000:3b:00.0: device has fallen off the bus",
        "systemd[1]: the GPU has fallen off the bus",
        "NVRM: The NVIDIA GPU 0000:3b:00.0 (PCI ID: 10de:2d04)",
        "nvidia 0000:3b:00.0: enabling device (0000 -> 0002)",
    ],
)
def test_other_lines_say_nothing(text):
    assert heard(text) == []


def test_a_driver_that_is_loaded_is_told():
    text = "NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  595.71.05"

    assert heard(text) == [Loaded(wall=5.0)]


@pytest.mark.parametrize(
    "text",
    [
        "NVRM: GPU 0000:b3:00.0: GPU has fallen off the bus.",
        "NVRM: GPU 00000000:B3:00.0: GPU has fallen off the bus.",
        "NVRM: GPU b3:00.0: GPU has fallen off the bus.",
        "NVRM: GPU at PCI:0000:b3:00: has fallen off the bus.",
        "NVRM: GPU at 0000:b3:00.0 has fallen off the bus.",
        "[12345.678901] NVRM: GPU 0000:b3:00.0: GPU has fallen off the b",
        f"{JOURNAL}NVRM: GPU 0000:b3:00.0: GPU has fallen off the bus.",
        "NVRM: The NVIDIA GPU 0000:b3:00.0 (PCI ID: 10de:26b5) installed in this has fallen off",
        "NVRM: GPU 0000:b3:00.0: GPU is lost.",
        "NVRM: nvidia_close_callback: GPU 0000:b3:00.0 is lost",
        "NVRM: Attempting to remove device 0000:b3:00.0 with non-zero usage count!",
        "nvidia 0000:b3:00.0: Unable to change power state from D3cold to D0, device inaccessible",
        "nvidia 0000:b3:00.0: can't change power state from D3cold (config space inaccessible)",
        "nvidia 0000:b3:00.0: not ready 65535ms after bus reset; giving up",
    ],
)
def test_off_the_bus_has_many_spellings(text):
    assert lost(text) == ["0000:b3:00"]


FELL = (
    "NVRM: The NVIDIA GPU 0000:b3:00.0",
    "               NVRM: (PCI ID: 10de:26b5) installed in this system has",
    "               NVRM: fallen off the bus and is not responding to commands.",
)


def test_three_lines_name_the_card_in_the_first():
    assert lost(*(f"{JOURNAL}{line}" for line in FELL)) == ["0000:b3:00"]


def test_two_lines_name_the_card_in_the_first():
    assert lost(f"{FELL[0]} (PCI ID: 10de:26b5) installed in this system has", FELL[2]) == [
        "0000:b3:00"
    ]


def test_lines_of_others_may_come_between():
    between = (
        "mlx5_core 0000:ab:00.0 mlx5_5: Port: 1 Link ACTIVE",
        "NVRM: Xid (PCI:0000:c1:00): 31, pid=1",
        "NVRM: GPU at PCI:0000:c1:00: GPU-1",
    )

    assert lost(FELL[0], between[0], FELL[1], *between[1:], FELL[2]) == ["0000:b3:00"]


def test_two_cards_that_fall_at_once_are_both_found():
    other = tuple(line.replace("b3", "b4") for line in FELL)
    mixed = [line for pair in zip(FELL, other, strict=True) for line in pair]

    assert lost(*mixed) == ["0000:b3:00", "0000:b4:00"]


def test_a_message_that_names_its_card_ends_no_other():
    single = "NVRM: GPU 0000:c1:00.0: GPU has fallen off the bus."

    assert lost(FELL[0], single, *FELL[1:]) == ["0000:c1:00", "0000:b3:00"]


def test_a_card_that_is_merely_not_supported_is_not_lost():
    unsupported = (FELL[0], "NVRM: installed in this system is not supported by the driver")

    assert lost(*unsupported, FELL[2]) == [""]


def test_a_first_line_of_long_ago_is_not_awaited():
    assert lost(FELL[0], *FELL[1:], step=10.0) == [""]


@pytest.mark.parametrize(
    "text",
    [
        "NVRM: GPU0 nvCheckOkFailedNoLog: Check failed: GPU lost from the bus [NV_ERR_GPU_IS_LOST]",
        "NVRM: GPU5 _issueRpcAndWait: failed with NV_ERR_GPU_IS_LOST (0x0000000F)",
        "NVRM: Xid 79, GPU has fallen off the bus.",
        FELL[2],
    ],
)
def test_a_loss_without_an_address_is_told_as_such(text):
    assert lost(text) == [""]


def test_a_system_processor_that_is_silent_has_a_message_without_an_xid():
    (event,) = heard(
        "NVRM: Rate limiting GSP RPC error prints for GPU at PCI:0000:61:00 (printing 1 of every"
        " 30).  The GPU likely needs to be reset."
    )

    assert (event.bus, event.fault.meaning, event.fault.stops) == ("0000:61:00", "firmware", True)


def test_a_record_of_several_lines_is_read_line_by_line():
    assert lost(r"\x0a".join(FELL)) == ["0000:b3:00"]


@pytest.mark.parametrize("cut", range(len(FELL[0])))
def test_a_line_that_is_cut_anywhere_is_no_fault_of_the_reader(cut):
    assert lost(FELL[0][:cut]) == []
