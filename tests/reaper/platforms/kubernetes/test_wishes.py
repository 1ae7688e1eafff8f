"""Keeps that stand on workloads."""

from typing import Any

import pytest

from reaper.platforms.kubernetes.wishes import KEEP, lasting, wishes
from reaper.ports import Wished
from tests.reaper.platforms.kubernetes.drawn import NOON, deployment, pod, seen, uid, when

HOUR = 3600.0


def kept(text: str = "4h", *, at: float | None = NOON - 60, by: str = "kubectl-annotate") -> dict:
    about: dict[str, Any] = {"annotations": {KEEP: text}}
    if at is not None:
        fields = {"f:metadata": {"f:annotations": {f"f:{KEEP}": {}}}}
        about["managedFields"] = [{"manager": by, "time": when(at), "fieldsV1": fields}]
    return about


def test_a_keep_on_a_workload_is_its_namespaces():
    """A manager of fields is a program, not a person."""
    (found,) = wishes(seen(pod(**kept())), ["n*"])

    assert found == Wished(
        id=f"{uid('pod-0')} 4h {NOON - 60:.0f} {uid('pod-0')}",
        run_key=uid("pod-0"),
        seconds=4 * HOUR - 60,
        by="namespace/ns",
        reason="gpu-reaper.io/keep: 4h (kubectl-annotate)",
    )


def test_a_keep_counts_only_where_an_administrator_said_that_it_does():
    assert wishes(seen(pod(**kept())), ["other"]) == ()
    assert wishes(seen(pod(**kept())), []) == ()


def test_a_keep_on_the_workload_keeps_the_run_of_its_oldest_pod():
    pods, owners = deployment("web", 2)
    owners[0]["metadata"] |= kept()

    assert [one.run_key for one in wishes(seen(*pods, owners=owners), ["ns"])] == [uid("web-7-0")]


def test_a_keep_that_a_controller_copied_to_a_pod_is_nobodys():
    """With every new pod it would be another."""
    pods, owners = deployment("web", 1, **kept())

    assert wishes(seen(*pods, owners=owners), ["ns"]) == ()


def test_a_keep_that_is_over_is_none():
    assert wishes(seen(pod(**kept("1h", at=NOON - 2 * HOUR))), ["ns"]) == ()


def test_a_keep_of_which_nobody_says_when_it_was_written_counts_from_now():
    (found,) = wishes(seen(pod(**kept(at=None))), ["ns"])

    assert (found.seconds, found.reason) == (4 * HOUR, "gpu-reaper.io/keep: 4h")


def test_a_keep_that_is_written_anew_is_another():
    first = wishes(seen(pod(**kept(at=NOON - 60))), ["ns"])
    second = wishes(seen(pod(**kept(at=NOON - 30))), ["ns"])

    assert first[0].id != second[0].id


def test_what_is_left_of_a_keep_holds_for_the_next_run_of_a_workload():
    """Its pod was replaced meanwhile; without a time nobody knows what is left."""
    found = []
    for number, at in ((0, NOON - 60), (1, NOON - 60), (0, None), (1, None)):
        pods, owners = deployment("web", 2)
        owners[0]["metadata"] |= kept(at=at)
        found += wishes(seen(pods[number], owners=owners), ["ns"])

    assert [one.run_key for one in found] == [uid(f"web-7-{number}") for number in (0, 1, 0, 1)]
    assert found[0].id != found[1].id
    assert found[2].id == found[3].id


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("4h", 4 * HOUR),
        ("90m", 1.5 * HOUR),
        ("1d12h", 36 * HOUR),
        ("1.5h", 1.5 * HOUR),
        (" 2 H ", 2 * HOUR),
        ("4", None),
        ("true", None),
        ("4h please", None),
        ("-4h", None),
        ("0h", None),
        ("", None),
    ],
)
def test_a_time_is_a_number_with_its_unit(text: str, seconds: float | None):
    assert lasting(text) == seconds
