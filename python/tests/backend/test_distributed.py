"""Models that are spread over processes."""

import pytest
import torch
from checking import error
from torch import distributed, multiprocessing, nn
from torch.nn import functional

from grout.torch import records

PROCESSES = 2


class MLP(nn.Module):
    """Columns of the first product, and rows of the second, are spread."""

    def __init__(self, rank, processes):
        super().__init__()
        torch.manual_seed(0)
        self.whole = torch.randn(128, 64), torch.randn(64, 128)
        self.up = nn.Parameter(self.whole[0].chunk(processes, 0)[rank])
        self.down = nn.Parameter(self.whole[1].chunk(processes, 1)[rank])

    def forward(self, x):
        y = functional.linear(
            functional.gelu(functional.linear(x, self.up)), self.down
        )
        distributed.all_reduce(y)
        return y.relu() + 1


def run(rank, store):
    distributed.init_process_group(
        "gloo", init_method=f"file://{store}", rank=rank, world_size=PROCESSES
    )
    try:
        model = MLP(rank, PROCESSES)
        torch.manual_seed(1)
        x = torch.randn(16, 64)
        up, down = model.whole
        right = functional.gelu(x @ up.T) @ down.T
        with torch.no_grad(), records.listen() as operators:
            y = torch.compile(
                model, backend="grout", options={"fallback": "eager"}
            )(x)
        assert error(y, right.relu() + 1) < 1e-5
        assert {
            one.reason
            for one in operators
            if one.partition is None and not one.is_view
        } == {"collectives are left to torch.distributed"}
    finally:
        distributed.destroy_process_group()


@pytest.mark.skipif(
    not distributed.is_gloo_available(), reason="PyTorch has no gloo"
)
def test_tensor_parallel(tmp_path):
    multiprocessing.spawn(run, (str(tmp_path / "store"),), PROCESSES)
