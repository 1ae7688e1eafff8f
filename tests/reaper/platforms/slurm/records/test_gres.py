"""Generic resources: GPUs and nothing else, each index kept, a text read whole or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.platforms.slurm.records.gres import MOST, Gpus, GresError, asked, count, gpus, model

MODELS = st.sampled_from(["", "a100", "h100", "1g.5gb", "3g.40gb", "gtx_1080", "nvidia_a100-sxm4"])


@st.composite
def held(draw):
    """What Slurm writes of a job's GPUs of some types on a node, and what it means."""
    free = draw(st.permutations(range(16)))
    texts, meant = [], []
    for size in draw(st.lists(st.integers(1, 5), max_size=3)):
        indices, free = sorted(free[:size]), free[size:]
        kind, placeholder = draw(MODELS), draw(st.sampled_from(["", "(null)", "N/A", "none"]))
        shown = ",".join(_shorten(indices))
        named = ":".join(filter(None, ["gpu", kind or placeholder, str(size)]))
        texts.append(f"{named}(IDX:{shown})")
        meant.append(Gpus(count=size, model=kind, indices=tuple(indices)))
    return texts, tuple(meant)


def _shorten(indices):
    start = previous = indices[0]
    for index in [*indices[1:], None]:
        if index is not None and index == previous + 1:
            previous = index
            continue
        yield str(start) if start == previous else f"{start}-{previous}"
        start = previous = index


@given(held(), st.sampled_from(["", "nvme:2(IDX:0-1)", "gpfs:1", "shard:8", "(null)"]))
def test_every_index_comes_back(drawn, other):
    texts, meant = drawn

    assert gpus(",".join(texts + ([other] if other else []))) == meant


@given(held().filter(lambda drawn: drawn[0]), st.data())
def test_a_text_that_breaks_off_inside_its_brackets_is_refused(drawn, data):
    whole = ",".join(drawn[0])
    cut = data.draw(st.integers(whole.rindex("(") + 1, len(whole) - 1))

    with pytest.raises(GresError):
        gpus(whole[:cut])


@given(st.text(max_size=120) | st.text(alphabet="gpu:(IDX)0-9,/=N", max_size=60))
def test_any_text_is_read_or_refused_by_name(text):
    for read in (gpus, asked):
        try:
            found = read(text)
        except GresError:
            continue

        assert all(0 <= item.count <= MOST for item in found)


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
        ("gpu:a100:no_consume:2", 2, "a100"),
        ("cpu=4,mem=62.50G,node=1,billing=1,gres/gpu=2", 2, ""),
        ("gpfs:1,gpu_mem:80,mps:100,shard:4,cluster:ascend:1", 0, ""),
        ("license/matlab@server=2,gres/gpu=1", 1, ""),
        ("shard:tesla:5(0/8,5/8),gpu:1", 1, ""),
        ("(null)", 0, ""),
        ("N/A", 0, ""),
        ("", 0, ""),
        ("gpu:(null):4(IDX:0-3)", 4, ""),
        ("gpu:(null):2(IDX:0-1)", 2, ""),
        ("gpu:(null):0(IDX:N/A)", 0, ""),
        ("gpu:(null):no_consume:2", 2, ""),
        ("(null),gpu:N/A:2(IDX:(null))", 2, ""),
        ("GPU:A100:2(IDX:0-1)", 2, "A100"),
    ],
)
def test_real_texts_are_counted(text, total, kind):
    assert (count(gpus(text)), model(gpus(text))) == (total, kind)


@pytest.mark.parametrize("text", ["gpu:2(IDX:N/A)", "gpu:2(CNT:2)", "gpu:2", "gpu:2(S:0-1)"])
def test_gpus_without_clear_indices_have_none(text):
    assert gpus(text) == (Gpus(count=2),)


@pytest.mark.parametrize(
    "text",
    [
        "gpu",
        "gpu:a100",
        "gpu:(null)",
        "gpu:4:(null)",
        "gpu:a100:four",
        "gpu:a100:h100:2",
        "gres/gpu=-2",
        "gpu:9999999",
        "gpu:2(IDX:0)",
        "gpu:0(IDX:3)",
        "gpu:2(IDX:0-x)",
        "gpu:2(IDX:1-0)",
        "gpu:2(IDX:0-1",
        "gpu:2(IDX:0-1)x",
        "gpu:2(NEW:7)",
        "gpu:(type):2",
        "gpu/a100:2",
        "gpu:2,",
        "nvme:1,,gpu:2",
        "gpu:1(IDX:0),gpu:h100:1(IDX:0)",
    ],
)
def test_an_answer_that_is_not_understood_whole_is_no_number(text):
    with pytest.raises(GresError, match="cannot be read"):
        gpus(text)


@pytest.mark.parametrize(
    ("text", "total", "kind"),
    [
        ("gpu", 1, ""),
        ("gres/gpu", 1, ""),
        ("gpu:a100", 1, "a100"),
        ("gpu:(null)", 1, ""),
        ("gres/gpu=-2", 0, ""),
        ("gres/gpu:h100=2", 2, "h100"),
    ],
)
def test_a_wish_without_a_number_is_for_one(text, total, kind):
    assert (count(asked(text)), model(asked(text))) == (total, kind)
