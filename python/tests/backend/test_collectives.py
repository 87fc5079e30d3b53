"""Reduce-scatters, all-gathers and all-to-alls of ranks, which are processes on
the CPU."""

import pytest
import ranks
import torch
from rank_checks import (
    assert_same,
    compare,
    compile,
    gather,
    reasons,
    spread,
)
from torch import distributed
from torch.distributed import _functional_collectives as functional
from torch.distributed.tensor import DTensor, Shard

import grout

pytestmark = ranks.needs_gloo


def exact_part(x, rank, dim):
    """Returns a part of the sum of all ranks in f32, in the order of the ranks
    and rounded once."""
    first, *rest = gather(x.contiguous())
    total = first.float()
    for part in rest:
        total = total + part.float()
    return total.to(x.dtype).chunk(distributed.get_world_size(), dim)[rank]


def scatter(rank, dtype):
    """Each rank gets its part of the sum, in each dimension."""
    for dim in (0, 1, -1):
        x = spread(rank, 8, 12, 4, dtype=dtype)

        def model(x, dim=dim):
            group = distributed.group.WORLD
            return functional.reduce_scatter_single(x, "sum", dim, group)

        got = compile(model)(x)
        assert torch.equal(got, exact_part(x, rank, dim))
        assert got.is_contiguous()


def scatter_averages(rank):
    """Between other operators."""

    def model(x):
        group = distributed.group.WORLD
        y = functional.reduce_scatter_single(x.sin(), "avg", 0, group)
        return y.cos() + 1

    compare(model, spread(rank, 6, 10))


def gather_type(rank, dtype):
    """All ranks get the parts of all ranks, in each dimension."""
    for dim in (0, 1, -1):
        x = (spread(rank, 2, 3, 5) * 100).to(dtype)

        def model(x, dim=dim):
            return functional.all_gather_single(x, dim, distributed.group.WORLD)

        got = compile(model)(x)
        assert torch.equal(got, torch.cat(gather(x), dim))
        assert got.is_contiguous()


def gather_scalars(rank):
    """Gloo has no all-gather of scalars."""

    def model(x):
        return functional.all_gather_single(
            x.sum() * 2, 0, distributed.group.WORLD
        )

    x = spread(rank, 3, 5)
    got = compile(model)(x)
    assert got.shape == (2,)
    assert torch.allclose(got[rank], x.sum() * 2)
    assert_same(got)


def exchange_type(rank, dtype):
    """Each rank gets a part of all ranks."""
    count = distributed.get_world_size()
    x = (spread(rank, 2 * count, 3, 5) * 100).to(dtype)

    def model(x):
        return functional.all_to_all_single(x, None, None, [*range(count)])

    got = compile(model)(x)
    wanted = torch.cat([part.chunk(count)[rank] for part in gather(x)])
    assert torch.equal(got, wanted)
    assert got.is_contiguous()


def exchange_in_place(rank):
    """Between other operators."""

    def model(x):
        y = torch.empty_like(x)
        distributed.all_to_all_single(y, x.sin())
        return y.cos() + x

    compare(model, spread(rank, 6, 10))


