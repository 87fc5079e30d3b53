"""What the tests of the backend share; they are skipped without PyTorch."""

import gc

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torch_mlir")

import grout.torch  # noqa: E402, F401


@pytest.fixture(autouse=True)
def fresh(tmp_path, monkeypatch):
    """No test sees what another one has compiled, or the user's cache. What
    another one compiles for new shapes is ready before: while PyTorch traces a
    graph, it changes modules for all threads."""
    grout.torch.wait()
    monkeypatch.setenv("GROUT_CACHE_DIR", str(tmp_path / "cache"))
    torch.manual_seed(0)
    torch._dynamo.reset()
    # What is imported, millions of objects, is no garbage later, either.
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def quick():
    """One thread: the tests are many and small. TorchDynamo does not flush the
    caches of the processor for each graph, to log how long its guards take."""
    torch.set_num_threads(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            torch._dynamo.guards,
            "profile_guard_manager",
            lambda *_: 0.0,
            raising=False,  # Other versions may not have it.
        )
        yield
    gc.unfreeze()  # so that Python frees it when it ends
