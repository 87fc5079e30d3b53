"""Random programs on the CPU, against NumPy, with several numbers of workers;
compiled for a GPU, too."""

import io
import re

import numpy as np
from emulated import cpu, elements, random_programs
from hypothesis import strategies

from attack import bounded, hypothesis_cases, oracle, products
from attack.attack import Attack
from attack.outcome import Finding, Verdict, classify, generalise

INPUT, ARTIFACT = "program.mlir", "out.grout"
_LIMITS = [60, 300, 1500, 6000]
_MODES = ("persistent", "serial", "auto")
_GPUS = ("h200", "a100")
# "auto" has passes of its own.
_GPU_MODES = ("persistent", "serial", "pdl", "overlap", "auto", "auto", "auto")
# Programs have no such ops: they are what passes made, and not well.
_OF_PASSES = re.compile(r"'(scop|tsync|launch)\.\w+' op (?!cannot be compiled)")
_GRANULARITIES = ("auto", "tile", "row", "kernel")


class Programs(Attack):
    name = "programs"
    needs = ("grout-compile", "grout-run")
    weight = 3

    def run(self, case):
        chances = strategies.randoms(
            use_true_random=False, note_method_calls=False
        )
        return hypothesis_cases.falsify(
            case, chances, lambda chance: self._try(case, chance)
        )

    def _try(self, case, chance):
        program = random_programs.draw(chance, products.WEIGHTS, _LIMITS)
        options = [
            f"--mode={chance.choice(_MODES)}",
            f"--granularity={chance.choice(_GRANULARITIES)}",
        ]
        workers = chance.choice([(1, 4), (2, 3), (1, 8)])
        generator = np.random.default_rng(chance.randrange(1 << 16))
        inputs = [
            elements.draw(generator, value.shape, value.dtype)
            for value in program.arguments
        ]
        gpu = [
            f"--target={chance.choice(_GPUS)}",
            f"--mode={chance.choice(_GPU_MODES)}",
        ]
        check = _Check(case, program, options, inputs)
        return check.run(workers) or check.compile_for(gpu)


def _classify(done):
    verdict, reason = classify(done, located=True)
    if verdict == Verdict.REFUSED and _OF_PASSES.search(reason):
        return Verdict.INTERNAL, reason
    return verdict, reason


class _Check:
    def __init__(self, case, program, options, inputs):
        self.case = case
        self.program = program
        self.inputs = inputs
        self.compile = [
            "grout-compile",
            INPUT,
            "--target=cpu",
            *options,
            "-o",
            ARTIFACT,
        ]
        self.files = {INPUT: program.text.encode()}
        for i, array in enumerate(inputs):
            data = io.BytesIO()
            np.save(data, array)
            self.files[f"in{i}.npy"] = data.getvalue()
        for name, data in self.files.items():
            (case.folder / name).write_bytes(data)

    def run(self, workers):
        done = self._call(*self.compile)
        verdict, reason = _classify(done)
        self.case.notes[verdict.value] += 1
        if verdict == Verdict.REFUSED:
            self.case.notes[f"refused: {generalise(reason)}"] += 1
        if verdict != Verdict.OK:
            return (
                None
                if verdict.is_fine
                else self._finding(verdict, reason, self.compile, done)
            )
        runs = []
        for number in workers:
            finding, outputs = self._run(number)
            if finding:
                return finding
            runs.append(outputs)
        for name, first, second in zip(self.program.results, *runs):
            if first.tobytes() != second.tobytes():
                return self._finding(
                    Verdict.WRONG,
                    f"{workers[0]} and {workers[1]} workers "
                    f"give different bits of {name.type}",
                    self.compile,
                )
        return self._compare(runs[0])

    def compile_for(self, options):
        """Also what the CPU refuses."""
        command = ["grout-compile", INPUT, *options, "-o", "gpu.grout"]
        done = self._call(*command)
        verdict, reason = _classify(done)
        self.case.notes[f"{options[0]} {verdict.value}"] += 1
        if verdict.is_fine:
            return None
        return self._finding(verdict, reason, command, done)

    def _call(self, *command):
        return self.case.tools.run(*command, folder=self.case.folder)

    def _run(self, workers):
        """(finding, outputs)."""
        info = self._call("grout-run", ARTIFACT, "--info")
        if info.status:
            return self._finding(
                Verdict.INVALID, classify(info)[1], self.compile, info
            ), None
        outputs = cpu.names("output", info.stdout)
        command = [
            "grout-run",
            ARTIFACT,
            f"--workers={workers}",
            "--poison",
            "--bf16-as-uint16",
            "--inject-delays=1",
            "--timeout-seconds=10",
        ]
        for i, name in enumerate(cpu.names("input", info.stdout)):
            command += ["--input", f"{name}=in{i}.npy"]
        for i, name in enumerate(outputs):
            command += ["--output", f"{name}=out{i}.npy"]
        done = self._call(*command)
        verdict, reason = classify(done)
        if verdict != Verdict.OK:
            # Nothing about what was compiled may be refused.
            return self._finding(
                Verdict.WRONG if verdict.is_fine else verdict,
                reason,
                command,
                done,
            ), None
        return None, [
            np.load(self.case.folder / f"out{i}.npy")
            for i in range(len(outputs))
        ]

    def _compare(self, outputs):
        expected = oracle.evaluate(self.program.text, self.inputs)
        for i, (value, got, want) in enumerate(
            zip(self.program.results, outputs, expected, strict=True)
        ):
            got = elements.decode(got, value.dtype)
            if got.shape != value.shape:
                return self._finding(
                    Verdict.WRONG,
                    f"result {i} has the shape {got.shape}",
                    self.compile,
                )
            if value.dtype in elements.FLOATS:
                got = got.astype(np.float64)
                wrong = bounded.differ(got, want)
            else:
                wrong = got != want
            if wrong.any():
                return self._finding(
                    Verdict.WRONG,
                    self._describe(i, value, got, want, wrong),
                    self.compile,
                )
        self.case.notes["right"] += 1
        return None

    @staticmethod
    def _describe(i, value, got, want, wrong):
        first = tuple(map(int, np.argwhere(wrong)[0]))
        if isinstance(want, bounded.Bounded):
            much = f"{want.value[first]} within {want.error[first]:.3g}"
        else:
            much = str(want[first])
        return (
            f"result {i}, {value.type}: {np.count_nonzero(wrong)} of "
            f"{got.size} wrong, first {list(first)}: {got[first]} instead "
            f"of {much}"
        )

    def _finding(self, verdict, reason, command, done=None):
        return Finding(
            verdict,
            command,
            reason,
            self.files,
            done.output if done else "",
            f"{command[0]}: {generalise(reason)}",
        )
