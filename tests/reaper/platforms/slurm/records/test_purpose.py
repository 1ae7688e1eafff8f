"""What a job is for: every sign of a person counts, an operator's word counts more."""

import pytest

from reaper.domain.facts.allocation import Purpose
from reaper.platforms.slurm.records.purpose import Rule, purpose
from tests.reaper.platforms.slurm.drawn import job


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ({"batch": False, "command": "bash"}, "runs a shell: bash"),
        ({"batch": False, "command": "/usr/bin/zsh"}, "runs a shell: /usr/bin/zsh"),
        ({"batch": False, "command": "python"}, "no batch script: salloc or srun"),
        ({"submit_line": "salloc --gres=gpu:1"}, "submitted by salloc"),
        ({"submit_line": "/opt/slurm/bin/salloc -N1"}, "submitted by salloc"),
        ({"submit_line": "srun --gres=gpu:1 --pty bash"}, "submitted by srun --pty"),
        ({"name": "sys/dashboard/sys/jupyter"}, "named like a session: sys/dashboard/sys/jupyter"),
        ({"name": "spawner-jupyterhub"}, "named like a session: spawner-jupyterhub"),
        ({"name": "interactive"}, "named like a session: interactive"),
    ],
)
def test_a_sign_of_a_person_makes_it_interactive(words, why):
    kind, evidence, ruled = purpose(job(**words))

    assert kind is Purpose.INTERACTIVE
    assert why in evidence
    assert not ruled


@pytest.mark.parametrize(
    "words",
    [
        {"name": "train"},
        {"name": "interactive-segmentation"},
        {"command": "/home/mira/bash"},
        {"submit_line": "sbatch train.sh --salloc-like --ptyx"},
    ],
)
def test_a_batch_script_without_such_a_sign_is_training(words):
    assert purpose(job(**words))[0] is Purpose.TRAINING


def test_the_first_rule_that_fits_wins():
    rules = (
        Rule(purpose=Purpose.INFERENCE, partition=("serve*",)),
        Rule(purpose=Purpose.OTHER, account=("ml",), name=("x*", "y*")),
        Rule(purpose=Purpose.DEFERRED),
    )
    drawn = job(account="ml", name="y1", batch=False)

    assert purpose(drawn, rules) == (
        Purpose.OTHER,
        ("purpose rule 2 of the configuration",),
        True,
    )


def test_a_rule_needs_all_its_patterns():
    rule = Rule(purpose=Purpose.OTHER, account=("ml",), qos=("low",))

    assert not rule.fits(job(account="ml", qos="high"))
