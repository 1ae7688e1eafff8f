"""What the text of a page holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.dcgm.page import parse, value
from exporter.sampling.snapshot import Absent
from tests.exporter.dcgm.pages import CARD, OTHER, page, row
from tests.public_traces import public

OLD = ("SM_ACTIVE 0.1", "PIPE_TENSOR_ACTIVE 0.2", "DRAM_ACTIVE 0.3", "GR_ENGINE_ACTIVE 0.4")
NEW = ("SM_UTIL_RATIO 0.1", "TENSOR_UTIL_RATIO 0.2", "DRAM_UTIL_RATIO 0.3",
       "GR_ENGINE_UTIL_RATIO 0.4")  # fmt: skip


@pytest.mark.parametrize("fields", [OLD, NEW], ids=["before 4.6", "since 4.6"])
def test_both_sets_of_names_mean_the_same(fields):
    assert parse(page(*fields)).devices[CARD, None] == {
        "sm": 0.1,
        "tensor": 0.2,
        "dram": 0.3,
        "graphics": 0.4,
    }


@pytest.mark.parametrize("host", ["Hostname", "hostname"])
def test_both_spellings_of_the_host_are_read(host):
    assert parse(page(*OLD, host=host)).hosts == {"node7"}


def test_a_device_without_profiling_series_is_listed_without_fields():
    assert parse(page()).devices == {(CARD, None): {}}


def test_an_instance_is_apart_from_its_card():
    text = page("GR_ENGINE_ACTIVE 0.5") + page("SM_ACTIVE 0.25", mig=7)

    assert parse(text).devices == {(CARD, None): {"graphics": 0.5}, (CARD, 7): {"sm": 0.25}}


def test_a_shared_device_counts_by_its_busiest_row():
    text = "".join(
        row("PROF_SM_ACTIVE", number, pod=pod)
        for pod, number in (("a", 0), ("b", 0.75), ("c", 2147483632))
    )

    assert parse(text).devices[CARD, None] == {"sm": 0.75}


def test_an_unallocated_device_needs_no_labels_of_a_pod():
    text = page("SM_ACTIVE 0.5", pod="a") + page("SM_ACTIVE 0", uuid=OTHER)

    assert [fields["sm"] for fields in parse(text).devices.values()] == [0.5, 0.0]


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("2147483632", "paused"),
        ("2147483633", "stale"),
        ("2147483634.000000", "unsupported"),
        ("2147483635", "unsupported"),
        ("9223372036854775792", "paused"),
        ("9223372036854775794", "unsupported"),
        ("9.223372036854775e+18", None),
        ("9.223372036854775807e+18", "paused"),
        ("140737488355328.000000", "paused"),
        ("140737488355330", "unsupported"),
        ("140737488355332", None),
        ("2147483636", None),
        ("nan", "stale"),
        ("<<<NULL>>>", "stale"),
        ("N/A", "stale"),
    ],
)
def test_blanks_are_told_exactly_from_numbers(text, state):
    assert getattr(value(text), "state", None) == state


def test_a_time_after_the_number_is_left_out():
    assert parse(row("PROF_SM_ACTIVE", "0.5 1773114089000")).devices[CARD, None] == {"sm": 0.5}


def test_braces_and_quotes_in_labels_end_nothing():
    text = row("PROF_SM_ACTIVE", 0.5).replace("node7", r"no}de\"7")

    assert parse(text).devices == {(CARD, None): {"sm": 0.5}}


def test_rows_without_identity_and_of_others_are_left_out():
    text = 'DCGM_FI_PROF_SM_ACTIVE 1\nother{UUID="x"} 1\nDCGM_FI_PROF_SM_ACTIVE{UUID="x"\n'

    assert parse(text).devices == {}


@given(st.text(st.sampled_from('DCGM_FI_PROF_SM_ACTIVE{}",=\\ \n01.')))
def test_any_text_gives_a_page(text):
    assert parse(text).hosts == frozenset()


def test_a_long_broken_page_is_read_in_no_time():
    broken = 'DCGM_FI_PROF_SM_ACTIVE{UUID="' + 'x{"' * 200_000

    assert parse(broken * 3).devices == {}


def test_the_recorded_page_lists_its_eight_cards_and_no_profiling():
    text = public(
        "metrics", "dcgm-exporter", "aicr-eks-h100-driver580-with-pod-labels.prom"
    ).read_text()
    found = parse(text)

    assert (len(found.devices), found.hosts) == (8, {"gpu-node-1"})
    assert found.devices[CARD, None] == {}
    assert found.cards["00000000:53:00.0"] == CARD


def test_a_page_of_another_exporter_has_no_device():
    names = ("nvidia_gpu_exporter/linux-x86_64__nvidia-h100-mig__590.48.01__load.prom",
             "other/slurm-job-exporter-readme.prom")  # fmt: skip
    found = [parse(public("metrics", *name.split("/")).read_text()) for name in names]

    assert [one.devices for one in found] == [{}, {}]


def test_absent_values_say_why():
    assert isinstance(value("2147483632"), Absent)
    assert "profiler" in value("2147483632").reason
