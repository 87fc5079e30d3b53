"""What PyTorch's programs do, beside computing."""

import logging
import threading

import pytest
import torch
from checking import error
from torch import nn
from torch.nn import functional

import grout
from grout.torch import FallbackForbidden, MismatchError, Options, records


def compiled(function, **options):
    return torch.compile(
        function, backend="grout", options={"fallback": "eager", **options}
    )


def mlp(x, w, v):
    return functional.gelu(x @ w) @ v


def arrays(*shapes):
    return [torch.randn(shape) for shape in shapes]


@pytest.fixture
def operands():
    return arrays((5, 12), (12, 20), (20, 8))


def test_strict_fallback_runs_what_is_all_grouts(operands):
    run = compiled(mlp, fallback="error")
    assert error(run(*operands), mlp(*operands)) < 1e-5


def test_strict_fallback_names_the_operator():
    with pytest.raises(Exception, match="aten.fft_fft|_fft_r2c") as caught:
        compiled(torch.fft.rfft, fallback="error")(*arrays((3, 8)))
    assert "FallbackForbidden" in str(caught.value)
    assert issubclass(FallbackForbidden, grout.Error)


def test_inductor_runs_the_rest():
    def function(x, w):
        y = torch.fft.rfft(x @ w).abs().relu()
        return functional.softmax(y.cumsum(-1) + 1, -1), y

    x, w = arrays((1, 3, 18), (18, 16))
    run = compiled(function, fallback="inductor")
    assert error(run(x, w), function(x, w)) < 1e-5


def test_inductor_does_not_warn_that_it_cannot_save(caplog):
    """Of a graph that is nothing for it, nothing can be saved."""
    log = logging.getLogger("torch._inductor.standalone_compile")
    log.addHandler(caplog.handler)
    try:
        x = torch.ones(8, 8)
        assert torch.equal(
            torch.compile(lambda x: x * 1, backend="grout")(x), x
        )
        assert not caplog.records
        log.warning("cannot save")
        assert caplog.records
    finally:
        log.removeHandler(caplog.handler)


def test_graph_breaks():
    def function(x):
        y = x.sin() + 1
        print("break")
        return y.sum().item() + (y * 2)

    x = torch.randn(6, 7)
    assert error(compiled(function)(x), function(x)) < 1e-5


def test_views_and_aliases_of_inputs():
    def function(x):
        return x.t(), x[1:], (x + 1).t(), x.view(-1)

    x = torch.randn(6, 7)
    got, wanted = compiled(function)(x), function(x)
    assert error(got, wanted) < 1e-6
    assert [y.stride() for y in got] == [y.stride() for y in wanted]
    assert [y.data_ptr() == x.data_ptr() for y in got] == [
        y.data_ptr() == x.data_ptr() for y in wanted
    ]


def test_in_place_updates():
    def function(x, state):
        state.mul_(2).add_(x.exp())
        x[0] = 0
        return state * x

    x, state = arrays((3, 4), (3, 4))
    y, other = x.clone(), state.clone()
    assert error(compiled(function)(x, state), function(y, other)) < 1e-6
    assert torch.equal(x, y) and error(state, other) < 1e-6


@pytest.mark.parametrize(
    "change",
    [
        lambda x: x.t().contiguous().t(),
        lambda x: x.repeat(1, 2)[:, ::2],
        lambda x: torch.cat([torch.zeros(1), x.flatten()])[1:].view(x.shape),
        lambda x: x[:1].expand(x.shape),
    ],
    ids=["transposed", "strided", "misaligned", "expanded"],
)
def test_layouts_of_inputs(operands, change):
    x, w, v = operands
    x = change(x)
    assert error(compiled(mlp)(x, w, v), mlp(x, w, v)) < 1e-5


def test_intermediate_strides_are_eagers():
    def function(x):
        y = (x.permute(0, 2, 1) * 2).relu()
        return y, torch.fft.rfft(y).abs()

    x = torch.randn(2, 5, 7)
    got, wanted = compiled(function)(x), function(x)
    assert [y.stride() for y in got] == [y.stride() for y in wanted]
    assert error(got, wanted) < 1e-6


def test_scalars_and_empty_tensors():
    def function(x, e):
        return x * 2 + 1, e + 1, torch.cat([e, e])

    x, e = torch.tensor(3.0), torch.empty(0, 4)
    assert error(compiled(function)(x, e), function(x, e)) == 0


def test_inference_mode(operands):
    run = compiled(mlp)
    with torch.inference_mode():
        assert error(run(*operands), mlp(*operands)) < 1e-5


