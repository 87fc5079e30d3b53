"""Elements that are replaced at places that a tensor says, and caches that are
updated where they are."""

import copy

import pytest
import torch
from checking import leaves
from torch import nn
from torch.nn import functional as F

from grout.torch import records

CUBE = torch.arange(60.0).reshape(3, 4, 5)


def compiled(function, **options):
    return torch.compile(
        function,
        backend="grout",
        fullgraph=True,
        dynamic=False,
        options={"fallback": "error", **options},
    )


def put(x, places, v):
    x = x.clone()
    x[places] = v
    return x


@pytest.mark.parametrize(
    "function, args",
    [
        (
            lambda x, i, v: x.index_copy(1, i, v),
            (CUBE, torch.tensor([2, 0]), -torch.arange(30.0).reshape(3, 2, 5)),
        ),
        (
            lambda x, i, v: (x + 1).index_copy(0, i, v * 2),
            (CUBE, torch.tensor([1]), -torch.ones(1, 4, 5)),
        ),
        (
            lambda x, i, v: put(x, (slice(None), i), v),
            (CUBE, torch.tensor([[0], [-1]]), -torch.ones(5)),
        ),
        (
            lambda x, i, v: put(x, (i, i + 1), v),
            (CUBE, torch.tensor([2, 0]).int(), -torch.ones(2, 5)),
        ),
        (
            lambda x, i, v: put(x, (i, slice(None), i), v),
            (CUBE, torch.tensor([2, 0]), -torch.arange(8.0).reshape(2, 4)),
        ),
        (
            lambda x, i, v: put(x.half(), i, v.half()).sum(0),
            (CUBE, torch.tensor([1, 2]), -torch.ones(2, 4, 5)),
        ),
        (
            lambda x, i, v: x.scatter(1, i, v),
            (
                CUBE,
                torch.tensor([[[3, 0]], [[1, 1]], [[2, 3]]]),
                -torch.ones(4, 2, 6),
            ),
        ),
        (
            lambda x, i, v: x.scatter(-1, i, 7.0) * v,
            (CUBE[0], torch.tensor([[4], [0]]), torch.tensor(2.0)),
        ),
        (
            lambda x, i, v: x.index_fill(2, i, v) + x,
            (CUBE, torch.tensor([4]), torch.tensor(7.0)),
        ),
    ],
)
def test_new_tensors(function, args):
    before = args[0].clone()
    got, wanted = compiled(function)(*args), function(*args)
    assert got.dtype == wanted.dtype
    assert torch.equal(got, wanted)
    assert torch.equal(args[0], before)


def test_places_outside():
    function = compiled(lambda x, i, v: x.index_copy(1, i, v))
    with pytest.raises((IndexError, RuntimeError)):
        function(CUBE, torch.tensor([4]), torch.ones(3, 1, 5))


@pytest.mark.parametrize(
    "function, reason",
    [
        (
            lambda x, i, v: torch.index_put(
                x > 0, (i,), v > 0, accumulate=True
            ),
            "truth values",
        ),
        (lambda x, i, v: torch.index_put(x, (i > 0,), v), "truth values"),
    ],
)
def test_left_to_pytorch(function, reason):
    args = CUBE, torch.tensor([0, 1, 0]), torch.tensor(1.0)
    with records.listen() as operators:
        got = torch.compile(
            function, backend="grout", options={"fallback": "eager"}
        )(*args)
    assert torch.equal(got, function(*args))
    assert any(reason in one.reason for one in operators)


class Layer(nn.Module):
    """Attention of new tokens to all in its cache."""

    def __init__(self, batch=2, heads=4, length=16, size=8):
        super().__init__()
        shape = (batch, heads, length, size)
        self.register_buffer("keys", torch.randn(shape))
        self.register_buffer("values", torch.randn(shape))
        self.qkv = nn.Linear(heads * size, 3 * heads * size)
        self.heads, self.size = heads, size

    def forward(self, x, places):
        batch, length, width = x.shape
        q, k, v = (
            part.view(batch, length, self.heads, self.size).transpose(1, 2)
            for part in self.qkv(x).chunk(3, -1)
        )
        k = self.keys.index_copy_(2, places, k)
        v = self.values.index_copy_(2, places, v)
        mask = torch.arange(k.shape[2])[None, :] <= places[:, None]
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return y.transpose(1, 2).reshape(batch, length, width)


