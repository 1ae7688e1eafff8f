"""Generic resources: GPUs and nothing else, each index kept, whatever the text says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.platforms.slurm.gres import Gpus, count, gpus, model

MODELS = st.sampled_from(["", "a100", "h100", "1g.5gb", "3g.40gb", "gtx_1080", "nvidia_a100-sxm4"])


@st.composite
def held(draw):
    """What Slurm writes of a job's GPUs of one type on a node, and what it means."""
    indices = sorted(draw(st.sets(st.integers(0, 15), min_size=1, max_size=8)))
    kind = draw(MODELS)
    shown = ",".join(_shorten(indices))
    text = ":".join(filter(None, ["gpu", kind, str(len(indices))])) + f"(IDX:{shown})"
    return text, Gpus(count=len(indices), model=kind, indices=tuple(indices))


def _shorten(indices):
    start = previous = indices[0]
    for index in [*indices[1:], None]:
        if index is not None and index == previous + 1:
            previous = index
            continue
        yield str(start) if start == previous else f"{start}-{previous}"
        start = previous = index


@given(st.lists(held(), max_size=4), st.sampled_from(["", "nvme:2(IDX:0-1)", "gpfs:1", "shard:8"]))
def test_every_index_comes_back(drawn, other):
    text = ",".join([written for written, _ in drawn] + ([other] if other else []))

    assert gpus(text) == tuple(meant for _, meant in drawn)


@given(st.text(max_size=120) | st.text(alphabet="gpu:(IDX)0-9,/=N", max_size=60))
def test_any_text_is_read_without_an_error(text):
    assert all(item.count >= 0 for item in gpus(text))


@pytest.mark.parametrize(
    ("text", "total", "kind"),
    [
        ("gpu:a100:3(S:2,4,7)", 3, "a100"),
        ("gpu:8(S:0-1)", 8, ""),
        ("gpu:gen:8(S:0-1)", 8, "gen"),
        ("gpu:h100:0(IDX:N/A)", 0, "h100"),
        ("gpu:1g.5gb:7(S:0),gpu:a100:2(S:0)", 9, "1g.5gb, a100"),
        ("gres/gpu:4", 4, ""),
        ("gres/gpu=2", 2, ""),
        ("gres:gpu:a100:1", 1, "a100"),
        ("gres/gpu:h100=2", 2, "h100"),
        ("gpu", 1, ""),
        ("gpu:a100", 1, "a100"),
        ("gpu:a100:no_consume:2", 2, "a100"),
        ("gres/gpu=-2", 0, ""),
        ("cpu=4,mem=62.50G,node=1,billing=1,gres/gpu=2", 2, ""),
        ("gpfs:1,gpu_mem:80,mps:100,shard:4,cluster:ascend:1", 0, ""),
        ("(null)", 0, ""),
    ],
)
def test_real_texts_are_counted(text, total, kind):
    assert (count(gpus(text)), model(gpus(text))) == (total, kind)


@pytest.mark.parametrize("text", ["gpu:2(IDX:N/A)", "gpu:2(CNT:2)", "gpu:2", "gpu:2(IDX:0)"])
def test_gpus_without_clear_indices_have_none(text):
    assert gpus(text) == (Gpus(count=2),)
