"""mode="max-autotune", on a GPU that is none: times are those of a table."""

import pytest
import torch
from programs import branches, elementwise, product

import grout
from grout.torch.compilation import autotuning
from grout.torch.options import Options
from grout.torch.runtime import timing

OPTIONS = {
    "target": "h200",
    "f32_products": "auto",
    "name": "partition",
    "reference": False,
}

NO_GEMM: dict = {"products": [], "inputs": []}


class Gpu:
    """Measures by `times`, which gets the number of a module among those that
    are compared."""

    def __init__(self, times):
        self.times = times
        self.measured = []
        self.values = []

    def measure(self, modules, device, cold=(), values=None):
        self.measured.append((len(modules), list(cold)))
        self.values.append(values)
        return [self.times(i) for i in range(len(modules))]


@pytest.fixture
def tuner(monkeypatch):
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: "a GPU")
    monkeypatch.setattr(autotuning, "_known", {})

    def make(times):
        gpu = Gpu(times)
        monkeypatch.setattr(timing, "measure", gpu.measure)
        return autotuning.Autotuner(torch.device("cuda", 0)), gpu

    return make


def third_is_fastest(i):
    return timing.Times([1.0 if i == 2 else 50.0 - i], False)


def third_is_given_up(i):
    return timing.Times([1.0 if i == 2 else 50.0 - i], i == 2)


def third_is_wrong(i):
    return None if i == 2 else timing.Times([50.0 - i], False)


def slower(i):
    """The last product is faster alone, but not in its partition."""
    return timing.Times([0.5 if i > 10 else 1.0 + i], False)


def candidates(text):
    (function,) = grout.tilings(text, count=autotuning._CANDIDATES)
    (only,) = function["products"]
    assert only["choice"] == only["candidates"][0]["tiling"]
    return [item["tiling"] for item in only["candidates"]]


def test_groups_have_sizes(tuner):
    text = """func.func @f(%x: tensor<512x64xbf16>, %w: tensor<8x64x128xbf16>,
        %ends: tensor<8xi32>) -> tensor<512x128xbf16> {
      %y = tgemm.grouped_matmul %x, %w ends(%ends : tensor<8xi32>)
        : tensor<512x64xbf16>, tensor<8x64x128xbf16> -> tensor<512x128xbf16>
      return %y : tensor<512x128xbf16>
    }"""
    one, gpu = tuner(third_is_given_up)
    one.compile(text, **OPTIONS)
    assert len(gpu.values) >= 2  # alone, and in the program
    for values in gpu.values:
        ends = values[2]
        assert sorted(ends) == ends and ends[-1] == 512 and len(set(ends)) > 4


def test_the_fastest_is_taken(tuner, caplog):
    caplog.set_level("DEBUG", logger="grout")
    text = product(512, 768, 768)
    listed = candidates(text)
    one, gpu = tuner(third_is_fastest)
    module = one.compile(text, **OPTIONS)
    assert module.artifact != grout.compile(text, **OPTIONS).artifact
    # The candidates with weights that are in no cache, then the partition.
    assert gpu.measured == [(len(listed), [1]), (2, [])]
    assert "choice      measured, 1.00 us for this product alone" in caplog.text
    assert f"tile        {tile_of(listed[2])}" in caplog.text
    # An equal product is not measured again.
    one.compile(text, **OPTIONS)
    assert gpu.measured[2:] == [(2, [])]


def tile_of(tiling):
    """As an explanation has it."""
    values = dict(item.split(" = ") for item in tiling[1:-1].split(", "))
    return f"{values['m']} x {values['n']}, steps of {values['k']}"


@pytest.mark.parametrize("times", (third_is_given_up, third_is_wrong))
def test_what_is_given_up_or_wrong_is_not_taken(tuner, caplog, times):
    caplog.set_level("DEBUG", logger="grout")
    text = product(512, 768, 768)
    last = candidates(text)[-1]
    one, _ = tuner(times)
    one.compile(text, **OPTIONS)
    assert f"tile        {tile_of(last)}" in caplog.text


def test_a_partition_that_gets_slower_is_as_modelled(tuner):
    text = product(512, 768, 768)
    one, gpu = tuner(slower)
    assert (
        one.compile(text, **OPTIONS).artifact
        == grout.compile(text, **OPTIONS).artifact
    )
    assert len(gpu.measured) == 2


def test_a_product_of_a_matrix_by_itself(tuner):
    """Its function has one input, which is no weight."""
    text = (
        product(512, 512, 512)
        .replace(", %y)", ", %x)")
        .replace("ins(%x, %y ", "ins(%x, %x ")
    )
    one, gpu = tuner(third_is_fastest)
    one.compile(text, **OPTIONS)
    assert gpu.measured[0][1] == []


@pytest.mark.parametrize(
    "problem",
    (grout.RunError("no driver", 1), torch.OutOfMemoryError("no memory")),
)
def test_what_cannot_be_measured_is_as_modelled(tuner, caplog, problem):
    def fail(i):
        raise problem

    text = product(512, 768, 768)
    one, _ = tuner(fail)
    assert (
        one.compile(text, **OPTIONS).artifact
        == grout.compile(text, **OPTIONS).artifact
    )
    assert f"nothing more is measured: {problem}" in caplog.text


