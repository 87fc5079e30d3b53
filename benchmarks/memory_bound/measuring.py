"""Checks and times all variants of a case, beside each other.

Each call is a CUDA graph of one operator; before it 512 MB are written, so that
nothing is left in the cache.
"""

import statistics

from operators import torch_inputs

from memory_bound.names import COPY, EAGER, TORCH_COMPILE

_FLUSH_BYTES = 512 << 20


class Measuring:
    """`compile_peer` is torch_compile.Peer, or None; `eager` says whether
    PyTorch without it takes part, too."""

    def __init__(
        self, torch, device, runtime, folder, samples, seed, compile_peer, eager
    ):
        self._torch = torch
        self._device = device
        self._runtime = runtime
        self._folder = folder
        self._samples = samples
        self._seed = seed
        self._compile_peer = compile_peer
        self._eager = eager
        self._flush = torch.empty(
            _FLUSH_BYTES, dtype=torch.uint8, device="cuda"
        )

    def measure(self, case, variants):
        """The row of results: for each variant and peer microseconds, or why
        there are none."""
        chosen = case.choose(self._torch, self._seed)
        if chosen is None:
            why = {
                "wrong": "nothing to compare: no inputs were found for "
                "which roundings do not change the results"
            }
            return self._row(case, {name: why for name in variants})
        inputs, want = chosen
        outputs = case.results(self._torch)
        outcomes, bodies = {}, {}
        for name, variant in variants.items():
            if "refused" in variant:
                outcomes[name] = {"refused": variant["refused"]}
                continue
            torch_inputs.poison(self._torch, outputs)
            try:
                session = self._runtime.session(
                    self._folder / variant["artifact"]
                )

                def body(session=session):
                    session.run(inputs, outputs)

                body()
                self._judge(case, name, body, outputs, want, outcomes, bodies)
            except RuntimeError as error:
                outcomes[name] = {"wrong": str(error).partition("\n")[0]}
                # This one is not caught: if it fails the GPU is lost.
                self._device.synchronize()
        for name, function, problem in self._peers(case, inputs):
            if problem:
                outcomes[name] = {"refused": problem}
                continue
            got = function(*inputs)
            got = got if isinstance(got, tuple) else (got,)
            self._judge(
                case,
                name,
                lambda function=function: function(*inputs),
                got,
                want,
                outcomes,
                bodies,
            )
        del want
        bodies[COPY] = self._copy(case)
        for name, us in self._times(bodies).items():
            outcomes[name] = {"us": us}
        return self._row(case, outcomes)

    @staticmethod
    def _row(case, outcomes):
        return {
            "name": case.name,
            "group": case.group,
            "bytes": case.bytes,
            "variants": outcomes,
        }

    def _judge(self, case, name, body, got, want, outcomes, bodies):
        self._device.synchronize()
        problem = case.problem(self._torch, got, want)
        if problem:
            outcomes[name] = {"wrong": problem}
        else:
            bodies[name] = body

    def _peers(self, case, inputs):
        if self._compile_peer:
            yield TORCH_COMPILE, *self._compile_peer.make(case, inputs)
        if self._eager:
            yield EAGER, case.function(self._torch), ""

    def _copy(self, case):
        """A copy that moves as many bytes."""
        source = self._torch.empty(
            max(case.bytes // 2, 1), device="cuda", dtype=self._torch.uint8
        )
        target = self._torch.empty_like(source)
        return lambda: target.copy_(source)

    def _times(self, bodies):
        torch = self._torch
        with torch.no_grad():
            graphs = {
                name: self._device.capture(body, 1)
                for name, body in bodies.items()
            }
        times = {name: [] for name in graphs}
        for _ in range(self._samples):
            for name, graph in graphs.items():
                self._flush.fill_(1)
                start = self._device.event()
                graph.replay()
                end = self._device.event()
                end.synchronize()
                times[name].append(self._device.elapsed_us(start, end))
        return {
            name: statistics.median(sample) for name, sample in times.items()
        }
