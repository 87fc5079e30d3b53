"""What the tests of grout.jax share."""

import os

import pytest

# Two devices, for arrays that are spread over them.
os.environ["XLA_FLAGS"] = (
    os.environ.get("XLA_FLAGS", "")
    + " --xla_force_host_platform_device_count=2"
)
os.environ.setdefault("JAX_PLATFORMS", "cpu")


@pytest.fixture(autouse=True)
def fresh(tmp_path, monkeypatch):
    """No test sees what another one has compiled, or the user's cache."""
    monkeypatch.setenv("GROUT_CACHE_DIR", str(tmp_path / "cache"))