def test_without_products_nothing_is_measured(tuner):
    one, gpu = tuner(third_is_fastest)
    assert one.compile(elementwise((64,)), **OPTIONS).target == "h200"
    assert not gpu.measured


def policies_of(text, artifact):
    return [
        policy
        for policy in ("serial", "wave", "opara", "nimble")
        if grout.compile(text, launch_policy=policy, **OPTIONS).artifact
        == artifact
    ]


def last_is_fastest(i):
    """The order of another policy, of the two that the program has; no tiling
    is faster than the modelled one."""
    return timing.Times([10.0 - i], False) if i < 2 else None


def test_the_fastest_order_is_taken(tuner, monkeypatch, caplog):
    caplog.set_level("DEBUG", logger="grout")
    monkeypatch.setattr(autotuning, "_listed", lambda *_: NO_GEMM)
    text = branches()
    one, gpu = tuner(last_is_fastest)
    chosen = one.compile(text, **OPTIONS).artifact
    policies = policies_of(text, chosen)
    assert policies and "serial" not in policies
    assert gpu.measured[0][0] > 1
    assert f"9.00 us by policy {policies[0]}" in caplog.text
    assert "after f_chain0_kernel0" in caplog.text


def no_order_gains(i):
    return timing.Times([9.95 if i else 10.0], False)


def no_order_runs(i):
    return None if i else timing.Times([10.0], False)


def order_is_given_up(i):
    return timing.Times([1.0 if i else 10.0], i != 0)


@pytest.mark.parametrize(
    "times", (no_order_gains, no_order_runs, order_is_given_up)
)
def test_an_order_that_gains_nothing_is_not_taken(
    tuner, monkeypatch, caplog, times
):
    caplog.set_level("DEBUG", logger="grout")
    monkeypatch.setattr(autotuning, "_listed", lambda *_: NO_GEMM)
    text = branches()
    one, _ = tuner(times)
    assert "serial" in policies_of(text, one.compile(text, **OPTIONS).artifact)
    assert "10.00 us serially, and no other policy is faster" in caplog.text


def test_a_policy_that_fails_loses_nothing(tuner, monkeypatch):
    monkeypatch.setattr(autotuning, "_listed", lambda *_: NO_GEMM)
    compile_ = grout.compile

    def fail(program, **options):
        if "launch_policy" in options:
            raise grout.CompileError("no order", [])
        return compile_(program, **options)

    monkeypatch.setattr(autotuning.compiling, "compile", fail)
    one, gpu = tuner(last_is_fastest)
    text = branches()
    assert (
        one.compile(text, **OPTIONS).artifact
        == compile_(text, **OPTIONS).artifact
    )
    assert not gpu.measured


def test_what_is_tuned_stays_if_orders_cannot_be_measured(tuner, monkeypatch):
    text = product(512, 768, 768)
    one, gpu = tuner(third_is_fastest)

    def fail(*_):
        raise torch.OutOfMemoryError("no memory")

    monkeypatch.setattr(one, "_order", fail)
    assert (
        one.compile(text, **OPTIONS).artifact
        != grout.compile(text, **OPTIONS).artifact
    )


def test_a_given_policy_is_not_measured(tuner, monkeypatch):
    monkeypatch.setattr(autotuning, "_listed", lambda *_: NO_GEMM)
    text = branches()
    one, gpu = tuner(last_is_fastest)
    chosen = one.compile(text, launch_policy="wave", **OPTIONS).artifact
    assert "wave" in policies_of(text, chosen)
    assert not gpu.measured


def test_refusals_are_refusals(tuner):
    one, _ = tuner(third_is_fastest)
    with pytest.raises(grout.CompileError):
        one.compile("func.func @f(", **OPTIONS)


@pytest.mark.parametrize(
    "mode, is_tuned, has_graphs, policy",
    (
        ("default", False, False, "serial"),
        ("reduce-overhead", False, True, "wave"),
        # Measured.
        ("max-autotune", True, True, None),
        ("max-autotune-no-cudagraphs", True, False, "serial"),
    ),
)
def test_modes(mode, is_tuned, has_graphs, policy):
    options = Options.parse(mode, {})
    assert (options.is_tuned, options.has_cuda_graphs) == (is_tuned, has_graphs)
    assert options.chosen_policy == policy


@pytest.mark.parametrize("mode", ("default", "reduce-overhead", "max-autotune"))
def test_given_policy(mode):
    options = Options.parse(mode, {"launch_policy": "nimble"})
    assert options.chosen_policy == "nimble"


@pytest.mark.parametrize("mode", ("max-autotune", "max-autotune-no-cudagraphs"))
def test_cpus_have_nothing_to_measure(mode):
    x, w = torch.randn(8, 16), torch.randn(16, 32)
    run = torch.compile(
        lambda x, w: torch.relu(x @ w), backend="grout", mode=mode
    )
    assert torch.allclose(run(x, w), torch.relu(x @ w), atol=1e-5)
