"""
Two kernels as PTX text, compiled by the driver itself: a matrix product, and plain arithmetic.

Each keeps every multiprocessor that it runs on busy for so many nanoseconds by the GPU's own
clock, so that its duty cycle is known without calibration.
"""

from collections.abc import Iterator
from typing import Final

_PRODUCTS: Final = 16
_ACCUMULATORS: Final = 4

_HEAD: Final = """
.version {version}
.target {target}
.address_size 64
.visible .entry load(.param .u64 length, .param .u64 out)
{{
    .reg .pred %more;
    .reg .b32 %a<4>;
    .reg .b32 %b<2>;
    .reg .f32 %c<16>;
    .reg .u64 %now;
    .reg .u64 %end;
    .reg .u64 %out;
    ld.param.u64 %end, [length];
    ld.param.u64 %out, [out];
    mov.u64 %now, %globaltimer;
    add.u64 %end, %end, %now;
{start}
AGAIN:
{body}
    mov.u64 %now, %globaltimer;
    setp.lt.u64 %more, %now, %end;
    @%more bra AGAIN;
{sums}
    st.global.f32 [%out], %c0;
    ret;
}}
"""


def _start() -> Iterator[str]:
    for number in range(4):
        yield f"    mov.b32 %a{number}, 0x2c002c00;"
    for number in range(2):
        yield f"    mov.b32 %b{number}, 0x2c002c00;"
    for number in range(16):
        yield f"    mov.f32 %c{number}, 0f00000000;"


def _products() -> Iterator[str]:
    """Tiles of 16 by 8 by 16 halves on the tensor cores, four sums at a time."""
    for number in range(_PRODUCTS):
        first = number % _ACCUMULATORS * 4
        sums = ", ".join(f"%c{first + place}" for place in range(4))
        yield (
            "    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
            f" {{{sums}}}, {{%a0, %a1, %a2, %a3}}, {{%b0, %b1}}, {{{sums}}};"
        )


def _arithmetic() -> Iterator[str]:
    for number in range(4 * _PRODUCTS):
        place = number % 16
        yield f"    fma.rn.f32 %c{place}, %c{place}, 0f3f7fffff, 0f3a83126f;"


def _written(version: str, target: str, body: Iterator[str]) -> bytes:
    sums = "\n".join(f"    add.f32 %c0, %c0, %c{number};" for number in range(1, 16))
    text = _HEAD.format(
        version=version, target=target, start="\n".join(_start()), body="\n".join(body), sums=sums
    )
    return text.encode() + b"\0"


def product() -> bytes:
    """Return the matrix product, for compute capability 8.0 and later."""
    return _written("7.0", "sm_80", _products())


def arithmetic() -> bytes:
    """Return arithmetic without tensor cores, for older GPUs."""
    return _written("6.0", "sm_60", _arithmetic())