def test_autocast(operands):
    with torch.autocast("cpu", torch.bfloat16):
        got, wanted = compiled(mlp)(*operands), mlp(*operands)
    assert got.dtype == wanted.dtype == torch.bfloat16
    assert error(got, wanted) < 3e-2


def test_threads(operands):
    run = compiled(mlp)
    run(*operands)
    wanted = mlp(*operands)
    errors = []

    def work():
        errors.extend(error(run(*operands), wanted) for _ in range(20))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(errors) == 80 and max(errors) < 1e-5


def test_dropout_has_the_right_mean():
    def function(x):
        return functional.dropout(x + 0, 0.25) * 3

    y = compiled(function)(torch.ones(200, 100))
    kept = (y != 0).float().mean().item()
    assert abs(kept - 0.75) < 0.02 and torch.all((y == 0) | (y == 4))


@pytest.mark.parametrize(
    "dtype", [torch.float64, torch.float16, torch.bfloat16]
)
def test_types(dtype):
    def function(x, y):
        return (x * y).softmax(-1), (x > y).sum(), x.to(torch.int32) // 3

    x, y = (a.to(dtype) for a in arrays((6, 33), (6, 33)))
    assert error(compiled(function)(x, y), function(x, y)) < 1e-2


@pytest.mark.parametrize(
    "function, x",
    [
        (lambda x: x * 2 + 1, torch.randn(4, 4, dtype=torch.complex64)),
        (lambda x: x.to_dense() + 1, torch.eye(4).to_sparse()),
        (
            lambda x: x.dequantize() + 1,
            torch.quantize_per_tensor(torch.ones(4), 0.5, 0, torch.quint8),
        ),
        (lambda x: x + 1, torch.arange(5, dtype=torch.uint8)),
        (lambda x: x + 1, torch.randn(3, device="meta")),
    ],
    ids=["complex", "sparse", "quantised", "u8", "meta"],
)
def test_unusual_tensors_are_left_to_pytorch(function, x):
    got, wanted = compiled(function)(x), function(x)
    if x.device.type == "meta":
        assert got.shape == wanted.shape and got.device == wanted.device
    else:
        assert torch.equal(got, wanted)


def test_tensors_of_other_devices_are_left_to_pytorch():
    def function(x):
        return x * 2 + 1, torch.ones(3, device="meta") * 2

    x = torch.randn(4)
    with records.listen() as operators:
        got = compiled(function, min_block_size=1)(x)
    assert torch.equal(got[0], function(x)[0]) and got[1].device.type == "meta"
    assert {
        one.reason for one in _computed(operators) if one.partition is None
    } == {"a tensor is on meta, others are on cpu"}
    assert any(one.partition is not None for one in operators)


def _computed(operators):
    return [one for one in operators if not one.is_view]


def test_excluded_operators(operands):
    with records.listen() as operators:
        compiled(mlp, excluded_ops=["aten.mm"])(*operands)
    reasons = {one.operator: one.reason for one in _computed(operators)}
    assert reasons["aten.mm.default"] == "it is among excluded_ops"
    assert not any(
        reason for name, reason in reasons.items() if "mm" not in name
    )


def test_small_blocks_are_left_to_the_fallback():
    x = torch.randn(6, 7)
    for size, count in ((1, 1), (2, 0)):
        with records.listen() as operators:
            compiled(lambda x: x + size, min_block_size=size)(x)
        assert (
            sum(one.partition is not None for one in _computed(operators))
            == count
        )


def test_equal_layers_are_compiled_once(monkeypatch):
    from grout.torch.compilation import artifacts

    original, calls = artifacts.importing.import_graph, []

    def count(graph):
        calls.append(graph)
        return original(graph)

    monkeypatch.setattr(artifacts.importing, "import_graph", count)
    layers = nn.ModuleList(
        nn.Sequential(nn.Linear(9, 9), nn.ReLU(), nn.LayerNorm(9))
        for _ in range(6)
    )

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = layers

        def forward(self, x):
            for layer in self.layers:
                x = layer(x)
            return x

    with torch.no_grad(), records.listen() as operators:
        compiled(Model())(torch.randn(4, 9))
    assert (
        len({one.partition for one in operators if one.partition is not None})
        == 6
    )
    assert len(calls) == 1


class _Repeating(nn.Module):
    """Gives one row in place of all."""

    def forward(self, x, y):
        return torch.relu(x) + y, (x + 1).sum(0, keepdim=True).expand(x.shape)