def exchange_heads(rank):
    """Attention over all tokens, of some heads on each rank."""
    count = distributed.get_world_size()

    def give_heads(x):
        tokens, heads, size = x.shape
        x = x.view(tokens, count, heads // count, size).transpose(0, 1)
        x = functional.all_to_all_single(
            x.contiguous(), None, None, [*range(count)]
        )
        return x.view(count * tokens, heads // count, size)

    def give_tokens(x):
        tokens, heads, size = x.shape
        x = functional.all_to_all_single(x, None, None, [*range(count)])
        x = x.view(count, tokens // count, heads, size).transpose(0, 1)
        return x.reshape(tokens // count, count * heads, size)

    def model(q, k, v):
        q, k, v = (give_heads(x).transpose(0, 1) for x in (q, k, v))
        y = torch.nn.functional.scaled_dot_product_attention(q, k, v)
        return give_tokens(y.transpose(0, 1).contiguous())

    compare(model, *(spread(rank + 10 * i, 8, 4, 16) for i in range(3)))


def exchange_shards(rank):
    """DTensor changes the dimension that is cut."""
    mesh = distributed.init_device_mesh("cpu", (distributed.get_world_size(),))

    def model(x):
        y = DTensor.from_local(x * 2, mesh, [Shard(0)], run_check=False)
        return y.redistribute(mesh, [Shard(1)]).to_local() + 1

    compare(model, spread(rank, 3, 8, 5))


def single_batch(rank):
    """Sequences of one batch are cut and gathered along axis 1, by views."""
    group = distributed.group.WORLD

    def model(x):
        y = functional.reduce_scatter_single(x * 2, "sum", 1, group)
        return functional.all_gather_single(y.relu(), 1, group) + x

    compare(model, spread(rank, 1, 8, 16))


def in_place(rank):
    """The functions of torch.distributed that write into tensors."""

    def model(x):
        count = distributed.get_world_size()
        part = x.new_empty(len(x) // count, *x.shape[1:])
        distributed.reduce_scatter_tensor(part, x * 2)
        whole = x.new_empty(x.shape)
        distributed.all_gather_into_tensor(whole, part + 1)
        parts = [torch.empty_like(part) for _ in range(count)]
        distributed.all_gather(parts, part - 1)
        return whole + torch.cat(parts)

    assert_same(compare(model, spread(rank, 6, 7)))


def use_columns(rank):
    """Columns of a matmul's result are no dense tensors."""

    def model(x, w):
        group = distributed.group.WORLD
        left, right = (x @ w).split([3, 13], 1)
        left = functional.all_gather_single(left, 0, group)
        right = functional.reduce_scatter_single(right, "sum", 0, group)
        return left.sum() + right

    compare(model, spread(rank, 6, 8), spread(rank, 8, 16))


def use_parts_elsewhere(rank):
    """What is concatenated along another axis is also used as it is."""

    def model(x):
        y = functional.all_gather_single(x, 0, distributed.group.WORLD)
        parts = y.chunk(distributed.get_world_size())
        return torch.cat(parts, 1) @ y

    compare(model, spread(rank, 4, 4))


def reorder_parts(rank):
    """Parts in another order, or of other extents, are not those of ranks."""

    def model(x):
        y = functional.all_gather_single(x, 0, distributed.group.WORLD)
        first, second = y.chunk(2)
        small, large = y.split([2, 6])
        return torch.cat([second, first], 1).sum(0) + torch.cat(
            [large, small], 0
        ).sum(1)

    compare(model, spread(rank, 4, 4))


def repeat(rank):
    """Calls follow each other, on other numbers each time."""

    def model(x):
        group = distributed.group.WORLD
        y = functional.reduce_scatter_single(x, "sum", 0, group)
        z = functional.all_gather_single(y * 2, 0, group)
        return functional.all_reduce(z, "sum", group)

    compiled = compile(model, verify=True)
    for number in range(20):
        x = spread(rank, 16, 16) + number
        assert_same(compare(model, x, compiled=compiled))


def change_shapes(rank):
    """All ranks run Grout's program from the first call of a shape on."""

    def model(x):
        group = distributed.group.WORLD
        return functional.all_gather_single(x * 2, 1, group).sin()

    compiled = compile(model, fallback="eager")
    for rows in (3, 5, 9, 3, 11):
        compare(model, spread(rank, rows, 8), compiled=compiled)


def have_own_numbers(rank):
    """Equal on some ranks, the gathered tensors are still different."""
    first, second, third = ((1, 1, 2), (1, 2, 2), (2, 1, 1))[rank]
    group = distributed.group.WORLD

    def model(x):
        parts = [x * first, x * second, x * third]
        x, y, z = (functional.all_gather_single(p, 0, group) for p in parts)
        return x + y * 3 + z * 5

    assert_same(compare(model, spread(rank, 16, 8)))


def differ(rank):
    def model(x):
        group = distributed.group.WORLD
        return functional.all_gather_single(x * 2, 0, group) + 1

    with pytest.raises(
        grout.Error,
        match=r"rank 0 runs all_gather of float32\[4, 8\] with dim 0 .*, "
        r"and rank 1 runs all_gather of float32\[5, 8\] with dim 0 ",
    ):
        compile(model)(torch.randn(4 + rank, 8))


def refuse(rank):
    x = torch.randn(4, 8)
    world = distributed.group.WORLD
    other = distributed.new_group([0, 1])

    def scatter(operation, dtype=torch.float32, group=world):
        def model(x):
            y = (x * 4).to(dtype)
            z = functional.reduce_scatter_single(y, operation, 0, group)
            return z + 1

        return model

    def of_unequal_parts(x):
        sizes = [1, 3] if rank == 0 else [3, 1]
        return functional.all_to_all_single(x * 2, sizes, sizes, world) + 1

    def of_two_groups(x):
        y = functional.all_gather_single(x * 2, 0, world) + 1
        return functional.reduce_scatter_single(y * 2, "sum", 0, other) + 1

    def of_bytes(x):
        y = (x.abs() * 9).to(torch.uint8)
        return functional.all_gather_single(y, 0, world).float() + 1

    assert reasons(scatter("max"), x) == {
        "Grout computes sums and averages over ranks, not max"
    }
    assert reasons(scatter("sum", torch.int32), x) == {
        "Grout sums f16, bf16 and f32 over ranks, not int32"
    }
    assert reasons(of_unequal_parts, x) == {
        "ranks give parts of different sizes"
    }
    assert reasons(of_two_groups, x) == {
        "the graph has collectives of another process group, too"
    }
    assert reasons(of_bytes, x) == {"elements are uint8"}
    name = "_c10d_functional.reduce_scatter_tensor"
    assert reasons(scatter("sum"), x, excluded_ops=[name]) == {
        "it is among excluded_ops"
    }


def run_alone(rank):
    """In a group of one rank, nothing is exchanged."""
    alone = [distributed.new_group([i]) for i in range(2)][rank]

    def model(x):
        y = functional.reduce_scatter_single(x * 2, "sum", 1, alone)
        return functional.all_gather_single(y, 1, alone) + 1

    compare(model, spread(rank, 4, 8))


@pytest.mark.parametrize(
    "function, count, arguments",
    [
        (scatter, 2, (torch.float32,)),
        (scatter, 4, (torch.float16,)),
        (scatter, 4, (torch.bfloat16,)),
        (scatter_averages, 3, ()),
        (gather_type, 2, (torch.float32,)),
        (gather_type, 4, (torch.bfloat16,)),
        (gather_type, 2, (torch.float64,)),
        (gather_type, 2, (torch.int64,)),
        (gather_type, 3, (torch.int8,)),
        (gather_type, 2, (torch.bool,)),
        (gather_scalars, 2, ()),
        (exchange_type, 2, (torch.float32,)),
        (exchange_type, 4, (torch.bfloat16,)),
        (exchange_in_place, 3, ()),
        (exchange_heads, 4, ()),
        (exchange_shards, 2, ()),
        (single_batch, 4, ()),
        (in_place, 3, ()),
        (use_columns, 2, ()),
        (use_parts_elsewhere, 2, ()),
        (reorder_parts, 2, ()),
        (repeat, 4, ()),
        (change_shapes, 2, ()),
        (have_own_numbers, 3, ()),
        (differ, 2, ()),
        (refuse, 2, ()),
        (run_alone, 2, ()),
    ],
)
def test_ranks(function, count, arguments):
    ranks.run(function, count, *arguments)
