"""What becomes of a single operator on a processor, found out in a process of
its own, so that whatever happens there happens to one operator."""

import concurrent.futures
import dataclasses
import multiprocessing
import threading
import warnings

import torch

TYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}
TARGETS = ("cpu", "h200")
RUN_ON = {"cpu": "cpu", "gpu": "cuda"}
"""Devices of targets on which operators are run, of which gpu is the one that
is there. For others they are compiled only."""

OK, REFUSED, WRONG, ABSENT = "ok", "refused", "wrong", "absent"
CRASHED = "crashed"


@dataclasses.dataclass(frozen=True)
class Outcome:
    """`status` is OK; REFUSED, if some of it is PyTorch's, and why; WRONG, if
    the result is, or there is an error instead; CRASHED, if the process died,
    or did not end; or ABSENT, if PyTorch has no such operator itself."""

    status: str
    reason: str = ""


def compile_only(options, run):
    """A backend of torch.compile that makes code for a processor that need not
    be there, from the graph that it has on the CPU. What is called instead,
    `run` makes of the graph."""
    from functorch.compile import make_boxed_func
    from torch._dynamo.backends.common import aot_autograd

    from grout import targets
    from grout.torch.compilation import graphs
    from grout.torch.decompositions import tables

    def compile_one(graph, inputs):
        graphs.compile_parts(graph, options)
        return make_boxed_func(run(graph))

    return aot_autograd(
        fw_compiler=compile_one,
        keep_inference_input_mutations=True,
        decompositions=tables.for_cpu(
            targets.get(options.target).has_f32_products
        ),
    )


def device_of(target):
    """Where tensors are made that have no device of their own: a context."""
    return torch.device(RUN_ON.get(target, "cpu"))


def _compiled(case, target):
    if target in RUN_ON:
        return torch.compile(
            case.function,
            backend="grout",
            fullgraph=True,
            dynamic=False,
            options=dict(fallback="eager", min_block_size=1),
        )
    from grout.torch import Options

    backend = compile_only(
        Options(
            target=target,
            fallback="eager",
            min_block_size=1,
            f32_products="bf16x6",
        ),
        run=lambda graph: graph.forward,
    )
    return torch.compile(
        case.function, backend=backend, fullgraph=True, dynamic=False
    )


def _first_line(error):
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0] if lines else ''}"


def _without_grout(case, dtype):
    """The result of the graph, run by PyTorch."""
    torch._dynamo.reset()
    return torch.compile(
        case.function, backend="aot_eager", fullgraph=True, dynamic=False
    )(*case.inputs(dtype))


def _difference(case, dtype, got):
    """What a result means that is not eager's."""
    from checking import leaves

    without = leaves(_without_grout(case, dtype))
    if all(
        x.shape == y.shape and torch.allclose(x, y, 0, 0, equal_nan=True)
        for x, y in zip(leaves(got), without, strict=True)
    ):
        return Outcome(
            REFUSED,
            "torch.compile's result is no eager's without Grout, either",
        )
    return Outcome(WRONG, "the result differs")


def _problem(case, dtype, error):
    """What an error of torch.compile means."""
    if isinstance(
        error, (torch._dynamo.exc.Unsupported, torch._dynamo.exc.UserError)
    ):
        return Outcome(REFUSED, "torch.compile makes no graph of it")
    try:
        _without_grout(case, dtype)
    except Exception as without:
        return Outcome(
            REFUSED,
            "torch.compile fails without Grout, too: " + _first_line(without),
        )
    return Outcome(WRONG, _first_line(error))


def try_case(case, dtype, target):
    """Compiles it and compares what it gives, if it can be run."""
    from checking import agrees, wide

    from grout.torch import records

    torch._dynamo.reset()
    with torch.no_grad(), device_of(target), records.listen() as operators:
        try:
            eager = case.function(*case.inputs(dtype))
            wanted = case.function(*map(wide, case.inputs(dtype)))
        except Exception as error:
            return Outcome(ABSENT, _first_line(error))
        try:
            got = _compiled(case, target)(*case.inputs(dtype))
        except Exception as error:
            return _problem(case, dtype, error)
        if not agrees(got, eager, wanted, case.is_elementwise):
            return _difference(case, dtype, got)
    computed = [one for one in operators if not one.is_view]
    for one in computed:
        if one.partition is None:
            return Outcome(REFUSED, f"{one.operator}: {one.reason}")
    if not computed:
        return Outcome(REFUSED, "nothing is computed")
    return Outcome(OK)


def try_operator(name, dtype, target):
    """One of operators.CASES; the type by its name."""
    from operators import CASES

    return try_case(CASES[name], TYPES[dtype], target)


def _serve(connection, attempt):
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")  # of PyTorch's, of what is deprecated
    import grout.torch  # noqa: F401, makes the backend known

    while (request := connection.recv()) is not None:
        connection.send(attempt(*request))


class Worker:
    """A process that calls `attempt`, a function of a module that gives an
    Outcome, and is started anew when it dies or takes too many seconds."""

    def __init__(self, seconds, attempt=try_operator):
        self._seconds = seconds
        self._attempt = attempt
        self._process = None

    def _start(self):
        context = multiprocessing.get_context("spawn")
        self._connection, other = context.Pipe()
        self._process = context.Process(
            target=_serve, daemon=True, args=(other, self._attempt)
        )
        self._process.start()
        other.close()

    def stop(self):
        if self._process:
            self._connection.send(None)
            self._process.join()
            self._process = None

    def _kill(self):
        self._process.kill()
        self._process.join()
        self._process = None

    def run(self, *request):
        if self._process is None:
            self._start()
        self._connection.send(request)
        try:
            if self._connection.poll(self._seconds):
                return self._connection.recv()
            reason = f"it takes longer than {self._seconds} s"
        except (EOFError, ConnectionError):
            self._process.join()
            reason = f"the process dies ({self._process.exitcode})"
        self._kill()
        return Outcome(CRASHED, reason)


def run_all(requests, jobs, seconds, attempt=try_operator):
    """Each request, in their order, and its outcome; `jobs` at once, each in a
    process that has `seconds` for one of them."""
    workers, own = [], threading.local()

    def run(request):
        if not hasattr(own, "worker"):
            own.worker = Worker(seconds, attempt)
            workers.append(own.worker)
        return own.worker.run(*request)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        yield from zip(requests, pool.map(run, requests))
    for worker in workers:
        worker.stop()
