"""Sums over ranks, which are processes on the CPU."""

import contextlib
import pathlib
import re
import runpy
import socket

import pytest
import ranks
import torch
from checking import error, tolerance
from rank_checks import assert_same, compare, compile, reasons, spread
from torch import distributed, nn
from torch.distributed import _functional_collectives as functional
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    RowwiseParallel,
    parallelize_module,
)

import grout

pytestmark = ranks.needs_gloo


def in_place(x):
    y = x * 2
    distributed.all_reduce(y)
    return y + 1


def functions(x):
    group = distributed.group.WORLD
    y = functional.all_reduce(x * 2, "sum", group)
    return functional.all_reduce(y.sin(), "avg", group) + y


def transposed(x):
    """The sum is dense, whatever its operand is."""
    return functional.all_reduce(x.mT, "sum", distributed.group.WORLD)


def sum_type(rank, dtype):
    for shape in ((), (64, 96)):
        x = spread(rank, *shape, dtype=dtype)
        for model in (in_place, functions):
            assert_same(compare(model, x))
            torch._dynamo.reset()
    compare(transposed, spread(rank, 5, 7, dtype=dtype))


def repeat(rank):
    """Calls follow each other, on other numbers each time."""
    compiled = compile(in_place, verify=True)
    for number in range(20):
        x = spread(rank, 16, 16) + number
        assert_same(compare(in_place, x, compiled=compiled))


