import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.attribution.podresources import Assignment, WireError, parse

# Made with protobuf from the kubelet's podresources/v1 definition: a pod with a device plugin's
# devices (one a time-sliced replica), CPUs, memory and a DRA claim, and a pod with nothing.
BODY = base64.b64decode(
    "CrYBCgl0cmFpbmVyLTASBG1pcmEaRgoEbWFpbhInCg5udmlkaWEuY29tL2dwdRIFR1BVLTASCEdQVS0xOjozGgQK"
    "AggBGgQABawCIg8KBm1lbW9yeRCAgICAgCAaVwoEc2lkZSpPEgNvbmUaBG1pcmEiQgoiCiBrOHMuZ3B1Lm52aWRp"
    "YS5jb20vY2xhaW09eC1ncHUtMhIOZ3B1Lm52aWRpYS5jb20aBWdwdTAxIgVncHUtMiICAQIKEwoDd2ViEgRvdHRv"
    "GgYKBG1haW4="
)


def test_devices_and_claims_are_read():
    assert parse(BODY) == (
        Assignment(
            namespace="mira",
            name="trainer-0",
            ids=("GPU-0", "GPU-1::3"),
            claims=(("gpu.nvidia.com", "gpu-2"),),
        ),
        Assignment(namespace="otto", name="web", ids=()),
    )


def test_no_pods_are_no_assignments():
    assert parse(b"") == ()


@pytest.mark.parametrize("body", [BODY[:-1], b"\x0a\x05x", b"\x80", b"\xff" * 11, b"\x0b"])
def test_what_is_cut_off_is_refused(body: bytes):
    with pytest.raises(WireError):
        parse(body)


def test_unknown_fields_are_skipped():
    numbers = b"\x38\x96\x01" + b"\x41" + b"8bytes!!" + b"\x4d" + b"4by!" + b"\x52\x02hi"

    assert parse(numbers + BODY) == parse(BODY)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(body: bytes):
    try:
        parse(body)
    except WireError as error:
        assert str(error)  # noqa: PT017 - both outcomes are fine, an unnamed one is not