def test_repeated_rows_pass_between_layers():
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleList(_Repeating() for _ in range(3))

        def forward(self, x):
            y = x
            for layer in self.layers:
                x, y = layer(x, y)
            return x, y

    x = torch.randn(4, 9)
    with torch.no_grad(), records.listen() as operators:
        got = compiled(Model())(x)
    assert error(got, Model()(x)) < 1e-6
    assert len({one.partition for one in _computed(operators)}) == 3


def test_operators_in_a_sequential_are_one_partition():
    model = nn.Sequential(nn.Linear(9, 9), nn.ReLU(), nn.LayerNorm(9))
    with torch.no_grad(), records.listen() as operators:
        compiled(model)(torch.randn(4, 9))
    assert {one.partition for one in _computed(operators)} == {0}


def test_wrong_results_are_found(operands, monkeypatch):
    from grout.torch.runtime import partition

    run = partition.Partition.__call__
    monkeypatch.setattr(
        partition.Partition,
        "__call__",
        lambda self, *inputs: [result + 1 for result in run(self, *inputs)],
    )
    with pytest.raises(MismatchError, match="differs from PyTorch's"):
        compiled(mlp, verify=True)(*operands)


def test_right_results_are_verified(operands):
    assert error(compiled(mlp, verify=True)(*operands), mlp(*operands)) < 1e-5


@pytest.mark.parametrize(
    "options, message",
    [
        ({"fallbak": "eager"}, "no option 'fallbak'"),
        ({"fallback": "none"}, "fallback is one of"),
        ({"mode": "fast"}, "mode is one of"),
        ({"target": "b200"}, "target is one of"),
        ({"min_block_size": 0}, "min_block_size"),
        ({"excluded_ops": "aten.mm"}, "excluded_ops"),
        ({"excluded_ops": 5}, "excluded_ops"),
        ({"excluded_ops": ["aten.mul.Tensr"]}, "there is no such operator"),
        ({"target": ["cpu"]}, "target is one of"),
        ({"launch_policy": "best"}, "launch_policy is one of"),
        ({"cache_dir": 5}, "cache_dir is a folder"),
        ({"verify": 1}, "verify"),
        ({"trace": "yes"}, "trace"),
    ],
)
def test_options_are_checked(options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        Options.parse(None, options)


@pytest.mark.parametrize("policy", grout.options()["launch_policy"].values)
def test_policies_give_the_same(policy, operands):
    wanted = compiled(mlp)(*operands)
    torch._dynamo.reset()
    got = compiled(mlp, launch_policy=policy)(*operands)
    assert torch.equal(got, wanted)


def test_caches_may_be_none_or_at_home(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for folder in "", "~/kept":
        torch._dynamo.reset()
        torch.compile(
            lambda x: (x * 2 + 1).relu(),
            backend="grout",
            options={"cache_dir": folder},
        )(torch.ones(3))
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_reports_again(monkeypatch):
    """Also of a model that was compiled, and whatever it was compiled for."""
    model = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))
    before = {name: value.clone() for name, value in model.state_dict().items()}
    compiled = torch.compile(model, backend="grout")
    monkeypatch.setattr(torch._dynamo.config, "recompile_limit", 2)
    found = {
        len(grout.report(one, [torch.randn(rows, 4)]).operators)
        for rows in range(2, 6)
        for one in (model, compiled)
    }
    assert len(found) == 1 and found.pop() > 3
    loss = model.eval()(torch.randn(2, 4, requires_grad=True)).sum()
    grout.report(model, [torch.randn(2, 4)])
    loss.backward()  # of what is as it was
    for name, value in model.state_dict().items():
        assert torch.equal(value, before[name])


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        x.add_(1)
        self.calls = self.calls + 1
        return x * self.calls


def test_reports_leave_no_trace(monkeypatch):
    """Not in inputs, nor in buffers, nor in what PyTorch counts."""
    monkeypatch.setattr(torch._dynamo.config, "recompile_limit", 2)
    model, wide = Counting(), torch.zeros(4, 4)
    for _ in range(3):
        assert grout.report(model, [wide[:, ::2]]).operators
    assert not wide.any() and not model.calls
    with grout.torch.records.listen() as operators:
        torch.compile(model, backend="grout")(torch.zeros(4, 2))
    assert operators


def test_reports_of_what_dynamo_does_not_follow():
    report = grout.report(nn.LSTM(4, 4), [torch.randn(2, 3, 4)])
    assert "FLOPs" not in str(report)
    assert report.graph_breaks
    assert "times PyTorch runs what its graphs do not have: " in str(report)
    assert "times PyTorch runs" in report._repr_html_()
    assert not grout.report(nn.Linear(4, 4), [torch.randn(2, 4)]).graph_breaks


