"""Whole models with experts, small, of which scripts/check-models --sizes tiny
has all."""

import copy

import pytest
import torch
from checking import error, limit, widen
from models import EXPERTS

import grout
from grout.ops import kernels
from grout.torch import records


def wide(model):
    """A copy in f64."""
    return widen(copy.deepcopy(model))


# olmoe has the operators of mixtral, and deepseek_v2 is trained below.
@pytest.mark.parametrize(
    "name",
    [name for name in EXPERTS if name not in ("olmoe", "deepseek_v2")],
)
def test_a_layer_is_one_partition(name):
    model, args = EXPERTS[name].make()
    model.eval()
    run = torch.compile(model, backend="grout", options={"fallback": "error"})
    with torch.no_grad():
        eager, wanted = model(*args).logits, wide(model)(*args).logits
        with records.listen() as operators:
            got = run(*args).logits
    assert error(got, wanted) <= limit(eager, wanted)
    partitions = {one.partition for one in operators if not one.is_view}
    assert len(partitions) == model.config.num_hidden_layers


@pytest.mark.parametrize("name", ["deepseek_v3", "gpt_oss"])
def test_gpus_run_all_operators(name):
    """Compiled, not run."""
    model, args = EXPERTS[name].make()
    report = grout.report(model.bfloat16().eval(), args, target="h200")
    assert report.share_of_operators == 1, str(report)


def test_gradients():
    """transformers loops over the experts for gradients in f32; Grout does
    not."""
    model, args = EXPERTS["deepseek_v2"].make()

    def gradients(model, run):
        run(*args).logits.square().mean().backward()
        return {
            name: parameter.grad
            for name, parameter in model.named_parameters()
            if parameter.grad is not None
        }

    compiled = copy.deepcopy(model)
    wanted = gradients(reference := wide(model), reference)
    eager = gradients(model, model)
    with records.listen() as operators:
        got = gradients(compiled, torch.compile(compiled, backend="grout"))
    assert error(got, wanted) <= 2 * limit(eager, wanted)
    loops = [one for one in operators if "grouped_mm_fallback" in one.operator]
    assert operators and not loops


@pytest.mark.parametrize("name", ["mixtral", "qwen3_moe", "gpt_oss"])
def test_transformers_takes_groups_of_grout(name):
    """In eager mode, by programs of Grout."""
    grout.torch.register_experts()
    model, args = EXPERTS[name].make()
    model.eval()
    kernels.forget()
    with torch.no_grad():
        wanted, eager = wide(model)(*args).logits, model(*args).logits
        model.set_experts_implementation("grout")
        got = model(*args).logits
    assert error(got, wanted) <= limit(eager, wanted)
    # Layers have the same sizes. GPT-OSS has two products for each.
    assert kernels.count() == (2 if name == "gpt_oss" else 1)


@pytest.mark.parametrize("backend", ["eager", "grout"])
@pytest.mark.parametrize("name", ["mixtral", "gpt_oss"])
def test_groups_of_grout_are_compiled_whole(name, backend):
    grout.torch.register_experts()
    model, args = EXPERTS[name].make()
    model.eval()
    with torch.no_grad():
        wanted, eager = wide(model)(*args).logits, model(*args).logits
        model.set_experts_implementation("grout")
        run = torch.compile(model, backend=backend, fullgraph=True)
        got = run(*args).logits
    assert error(got, wanted) <= limit(eager, wanted)


def test_gradients_of_groups_of_grout():
    grout.torch.register_experts()
    model, args = EXPERTS["gpt_oss"].make()
    gradients = []
    for one in (wide(model), model):
        if one is model:
            one.set_experts_implementation("grout")
        one(*args).logits.square().mean().backward()
        gradients.append([parameter.grad for parameter in one.parameters()])
    assert error(gradients[1], gradients[0]) < 1e-4
