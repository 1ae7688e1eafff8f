"""PCI addresses in every spelling."""

import pytest

from exporter.kernel.pci import bus_of


@pytest.mark.parametrize(
    ("pci", "bus"),
    [
        ("00000000:3B:00.0", "0000:3b:00"),
        ("0001:C1:00.0", "0001:c1:00"),
        ("10000:e1:00.0", "10000:e1:00"),
        ("0000:3b:00", "0000:3b:00"),
        ("3b:00.0", "0000:3b:00"),
        ("3b:00", "0000:3b:00"),
        ("PCI:0000:3B:00", "0000:3b:00"),
        ("0:3b:0.0", "0000:3b:00"),
        ("", ""),
        ("x", ""),
        ("0000:zz:00.0", ""),
    ],
)
def test_one_address_has_one_spelling(pci, bus):
    assert bus_of(pci) == bus
