"""Which target a GPU gets, by what PyTorch says of it."""

import logging
import types

import pytest

from grout import targets
from grout.torch.runtime import gpus


def properties(name, processors, **others):
    return types.SimpleNamespace(
        name=name,
        major=9,
        minor=0,
        multi_processor_count=processors,
        L2_cache_size=50 << 20,
        **others,
    )


H100 = properties(
    "NVIDIA H100 80GB HBM3",
    132,
    memory_clock_rate=2619000,
    memory_bus_width=5120,
)
H200 = properties(
    "NVIDIA H200", 132, memory_clock_rate=3201000, memory_bus_width=6144
)
PCIE = properties(
    "NVIDIA H100 PCIe", 114, memory_clock_rate=1593000, memory_bus_width=5120
)


@pytest.fixture(autouse=True)
def forget():
    gpus._target_of.cache_clear()


def target_of(monkeypatch, found):
    monkeypatch.setattr("torch.cuda.get_device_properties", lambda _: found)
    return gpus.target_of("cuda:0")


@pytest.mark.parametrize("found, name", [(H100, "h100"), (H200, "h200")])
def test_gpus_of_one_architecture_have_their_own(
    monkeypatch, caplog, found, name
):
    assert target_of(monkeypatch, found) is targets.get(name)
    assert not caplog.records


def test_the_memory_decides_and_not_the_name(monkeypatch):
    renamed = properties(
        "NVIDIA H200", 132, memory_clock_rate=2619000, memory_bus_width=5120
    )
    assert target_of(monkeypatch, renamed) is targets.get("h100")


def test_others_have_the_nearest_and_a_warning(monkeypatch, caplog):
    with caplog.at_level(logging.WARNING, "grout"):
        assert target_of(monkeypatch, PCIE) is targets.get("h100")
        assert target_of(monkeypatch, PCIE) is targets.get("h100")
    assert [
        record.getMessage().partition(":")[0] for record in caplog.records
    ] == ["NVIDIA H100 PCIe (114 SMs, 2.04 TB/s) has no target of its own"]


def test_memory_that_is_not_known_leaves_the_name(monkeypatch):
    unknown = properties("NVIDIA H200", 132)
    assert gpus.describe(unknown).peak_memory_rate == 0
    assert target_of(monkeypatch, unknown) is targets.get("h200")


def test_older_gpus_have_none(monkeypatch):
    old = properties("Tesla T4", 40)
    old.major, old.minor = 7, 5
    assert target_of(monkeypatch, old) is None