@pytest.mark.parametrize("length", [1, 3])
@pytest.mark.parametrize("options", [{}, {"verify": True}])
def test_caches(length, options):
    torch.manual_seed(0)
    model = Layer().eval()
    wanted = copy.deepcopy(model)
    function = compiled(model, **options)
    keys = model.keys
    with torch.no_grad(), records.listen() as operators:
        for step in range(3):
            x = torch.randn(2, length, 32)
            places = torch.arange(length) + step * length
            torch.testing.assert_close(function(x, places), wanted(x, places))
            torch.testing.assert_close(model.keys, wanted.keys)
            torch.testing.assert_close(model.values, wanted.values)
    assert model.keys is keys
    # Kernels do it: nothing is copied.
    updates = [one for one in operators if one.operator == "aten.copy_.default"]
    assert len(updates) == 2
    assert all(one.partition is not None for one in updates)


def by_index_copy(cache, i, v):
    cache.index_copy_(1, i, v * 2)
    return cache


def by_setitem(cache, i, v):
    cache[:, i] = v * 2
    return v + 1, cache


def by_scatter(cache, i, v):
    cache.scatter_(1, i[None, :, None].expand_as(v), v)
    return cache, cache.sum(0)


def part_of_it(cache, i, v):
    return cache.index_copy_(1, i, v * 2)[:1]


def assert_same_updates(function, **options):
    """With a result that is the tensor, or a part of it."""
    cache, i, v = CUBE.clone(), torch.tensor([2, 0]), torch.ones(3, 2, 5)
    wanted_cache = cache.clone()
    wanted = function(wanted_cache, i, v)
    run = torch.compile(function, backend="grout", options=options)
    got = run(cache, i, v)
    torch.testing.assert_close(got, wanted)
    torch.testing.assert_close(cache, wanted_cache)
    storages = [leaf.untyped_storage().data_ptr() for leaf in leaves(got)]
    assert cache.untyped_storage().data_ptr() in storages


@pytest.mark.parametrize(
    "function", [by_index_copy, by_setitem, by_scatter, part_of_it]
)
@pytest.mark.parametrize(
    "options",
    [
        {"fallback": "inductor"},
        {"fallback": "eager"},
        {"fallback": "error"},
        {"fallback": "error", "verify": True},
    ],
)
def test_updated_tensors_as_results(function, options):
    assert_same_updates(function, **options)


@pytest.mark.parametrize("fallback", ["inductor", "eager"])
def test_tensors_updated_as_a_whole_as_results(fallback):
    assert_same_updates(
        lambda cache, i, v: cache.copy_(v.sum(1, True) * 2), fallback=fallback
    )


def test_updated_tensors_of_other_shapes_as_results():
    function = torch.compile(
        by_index_copy,
        backend="grout",
        dynamic=True,
        options={"fallback": "error"},
    )
    for length in (5, 6):
        cache, i = torch.zeros(3, 4, length), torch.tensor([2, 0])
        v = torch.ones(3, 2, length)
        wanted = by_index_copy(cache.clone(), i, v)
        assert function(cache, i, v) is cache
        torch.testing.assert_close(cache, wanted)


def test_what_was_there_before():
    """A result that needs it is no update in place."""

    def function(x, i, v):
        y = x.sum(0)
        x.index_copy_(0, i, v)
        return y + x.sum(0)

    x, i, v = torch.randn(5, 8), torch.tensor([3]), torch.randn(1, 8)
    wanted_x = x.clone()
    wanted = function(wanted_x, i, v)
    got = torch.compile(
        function, backend="grout", options={"fallback": "eager"}
    )(x, i, v)
    torch.testing.assert_close(got, wanted)
    assert torch.equal(x, wanted_x)


def test_a_part_of_a_cache():
    """Memory that is not aligned, and a view, are updated, too."""

    def function(x, i, v):
        return x.index_copy_(0, i, v) * 2

    v = torch.randn(1, 8)
    for memory in (
        torch.randn(5 * 8 + 3)[3:].view(5, 8),
        torch.randn(8, 5).t(),
    ):
        torch._dynamo.reset()
        wanted = memory.clone()
        got = torch.compile(
            function,
            backend="grout",
            options={"fallback": "eager", "min_block_size": 1},
        )(memory, torch.tensor([2]), v)
        assert torch.equal(got, function(wanted, torch.tensor([2]), v))
        assert torch.equal(memory, wanted)
