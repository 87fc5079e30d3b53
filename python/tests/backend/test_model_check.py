"""What scripts/check-models says of a model."""

import torch
from model_check import OK, WRONG, check
from models import TINY, Model

from grout.torch.runtime.partition import Partition


def test_right():
    outcome = check(TINY["mixer"], torch.float32, "cpu")
    assert outcome.status == OK, outcome.reason
    assert outcome.share > 0.95 and 0 < outcome.error < 1e-5
    assert outcome.refused == ()


def test_compiles_only():
    outcome = check(TINY["deepfm"], torch.bfloat16, "h200")
    assert outcome.status == OK and outcome.share > 0.95
    assert outcome.error is None


def mlp(**options):
    return Model(
        lambda: (
            torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.GELU()),
            (torch.randn(4, 8),),
        ),
        **options,
    )


def test_wrong(monkeypatch):
    run = Partition.__call__
    monkeypatch.setattr(
        Partition,
        "__call__",
        lambda self, *inputs: [1.001 * result for result in run(self, *inputs)],
    )
    outcome = check(mlp(least=1.0), torch.float32, "cpu")
    assert outcome.status == WRONG and outcome.error > 1e-4


def test_trained(monkeypatch):
    model = mlp(least=0.5, is_trained=True)
    outcome = check(model, torch.float32, "cpu")
    assert outcome.status == OK, outcome.reason
    calls, run = [], Partition.__call__

    def last_is_wrong(self, *inputs):
        calls.append(self)
        return [len(calls) * result for result in run(self, *inputs)]

    monkeypatch.setattr(Partition, "__call__", last_is_wrong)
    outcome = check(model, torch.float32, "cpu")
    assert outcome.status == WRONG and len(calls) == 2


def test_too_little_is_compiled():
    outcome = check(mlp(least=1.1), torch.float32, "cpu")
    assert outcome.status == WRONG and "operators" in outcome.reason
