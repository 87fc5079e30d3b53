"""Where things are, and stand-ins for a GPU, PyTorch and the runtime."""

import os
import pathlib
import types

BENCHMARKS = pathlib.Path(__file__).parents[1]
CONFIGS = sorted((BENCHMARKS / "configs").glob("*.json"))
BUILD = pathlib.Path(
    os.environ.get("GROUT_BUILD", BENCHMARKS.parent / "build")
).resolve()


class Tensor:
    """A number; mutable, as tensors are."""

    def __init__(self, value):
        self.value = value


class Torch:
    """A product takes 10 us and is wrong if `factor` is not 1."""

    def __init__(self, device):
        self._device = device
        self.factor = 1.0

    def mm(self, x, w):
        self._device.now_us += 10
        return Tensor(x.value * w.value * self.factor)


class Graph:
    def __init__(self, body, iterations):
        self._body = body
        self._iterations = iterations
        self.output = body()

    def replay(self):
        for _ in range(self._iterations):
            self.output.value = self._body().value


class Device:
    """Computes at once, on a clock of its own, and notes what it is asked."""

    def __init__(self):
        self.now_us = 0.0
        self.idled = 0.0
        self.lost = False
        self.given = []
        self.torch = Torch(self)

    def describe(self):
        return {
            "gpu": "stand-in",
            "driver": "1.2",
            "torch": "none",
            "cuda": "none",
        }

    def synchronize(self):
        if self.lost:
            raise RuntimeError("the device is lost")

    def idle(self, seconds):
        self.idled += seconds

    def hold(self):
        self.now_us += 1000

    def event(self):
        return self.now_us

    def elapsed_us(self, start, end):
        return end - start

    def random(self, shape, dtype, scale, name):
        return Tensor(scale)

    def integers(self, values):
        self.given.append(values)
        return Tensor(1.0)

    def empty(self, shape, dtype):
        return Tensor(0.0)

    def wide(self, tensor):
        return Tensor(tensor.value)

    def poison(self, tensor):
        tensor.value = float("nan")

    def error(self, tensor, want):
        return abs(tensor.value - want.value) / abs(want.value)

    def compile(self, function, arguments):
        function(*arguments)
        return function

    def capture(self, body, iterations):
        return Graph(body, iterations)

    def count_differences(self, body, replays):
        first = body().value
        return sum(body().value != first for _ in range(replays))


class Runtime:
    """Its artifacts are functions by file name, which get the device, the run's
    number and the right result, and return what they computed."""

    def __init__(self, device, artifacts):
        self._device = device
        self._artifacts = artifacts
        self.poisoned = []

    def session(self, path, poison=False):
        if path.name not in self._artifacts:
            raise RuntimeError(f"no such file: {path.name}")
        if poison:
            self.poisoned.append(path.name)
        runs = 0

        def run(inputs, outputs):
            nonlocal runs
            right = inputs[0].value * inputs[1].value
            outputs[0].value = self._artifacts[path.name](
                self._device, runs, right
            )
            runs += 1

        return types.SimpleNamespace(run=run)


def takes(us):
    """An artifact that is right and takes so long."""

    def run(device, runs, right):
        device.now_us += us
        return right

    return run