class MLP(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.up = nn.Linear(width, hidden)
        self.down = nn.Linear(hidden, width)

    def forward(self, x):
        return x + self.down(nn.functional.gelu(self.up(x)))


class Attention(nn.Module):
    def __init__(self, width, size):
        super().__init__()
        self.size = size
        self.norm = nn.LayerNorm(width)
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        y = self.norm(x)
        q, k, v = (
            part(y).unflatten(-1, (-1, self.size)).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return x + self.out(y.transpose(1, 2).flatten(2))


PLAN = {
    "0.query": ColwiseParallel(),
    "0.key": ColwiseParallel(),
    "0.value": ColwiseParallel(),
    "0.out": RowwiseParallel(),
    "1.up": ColwiseParallel(),
    "1.down": RowwiseParallel(),
}


def divide(rank, dtype):
    """The columns and rows of a layer's weights are spread over ranks."""
    count = distributed.get_world_size()
    model = nn.Sequential(Attention(32, 8), MLP(32, 64)).to(dtype).eval()
    x = torch.randn(2, 8, 32).to(dtype)
    with torch.no_grad():
        wanted = model.double()(x.double())
    model.to(dtype)
    parallelize_module(model, init_device_mesh("cpu", (count,)), PLAN)
    with torch.no_grad():
        got = compile(model)(x)
    assert error(got, wanted) <= tolerance(dtype)
    assert_same(got)
    report = grout.report(model, (x,))
    sums = [one for one in report.compiled if "all_reduce" in one.operator]
    assert len(sums) == 2
    assert report.symmetric_bytes >= got.nbytes
    assert f"of symmetric memory on each of {count} ranks" in str(report)


def learn(rank):
    """A backward pass sums, too."""
    model = nn.Sequential(MLP(16, 32), MLP(16, 32))
    parallelize_module(
        model,
        init_device_mesh("cpu", (2,)),
        {
            "0.up": ColwiseParallel(),
            "0.down": RowwiseParallel(),
            "1.up": ColwiseParallel(),
            "1.down": RowwiseParallel(),
        },
    )
    x = torch.randn(4, 16)
    gradients = []
    for function in (model, compile(model, fallback="eager")):
        model.zero_grad()
        function(x).square().sum().backward()
        gradients.append(
            [one.grad.to_local().clone() for one in model.parameters()]
        )
    assert error(*reversed(gradients)) < 1e-5


def change_shapes(rank):
    """All ranks run Grout's program from the first call of a shape on."""
    compiled = compile(in_place, fallback="eager")
    for rows in (3, 5, 9, 3, 11):
        compare(in_place, spread(rank, rows, 8), compiled=compiled)


def have_own_numbers(rank):
    """What a rank computes before it sums may have numbers of its own."""

    def model(x):
        y = torch.where(x > rank, x - rank, 0) * (rank + 1)
        z = x + rank
        distributed.all_reduce(z)
        distributed.all_reduce(y)
        return y - z * 2 + rank

    compare(model, spread(rank, 16, 8))

    # Equal on some ranks, the sums are still different sums.
    first, second, third = ((1, 1, 2), (1, 2, 2), (2, 1, 1))[rank]

    def scaled(x):
        parts = [x * first, x * second, x * third]
        for part in parts:
            distributed.all_reduce(part)
        return parts[0] + parts[1] * 3 + parts[2] * 5

    compare(scaled, spread(rank, 16, 8))


def sum_columns(rank):
    """Columns of a matmul's result are no dense tensors."""

    def model(x, w):
        left, right = (x @ w).split([3, 13], 1)
        group = distributed.group.WORLD
        left = functional.all_reduce(left, "sum", group)
        right = functional.all_reduce(right, "sum", group)
        return torch.cat([right, left], 1)

    compare(model, spread(rank, 5, 8), spread(rank, 8, 16))


def differ(rank):
    x = torch.randn(4 + rank, 8)
    with pytest.raises(
        grout.Error,
        match=r"rank 0 runs all_reduce of float32\[4, 8\] .*, and rank 1 "
        r"runs all_reduce of float32\[5, 8\] ",
    ):
        compile(in_place)(x)


def refuse(rank):
    x = torch.randn(4, 8)
    world = distributed.group.WORLD
    other = distributed.new_group([0, 1])

    def greatest(x):
        return functional.all_reduce(x * 2, "max", world) + 1

    def of_integers(x):
        return functional.all_reduce(x.int() * 2, "sum", world) + 1

    def of_two_groups(x):
        y = functional.all_reduce(x * 2, "sum", world) + 1
        return functional.all_reduce(y * 2, "sum", other) + 1

    def spread_from_one(x):
        return functional.broadcast(x * 2, 0, world) + 1

    assert reasons(spread_from_one, x) == {
        "collectives are left to torch.distributed"
    }
    assert reasons(greatest, x) == {
        "Grout computes sums and averages over ranks, not max"
    }
    assert reasons(of_integers, x) == {
        "Grout sums f16, bf16 and f32 over ranks, not int32"
    }
    assert reasons(of_two_groups, x) == {
        "the graph has collectives of another process group, too"
    }
    assert reasons(
        in_place, x, excluded_ops=["_c10d_functional.all_reduce"]
    ) == {"it is among excluded_ops"}


def sum_alone(rank):
    """A group of one rank has nothing to sum."""
    alone = [distributed.new_group([i]) for i in range(2)][rank]

    def model(x):
        return functional.all_reduce(x * 2, "sum", alone) + 1

    compare(model, spread(rank, 4, 8))


@pytest.mark.parametrize(
    "function, count, arguments",
    [
        (sum_type, 2, (torch.float32,)),
        (sum_type, 2, (torch.float16,)),
        (sum_type, 4, (torch.bfloat16,)),
        (repeat, 4, ()),
        (divide, 2, (torch.float32,)),
        (divide, 4, (torch.bfloat16,)),
        (learn, 2, ()),
        (change_shapes, 2, ()),
        (have_own_numbers, 3, ()),
        (sum_columns, 2, ()),
        (differ, 2, ()),
        (refuse, 2, ()),
        (sum_alone, 2, ()),
    ],
)
def test_ranks(function, count, arguments):
    ranks.run(function, count, *arguments)


def run_example(rank, path, port):
    """As torchrun starts it on 2 ranks."""
    distributed.destroy_process_group()
    variables = {
        "RANK": str(rank),
        "LOCAL_RANK": str(rank),
        "WORLD_SIZE": "2",
        "MASTER_ADDR": "localhost",
        "MASTER_PORT": str(port),
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        with open(f"{path}.{rank}", "w") as printed:
            with contextlib.redirect_stdout(printed):
                runpy.run_path(path, run_name="__main__")


def test_the_example(tmp_path):
    """The example of docs/PyTorch.md runs as it stands there."""
    document = pathlib.Path(__file__).parents[3] / "docs" / "PyTorch.md"
    section = document.read_text().split("\n## Several GPUs\n")[1]
    code = re.search(r"```python\n(.*?)```", section, re.S).group(1)
    path = tmp_path / "parallel.py"
    path.write_text(code)
    with socket.socket() as found:
        found.bind(("localhost", 0))
        port = found.getsockname()[1]
    ranks.run(run_example, 2, str(path), port)
    first, second = (
        re.findall(
            r"tensor\(.*?\)", (tmp_path / f"parallel.py.{i}").read_text()
        )
        for i in range(2)
    )
    assert first == second and len(first) == 1
