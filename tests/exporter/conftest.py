"""Fixtures of the exporter's tests."""

from tests.fake_nvml.fixtures import fake_library, fake_node, loaded_node

__all__ = ["fake_library", "fake_node", "loaded_node"]
