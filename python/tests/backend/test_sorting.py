"""Orders of axes: what of them is broken up, on GPUs, too, which need not be
there, since tensors have no memory; and what they give."""

import pytest
import torch
from checking import leaves
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

from grout.torch.decompositions import sorting, tables

aten = torch.ops.aten


def operators(function, extent, device):
    table = tables.for_gpu() if device == "cuda" else tables.for_cpu(True)
    with FakeTensorMode():
        x = torch.empty(4, extent, device=device)
        graph = make_fx(function, decomposition_table=table)(x).graph
    return {node.target for node in graph.nodes}


def choose(x):
    return torch.topk(x, 2)[0]


def sort(x):
    return torch.sort(x)[0]


@pytest.mark.parametrize("device", ["cpu", "cuda"])
@pytest.mark.parametrize(
    "function, operator",
    [(choose, aten.topk.default), (sort, aten.sort.default)],
)
def test_axes_are_broken_up(function, operator, device):
    for extent in (256, 1000):
        assert operator not in operators(function, extent, device)
    assert operator in operators(function, sorting.LONGEST + 1, device)


def special(*shape):
    """With equal elements, infinities, both zeros, and what is no number."""
    x = torch.randn(shape).round(decimals=1)
    x.view(-1)[::7] = -0.0
    x.view(-1)[3::11] = torch.nan
    x.view(-1)[5::17] = -torch.inf
    return x


TYPES = [
    torch.bool,
    torch.int8,
    torch.int64,
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
]


def typed(x, dtype):
    """With the least and the greatest of integers."""
    if dtype.is_floating_point:
        return x.to(dtype)
    if dtype == torch.bool:
        return x > 0
    x = (x.nan_to_num(7, 8, 9) * 10).to(dtype)
    limits = torch.iinfo(dtype)
    x.view(-1)[::13], x.view(-1)[4::19] = limits.max, limits.min
    return x


def same(x, y):
    """Whether tensors are equal, with the signs of their zeros."""
    if not x.is_floating_point():
        return torch.equal(x, y)
    x, y = (z.where(~z.isnan(), 99) for z in (x, y))
    return torch.equal(x, y) and torch.equal(x.signbit(), y.signbit())


@pytest.mark.parametrize("extent", [0, 1, 255, 256, 257, 1000, 4097])
@pytest.mark.parametrize("dtype", TYPES)
def test_rules(extent, dtype):
    """Without compiler, as there are many."""
    x = typed(special(2, extent, 1), dtype)
    for descending in (False, True):
        options = {"stable": True, "dim": 1, "descending": descending}
        got, wanted = RULES[aten.sort.stable](x, **options), x.sort(**options)
        assert same(got[0], wanted[0]) and same(got[1], wanted[1])
        for count in {0, 1, 33, 300, extent}:
            if count <= extent and dtype != torch.bool:
                got = RULES[aten.topk.default](x, count, 1, descending)
                assert same(got[0], wanted[0].narrow(1, 0, count))
                assert same(x.gather(1, got[1]), got[0])


@pytest.mark.parametrize("extent", [256, 257, 1000])
@pytest.mark.parametrize("dtype", TYPES[1:])
def test_rules_of_ranks(extent, dtype):
    x = typed(special(2, extent), dtype)
    x[0] = x[0].nan_to_num(5)
    for rule, wanted in [
        (RULES[aten.median.dim], x.median(1)),
        (RULES[aten.nanmedian.dim], x.nanmedian(1)),
        (lambda x, dim: RULES[aten.kthvalue.default](x, 9), x.kthvalue(9)),
    ]:
        values, places = rule(x, 1)
        assert torch.equal(values.nan_to_num(99), wanted[0].nan_to_num(99))
        assert same(x.gather(1, places.unsqueeze(1)).squeeze(1), values)


RULES = sorting.TABLE


def compiled(function):
    return torch.compile(
        function,
        backend="grout",
        fullgraph=True,
        dynamic=False,
        options={"fallback": "error"},
    )


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.sort(dim=1, stable=True),
        lambda x: (
            (x * 10)
            .nan_to_num(7)
            .int()
            .sort(dim=1, descending=True, stable=True)
        ),
    ],
)
def test_orders_are_eagers(function):
    x = special(3, 67, 2)
    got, wanted = compiled(function)(x), function(x)
    for y, z in zip(got, wanted):
        assert torch.equal(y.nan_to_num(99), z.nan_to_num(99))
        assert y.stride() == z.stride()


@pytest.mark.parametrize(
    "function, x",
    [
        (
            lambda x: x.sort(dim=0, stable=True),
            typed(special(300, 2), torch.int64),
        ),
        (lambda x: x.sort(stable=True), torch.tensor(2.5)),
        (lambda x: x.topk(0), torch.randn(2, 300)),
    ],
)
def test_other_orders_are_eagers(function, x):
    got, wanted = leaves(compiled(function)(x)), leaves(function(x))
    for y, z in zip(got, wanted, strict=True):
        assert same(y, z)
        assert y.stride() == z.stride()


@pytest.mark.parametrize(
    "function, extent",
    [
        (lambda x: x.topk(3), 500),
        (lambda x: x.nanmedian(-1), 300),
    ],
)
def test_values_of_long_axes_are_eagers(function, extent):
    x = special(2, extent).bfloat16()
    (values, places), wanted = compiled(function)(x), function(x)[0]
    assert torch.equal(values.nan_to_num(99), wanted.nan_to_num(99))
    places = places if places.dim() > 1 else places.unsqueeze(-1)
    chosen = x.gather(1, places).view(values.shape)
    assert torch.equal(chosen.nan_to_num(99), values.nan_to_num(99))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.topk(40)[0],
        lambda x: x.topk(3, largest=False)[0],
        lambda x: x.median(-1)[0],
        lambda x: x.nanmedian(),
        lambda x: x.kthvalue(50)[0],
    ],
)
def test_values_are_eagers(function):
    x = special(2, 67)
    got, wanted = compiled(function)(x), function(x)
    assert torch.equal(got.nan_to_num(99), wanted.nan_to_num(99))


@pytest.mark.parametrize("extent", [3, 12, 300])
@pytest.mark.parametrize(
    "dtype", [torch.uint8, torch.uint16, torch.uint32, torch.uint64]
)
def test_unsigned_types_are_left_to_pytorch(dtype, extent):
    x = torch.randint(0, 256, (2, extent)).to(dtype)
    assert torch.equal(torch.compile(sort, backend="grout")(x), sort(x))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.topk(2),
        lambda x: x.median(1),
        lambda x: x.nanmedian(),
        lambda x: x.kthvalue(2, 0),
    ],
)
def test_ranks_of_truth_values_are_refused(function):
    x = special(4, 5) > 0
    with pytest.raises(NotImplementedError):
        function(x)
    with pytest.raises(NotImplementedError):
        torch.compile(function, backend="grout")(x)


@pytest.mark.parametrize("dtype", TYPES[3:])
def test_signs_of_zeros_of_a_rank(dtype):
    x = torch.tensor([[-0.0, 0.0], [0.0, -0.0], [-0.0, -0.0]], dtype=dtype)
    for function in (lambda x: x.median(1), lambda x: x.kthvalue(2)):
        values, places = compiled(function)(x)
        assert same(values, x.gather(1, places.unsqueeze(1)).squeeze(1))
