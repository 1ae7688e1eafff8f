"""What an operator writes of workloads."""

from reaper.domain.facts.allocation import Purpose
from reaper.platforms.kubernetes.workload_settings import WorkloadSettings


def test_without_a_word_the_usual_resources_are_gpus_and_nobody_is_named():
    found = WorkloadSettings()

    assert found.gpus().cover("nvidia.com/gpu")
    assert (found.configured().rules, found.configured().words.owners, found.keeps) == ((), (), ())


def test_what_is_written_is_what_claims_are_made_by():
    found = WorkloadSettings.model_validate(
        {
            "resources": ["site.org/*"],
            "replicas": {"site.org/gpu": 4},
            "purposes": [{"class": "training", "namespace": "batch-*", "priority_class": "low"}],
            "owners": [{"namespace": ["vision-*"], "owner": "leo", "team": "vision"}],
            "creator": "site.org/creator",
            "jupyterhub": "jhub",
            "keeps": "vision-*",
        }
    )
    made = found.configured()

    assert (made.rules[0].purpose, made.rules[0].priority_class) == (Purpose.TRAINING, ("low",))
    assert (made.words.creator, made.words.hubs) == ("site.org/creator", ("jhub",))
    assert made.words.owners[0].owner == "leo"
    assert made.replicas == {"site.org/gpu": 4}
    assert found.gpus().cover("site.org/gpu")
    assert found.keeps == ("vision-*",)
