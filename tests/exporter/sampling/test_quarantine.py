"""A target whose call never returned is left alone, longer each time."""

from exporter.sampling.quarantine import Quarantine
from exporter.sampling.snapshot import Device

CARD = Device(uuid="GPU-3", index=3)
SLICE = Device(uuid="MIG-3", index=3, parent="GPU-3")


def quarantine_of(*targets):
    quarantine = Quarantine()
    quarantine.learn((CARD, SLICE))
    for target in targets:
        quarantine.add(target, 0)
    return quarantine


def test_a_card_is_spared_with_all_that_lives_on_it():
    assert quarantine_of("gpu 3").spared(1) == {3: (CARD, SLICE)}


def test_a_card_never_seen_is_spared_without_identity():
    assert quarantine_of("gpu 5").spared(1) == {5: ()}


def test_another_target_is_avoided_in_words():
    quarantine = quarantine_of("pid 71")

    assert (quarantine.targets(1), quarantine.spared(1)) == ({"pid 71"}, {})


def test_a_call_without_target_blames_nobody():
    assert quarantine_of("").targets(1) == frozenset()


def test_the_first_spell_is_a_minute():
    quarantine = quarantine_of("gpu 3")

    assert (bool(quarantine.targets(59)), bool(quarantine.targets(60))) == (True, False)


def test_each_spell_is_twice_as_long():
    quarantine = quarantine_of("gpu 3")
    quarantine.add("gpu 3", 60)

    assert quarantine.targets(179)
