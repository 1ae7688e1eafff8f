"""Whose a workload is."""

from typing import Any

import pytest

from reaper.platforms.kubernetes.objects import Meta, meta
from reaper.platforms.kubernetes.ownership.whose import Landlord, Objects, Words, whose
from tests.reaper.platforms.kubernetes.drawn import metadata, owner

MAP = Words(owners=(Landlord(namespace=("*",), owner="lead", team="vision"),))


def read(kind: str, name: str, *owners: Any, **about: Any) -> Meta:
    return meta({"metadata": metadata(name, *owners, **about)}, "", kind)


def profile(**about: Any) -> Meta:
    made_by = owner("Profile", "ns", version="kubeflow.org/v1")
    return read("Namespace", "ns", made_by, annotations={"owner": "mira@site.org"}, **about)


def found(*pods: Meta, **more: Any) -> Objects:
    return Objects(workload=more.pop("workload", None), pods=pods or (read("Pod", "p"),), **more)


def test_a_kubeflow_profile_names_the_owner_of_its_namespace():
    assert whose(found(namespace=profile()), Words()).owner == "mira@site.org"


def test_a_namespace_that_no_profile_made_names_nobody():
    """Whoever made it may have written anything there."""
    plain = read("Namespace", "ns", annotations={"owner": "mira@site.org"})

    assert whose(found(namespace=plain), Words()).owner == ""


@pytest.mark.parametrize("place", ["labels", "annotations"])
def test_a_hubs_pod_is_its_users_where_only_the_hub_makes_pods(place: str):
    pod = read("Pod", "p", **{place: {"hub.jupyter.org/username": "mira"}})

    assert whose(found(pod), Words(hubs=("n*",))).owner == "mira"
    assert whose(found(pod), Words(hubs=("other",))).owner == ""


def test_the_hubs_own_spelling_of_a_name_goes_before_the_one_made_to_fit_a_label():
    pod = read(
        "Pod",
        "p",
        labels={"hub.jupyter.org/username": "mira-40site"},
        annotations={"hub.jupyter.org/username": "mira@site"},
    )

    assert whose(found(pod), Words(hubs=("ns",))).owner == "mira@site"


def test_coders_workspaces_are_told_in_its_namespaces():
    pod = read("Pod", "p", labels={"com.coder.user.username": "mira"})

    assert whose(found(pod), Words(coder=("ns",))).owner == "mira"
    assert whose(found(pod), Words()).owner == ""


def test_what_an_admission_policy_wrote_goes_before_a_profile():
    """The creator of one workspace is narrower than the owner of a namespace."""
    workspace = read("Workspace", "w", annotations={"site.org/creator": "leo"})
    words = Words(creator="site.org/creator")

    assert whose(found(workload=workspace, namespace=profile()), words).owner == "leo"


def test_what_the_platform_says_goes_before_the_administrators_map():
    said = whose(found(namespace=profile()), MAP)

    assert (said.owner, said.team) == ("mira@site.org", "vision")


def test_the_administrators_first_word_that_fits_is_taken():
    words = Words(
        owners=(Landlord(namespace=("n*",), team="a"), Landlord(namespace=("ns",), owner="b"))
    )

    assert (whose(found(), words).owner, whose(found(), words).team) == ("", "a")


def test_pods_of_several_persons_in_one_workload_name_nobody():
    pods = [
        read("Pod", name, labels={"hub.jupyter.org/username": name}) for name in ("mira", "leo")
    ]

    assert whose(found(*pods), Words(hubs=("ns",), owners=MAP.owners)).owner == ""
