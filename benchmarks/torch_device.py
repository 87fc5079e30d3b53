"""The GPU, through PyTorch: graphs, events, checks."""

import importlib.util
import time
import zlib

import driver


class Graph:
    """A CUDA graph of calls of `body`, and the tensor that the last call
    returns."""

    def __init__(self, torch, body, iterations):
        # The graph uses memory that only the body keeps alive.
        self._body = body
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            body()
        torch.cuda.current_stream().wait_stream(side)
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph):
            for _ in range(iterations):
                self.output = body()

    def replay(self):
        self._graph.replay()


class TorchDevice:
    """The device that timing.py and runner.py use."""

    def __init__(self, torch, seed):
        self.torch = torch
        self._seed = seed
        torch.backends.cuda.matmul.allow_tf32 = False

    def describe(self):
        torch = self.torch
        return {
            "gpu": torch.cuda.get_device_name(),
            "driver": driver.version(),
            "torch": torch.__version__,
            "cuda": torch.version.cuda,
        }

    def synchronize(self):
        self.torch.cuda.synchronize()

    def idle(self, seconds):
        time.sleep(seconds)

    def hold(self):
        # Cycles: about 0.2 ms, more than it takes to enqueue a graph.
        self.torch.cuda._sleep(400_000)

    def event(self):
        event = self.torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def elapsed_us(self, start, end):
        return start.elapsed_time(end) * 1e3

    def random(self, shape, dtype, scale, name):
        """Returns a tensor, uniform in [-scale, scale), that depends only on
        the seed, `name` and `shape`."""
        torch = self.torch
        generator = torch.Generator("cuda")
        generator.manual_seed(zlib.crc32(f"{self._seed}/{name}".encode()))
        values = torch.rand(shape, generator=generator, device="cuda")
        return ((values * 2 - 1) * scale).to(self._dtype(dtype))

    def integers(self, values):
        """Returns a tensor of i32 with these values."""
        return self.torch.tensor(values, dtype=self.torch.int32, device="cuda")

    def empty(self, shape, dtype):
        return self.torch.empty(shape, dtype=self._dtype(dtype), device="cuda")

    def _dtype(self, name):
        return {
            "f16": self.torch.float16,
            "bf16": self.torch.bfloat16,
            "f32": self.torch.float32,
        }[name]

    def wide(self, tensor):
        """Returns a copy in f32."""
        return tensor.to(self.torch.float32, copy=True)

    def poison(self, tensor):
        tensor.fill_(float("nan"))

    def error(self, tensor, want):
        """Returns the relative Frobenius error. It is NaN if an element is
        NaN."""
        return ((tensor.float() - want).norm() / want.norm()).item()

    def capture(self, body, iterations):
        return Graph(self.torch, body, iterations)

    def count_differences(self, body, replays):
        """Returns how many of `replays` replays of a graph, each with the
        output poisoned before, give other bits than a first call."""
        torch = self.torch
        first = body().clone().view(torch.int16)
        different = torch.zeros((), dtype=torch.int64, device="cuda")

        def compared():
            output = body()
            different.add_((output.view(torch.int16) != first).any())
            self.poison(output)
            return output

        graph = self.capture(compared, 1)
        different.zero_()
        for _ in range(replays):
            graph.replay()
        return different.item()

    def compile(self, function, arguments):
        """Compiles with torch.compile and all that max-autotune tries, once,
        for these arguments. The CUDA graph that it would add is left out,
        because the benchmark captures a graph of its own."""
        # Without Triton, a single GEMM silently stays cuBLAS's.
        if importlib.util.find_spec("triton") is None:
            raise RuntimeError("Triton is not installed")
        # Forgets the code that was compiled for other cases.
        self.torch._dynamo.reset()
        compiled = self.torch.compile(
            function,
            fullgraph=True,
            dynamic=False,
            mode="max-autotune-no-cudagraphs",
        )
        compiled(*arguments)
        self.synchronize()
        return compiled