class Attending(nn.Module):
    def forward(self, x, *, mask=None):
        return nn.functional.scaled_dot_product_attention(x, x, x, mask) + 1


@pytest.mark.parametrize("by_name", [False, True])
def test_reports_for_a_processor_that_is_not_there(by_name):
    model = Attending().eval()
    for size, is_compiled in ((16, True), (12, False)):
        x = torch.randn(1, 2, 8, size).half()
        for one in (model, torch.compile(model)):
            report = grout.report(
                one, {"x": x} if by_name else [x], target="h200"
            )
            assert (report.share_of_operators == 1) == is_compiled
            line = Attending.forward.__code__.co_firstlineno + 1
            assert is_compiled or (
                "1 aten.scaled_dot_product_attention.default: attention is "
                "left to PyTorch's kernels: its heads have 12 elements, no "
                f"multiple of 8 ({__file__}:{line})" in str(report)
            )
    with pytest.raises(ValueError, match="target is one of"):
        grout.report(model, [x], target="h100x")


def test_reports_take_several_inputs():
    with pytest.raises(
        TypeError,
        match="grout.report takes the model's "
        "arguments as a tuple, not a tensor alone",
    ):
        grout.report(nn.Linear(4, 4), torch.randn(2, 4))


def test_report(operands):
    class Model(nn.Module):
        def forward(self, x, w, v):
            return mlp(x, w, v).lgamma()

    report = grout.report(Model(), operands)
    assert report.share_of_flops == 1
    assert 0.5 < report.share_of_operators < 1
    assert "aten.lgamma.default" in str(report)
    assert "<table>" in report._repr_html_()


def test_constants_of_what_is_left_to_pytorch():
    """There is a reason for them, too; what both use is Grout's."""

    def function(x):
        twos, threes = torch.full((4,), 2.0), torch.full((4,), 3.0)
        return twos.lgamma() + threes.lgamma(), (x @ x + threes).relu()

    with grout.torch.records.listen() as operators:
        torch.compile(function, backend="grout", options={"fallback": "eager"})(
            torch.ones(4, 4)
        )
    reasons = [
        one.reason for one in operators if one.operator == "aten.full.default"
    ]
    assert reasons.count("only what is left to PyTorch uses it") == 1
    assert reasons.count("") == 1


class Distances(nn.Module):
    def __init__(self):
        super().__init__()
        self.near, self.far = Gammas(), Gammas()

    def forward(self, x):
        return self.far(self.near(x @ x))


class Gammas(nn.Module):
    def forward(self, x):
        return torch.lgamma(x) + 1


LINE = f"{__file__}:{Gammas.forward.__code__.co_firstlineno + 1}"


@pytest.mark.parametrize("dynamic", [False, True])
def test_refusals_say_where(dynamic):
    function = torch.compile(
        Distances(),
        backend="grout",
        dynamic=dynamic,
        options={"fallback": "error"},
    )
    with torch.no_grad(), pytest.raises(Exception) as raised:
        function(torch.eye(4))
    assert (
        "aten.lgamma.default is left to PyTorch: Grout has no aten.lgamma"
        f" ({LINE}, in near)" in str(raised.value)
    )


def test_reports_say_where():
    report = grout.report(Distances(), [torch.eye(4)])
    assert (
        f"2 aten.lgamma.default: Grout has no aten.lgamma (first: {LINE}, "
        "in near)" in str(report)
    )
    assert LINE in report._repr_html_()


def test_refusals_of_backward_passes_say_where():
    x = torch.eye(4, requires_grad=True)
    with grout.torch.records.listen() as operators:
        torch.compile(
            Distances(), backend="grout", options={"fallback": "eager"}
        )(x).sum().backward()
    assert ("aten.digamma.default", LINE, "far") in {
        (one.operator, one.line, one.module) for one in operators
    }


def test_reduce_overhead(operands, caplog):
    """A graph that is not on a GPU runs all the same, and the log says why it
    is no CUDA graph."""
    caplog.set_level("INFO", logger="grout")
    run = torch.compile(mlp, backend="grout", mode="reduce-overhead")
    assert error(run(*operands), mlp(*operands)) < 1e-5
    assert "a graph is no CUDA graph" in caplog.text
    tensors = [tensor.requires_grad_() for tensor in operands]
    run(*tensors).sum().backward()
    gradients = [tensor.grad.clone() for tensor in tensors]
    for tensor in tensors:
        tensor.grad = None
    mlp(*tensors).sum().backward()
    assert error(gradients, [tensor.grad for tensor in tensors]) < 1e-5
