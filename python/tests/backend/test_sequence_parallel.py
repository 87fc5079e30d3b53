"""Models whose sequences, weights and logits are spread over ranks, which are
processes on the CPU."""

import copy

import pytest
import ranks
import torch
from checking import error, tolerance
from rank_checks import assert_same, compile
from torch import distributed, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Replicate, Shard
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    PrepareModuleInput,
    RowwiseParallel,
    SequenceParallel,
    parallelize_module,
)

import grout

pytestmark = ranks.needs_gloo

ranks.PRELOADED += [
    "transformers.distributed.tensor_parallel",
    "transformers.models.llama.modeling_llama",
]


class MLP(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.gate = nn.Linear(width, hidden, bias=False)
        self.up = nn.Linear(width, hidden)
        self.down = nn.Linear(hidden, width)

    def forward(self, x):
        return self.down(nn.functional.silu(self.gate(x)) * self.up(x))


class Model(nn.Module):
    """Tokens to logits."""

    def __init__(self, words, width, hidden):
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        self.first_norm = nn.RMSNorm(width)
        self.mlp = MLP(width, hidden)
        self.last_norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, words, bias=False)

    def forward(self, x):
        x = self.embedding(x)
        x = x + self.mlp(self.first_norm(x))
        return self.head(self.last_norm(x))


# Between two layers of matmuls, each rank has some tokens of each sequence.
PLAN = {
    "embedding": RowwiseParallel(
        input_layouts=Replicate(), output_layouts=Shard(1)
    ),
    "first_norm": SequenceParallel(),
    "mlp": PrepareModuleInput(
        input_layouts=(Shard(1),), desired_input_layouts=(Replicate(),)
    ),
    "mlp.gate": ColwiseParallel(),
    "mlp.up": ColwiseParallel(),
    "mlp.down": RowwiseParallel(output_layouts=Shard(1)),
    "last_norm": SequenceParallel(),
    "head": ColwiseParallel(input_layouts=Shard(1), output_layouts=Replicate()),
}


def compiled_of(report):
    return [one.operator.split(".")[1] for one in report.compiled]


def divide(rank, dtype, batch):
    count = distributed.get_world_size()
    model = Model(64, 32, 48).to(dtype).eval()
    x = torch.randint(64, (batch, 8))
    with torch.no_grad():
        wanted = copy.deepcopy(model).double()(x)
    parallelize_module(model, init_device_mesh("cpu", (count,)), PLAN)
    with torch.no_grad():
        got = torch.compile(
            model,
            backend="grout",
            fullgraph=True,
            options={"fallback": "error"},
        )(x)
    assert error(got, wanted) <= tolerance(dtype)
    assert_same(got)
    names = compiled_of(grout.report(model, (x,)))
    assert names.count("reduce_scatter") == 2
    assert names.count("all_gather") == 3
    # Other axes than the first are not moved.
    assert "cat" not in names


def learn(rank):
    """A backward pass exchanges data, too."""
    model = Model(64, 16, 32)
    parallelize_module(model, init_device_mesh("cpu", (2,)), PLAN)
    x = torch.randint(64, (2, 8))
    gradients = []
    for function in (model, compile(model, fallback="eager")):
        model.zero_grad()
        function(x).square().sum().backward()
        gradients.append(
            [one.grad.to_local().clone() for one in model.parameters()]
        )
    assert error(*reversed(gradients)) < 1e-5


def divide_llama(rank, dtype):
    """transformers divides a model by its own plan, and gathers the logits."""
    import transformers
    from transformers.distributed import DistributedConfig
    from transformers.distributed.tensor_parallel import (
        apply_tensor_parallelism,
    )

    count = distributed.get_world_size()
    config = transformers.LlamaConfig(
        hidden_size=64,
        intermediate_size=96,
        num_hidden_layers=1,
        num_attention_heads=8,
        num_key_value_heads=4,
        vocab_size=128,
        use_cache=False,
    )
    model = transformers.LlamaForCausalLM(config).to(dtype).eval()
    whole = copy.deepcopy(model).double()
    settings = DistributedConfig(tp_plan="auto", tp_size=count)
    plan, *_ = model._resolve_parallel_plans(settings)
    apply_tensor_parallelism(model, init_device_mesh("cpu", (count,)), plan)
    compiled = compile(model)
    for shape in ((1, 8), (2, 1)):
        x = torch.randint(128, shape)
        with torch.no_grad():
            wanted = whole(x).logits
            got = compiled(x).logits
        assert error(got, wanted) <= tolerance(dtype)
        assert_same(got)
    names = compiled_of(grout.report(model, (x,)))
    assert names.count("all_gather") == 1
    assert names.count("all_reduce") == 3


@pytest.mark.parametrize(
    "function, count, arguments",
    [
        (divide, 2, (torch.float32, 1)),
        (divide, 2, (torch.bfloat16, 3)),
        (divide, 4, (torch.float32, 3)),
        (divide, 4, (torch.float16, 1)),
        (learn, 2, ()),
        (divide_llama, 2, (torch.float32,)),
        (divide_llama, 4, (torch.bfloat16,)),
    ],
)
def test_ranks(function, count, arguments):
    ranks.run(function, count, *arguments)
