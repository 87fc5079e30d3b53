"""What becomes of a whole model: how much of it Grout runs, and how far its
results are from those in f64."""

import collections
import dataclasses
import time

import torch

OK, WRONG, FAILED = "ok", "wrong", "failed"


@dataclasses.dataclass(frozen=True)
class Outcome:
    """`status` is OK; WRONG, if the result is, or too many operators are
    PyTorch's on the CPU; or FAILED, if there is no result.
    Errors are relative to the largest element, and None where nothing ran."""

    status: str
    reason: str = ""
    operators: int = 0
    share: float = 0.0
    """Of operators, from 0 to 1."""
    flops: float = 0.0
    """The share of floating-point operations, from 0 to 1."""
    error: float | None = None
    eager_error: float | None = None
    seconds: float = 0.0
    """Of compiling: by AOTAutograd and by Grout."""
    refused: tuple = ()
    """Sentences with their counts, the most frequent first."""
    peak: int = 0
    """Of memory, in bytes."""


class _Timed:
    """A backend that adds up the time it takes."""

    def __init__(self, backend):
        self._backend = backend
        self.seconds = 0.0

    def __call__(self, module, inputs):
        start = time.monotonic()
        try:
            return self._backend(module, inputs)
        finally:
            self.seconds += time.monotonic() - start


def _zeros(graph):
    """Runs nothing: results of the right shapes."""
    output = next(node for node in graph.graph.nodes if node.op == "output")

    def run(*inputs):
        return [
            torch.zeros(value.meta["val"].shape, dtype=value.meta["val"].dtype)
            for value in output.args[0]
        ]

    return run


def _backend(target):
    from sweep import compile_only

    from grout.torch import Options, backend

    if target == "cpu":
        return lambda module, inputs: backend(
            module, inputs, options={"fallback": "eager"}
        )
    return compile_only(Options(target=target, fallback="eager"), _zeros)


def make(model, dtype):
    torch.manual_seed(0)
    torch.set_default_dtype(dtype)
    try:
        made, args = model.make()
    finally:
        torch.set_default_dtype(torch.float32)
    return made.eval(), args


def _refused(operators):
    counts = collections.Counter(
        f"{one.operator}: {one.reason}"
        for one in operators
        if one.partition is None
    )
    return tuple(counts.most_common())


def _results(run, model, args, with_gradients):
    """What `run`, the model or its compiled form, gives: of a model that is
    trained, its first result and the gradients of its weights."""
    from checking import leaves

    if not with_gradients:
        with torch.no_grad():
            return run(*args)
    model.zero_grad(set_to_none=True)
    first = leaves(run(*args))[0]
    first.square().mean().backward()
    gradients = {
        name: parameter.grad
        for name, parameter in model.named_parameters()
        if parameter.grad is not None
    }
    return first.detach(), gradients


def check(model, dtype, target):
    """Compiles a model and, for the CPU, compares what it gives."""
    from checking import error, limit, wide, widen

    from grout.torch import Report, records

    least, with_gradients = model.least, model.is_trained
    model, args = make(model, dtype)
    timed = _Timed(_backend(target))
    run = torch.compile(model, backend=timed, dynamic=False)
    with records.listen() as operators:
        got = _results(run, model, args, with_gradients)
        report = Report(operators)
    outcome = Outcome(
        OK,
        operators=len(report.computed),
        share=report.share_of_operators,
        flops=report.share_of_flops,
        seconds=timed.seconds,
        refused=_refused(report.computed),
    )
    if target != "cpu":
        return outcome
    torch._dynamo.reset()  # which frees what was compiled
    eager = _results(model, model, args, with_gradients)
    model = widen(model)
    wanted = _results(model, model, map(wide, args), with_gradients)
    try:
        of_grout, of_eager = error(got, wanted), error(eager, wanted)
        is_near = of_grout <= (1 + with_gradients) * limit(eager, wanted)
    except AssertionError:
        return dataclasses.replace(
            outcome,
            status=WRONG,
            reason=("shapes, integers, or which elements are finite, differ"),
        )
    reason = ""
    if not is_near:
        reason = "the result differs"
    elif outcome.share < least:
        reason = f"Grout runs less than {least:.0%} of the operators"
    return dataclasses.replace(
        outcome,
        error=of_grout,
        eager_error=of_eager,
        status=WRONG if reason else OK,
        reason=reason,
    )
