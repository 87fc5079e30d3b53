"""What becomes of a single operator on a processor, found out in a process of
its own, so that whatever happens there happens to one operator."""

import dataclasses
import multiprocessing

import torch

TYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}
TARGETS = ("cpu", "h200")

OK, REFUSED, WRONG, ABSENT = "ok", "refused", "wrong", "absent"


@dataclasses.dataclass(frozen=True)
class Outcome:
    """`status` is OK; REFUSED, if some of it is PyTorch's, and why; WRONG
    (a result, or a compiler that crashed); or ABSENT, if PyTorch has no such
    operator itself."""
    status: str
    reason: str = ""


def _options(target):
    from grout.torch import Options
    return Options(target=target, fallback="eager", min_block_size=1)


def _compile_only(target):
    """A backend of torch.compile that makes code for a processor that need not
    be there, from the graph that it has on the CPU, and runs PyTorch's."""
    from functorch.compile import make_boxed_func
    from torch._dynamo.backends.common import aot_autograd

    from grout.torch import decompositions, graphs

    def compile_one(graph, inputs):
        graphs.compile_parts(graph, _options(target))
        return make_boxed_func(graph.forward)

    return aot_autograd(fw_compiler=compile_one,
                        decompositions=decompositions.for_cpu())


def _compiled(case, target):
    if target == "cpu":
        return torch.compile(case.function, backend="grout", fullgraph=True,
                             dynamic=False, options=dict(
                                 fallback="eager", min_block_size=1))
    return torch.compile(case.function, backend=_compile_only(target),
                         fullgraph=True, dynamic=False)


def _first_line(error):
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0] if lines else ''}"


def try_case(case, dtype, target):
    """Compiles it and, on the CPU, compares what it gives."""
    from checking import agrees, wide

    from grout.torch import records
    torch._dynamo.reset()
    inputs = case.inputs(dtype)
    with torch.no_grad(), records.listen() as operators:
        try:
            eager = case.function(*inputs)
            wanted = case.function(*map(wide, inputs))
        except RuntimeError as error:
            return Outcome(ABSENT, _first_line(error))
        try:
            got = _compiled(case, target)(*inputs)
        except Exception as error:
            if isinstance(error, (torch._dynamo.exc.Unsupported,
                                  torch._dynamo.exc.UserError)):
                return Outcome(REFUSED, "torch.compile makes no graph of it")
            return Outcome(WRONG, _first_line(error))
    if not agrees(got, eager, wanted):
        return Outcome(WRONG, "the result differs")
    computed = [one for one in operators if not one.is_view]
    for one in computed:
        if one.partition is None:
            return Outcome(REFUSED, f"{one.operator}: {one.reason}")
    if not computed:
        return Outcome(REFUSED, "nothing is computed")
    return Outcome(OK)


def _serve(connection):
    from operators import CASES
    torch.set_num_threads(1)
    import grout.torch  # noqa: F401, makes the backend known
    while (request := connection.recv()) is not None:
        name, dtype, target = request
        connection.send(try_case(CASES[name], TYPES[dtype], target))


class Worker:
    """A process that tries operators, and is started anew when it dies."""

    def __init__(self, seconds):
        self._seconds = seconds
        self._process = None

    def _start(self):
        context = multiprocessing.get_context("spawn")
        self._connection, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other,),
                                        daemon=True)
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

    def run(self, name, dtype, target):
        if self._process is None:
            self._start()
        self._connection.send((name, dtype, target))
        try:
            if self._connection.poll(self._seconds):
                return self._connection.recv()
            reason = f"it takes longer than {self._seconds} s"
        except (EOFError, ConnectionError):
            self._process.join()
            reason = f"the compiler crashes ({self._process.exitcode})"
        self._kill()
        return Outcome(WRONG, reason)
