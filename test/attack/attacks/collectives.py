"""Random programs of several ranks on the CPU, whose results are exactly those
of NumPy; compiled for a GPU, too."""

import io

import numpy as np
from emulated import elements

from attack.attack import Attack
from attack.outcome import Finding, Verdict, classify, generalise

INPUT, ARTIFACT = "program.mlir", "out.grout"
_EXTENTS = (1, 2, 3, 4, 6, 8, 12)
_MOST_ELEMENTS = 1 << 14
# Numbers of magnitude 1 stay exact in bf16, which has 8 bits, after these.
_MOST_SUMS = 2
_SUMS = ("all_reduce", "reduce_scatter")
_MODES = ("persistent", "serial", "auto")
_GPUS = ("h200", "h100", "a100")


class _Program:
    """Ops on %v0, and what each rank has of the last value."""

    def __init__(self, chance):
        self.chance = chance
        self.ranks = chance.randint(2, 8)
        self.dtype = chance.choice(elements.FLOATS[:3] + elements.INTEGERS)
        shape = [
            chance.choice(_EXTENTS) * chance.choice((1, self.ranks))
            for _ in range(chance.randint(1, 3))
        ]
        generator = np.random.default_rng(chance.getrandbits(32))
        self.values = [
            generator.integers(-1, 2, shape) for _ in range(self.ranks)
        ]
        self.inputs = list(self.values)
        self.lines, self.sums, self.count = [], 0, 0
        ops = (self._take, self._gather, self._exchange, self._sum)
        for _ in range(chance.randint(0, 4)):
            chance.choice(ops)()
        # Without any collective op, there would be one rank.
        self._add_gather(self._axis())

    @property
    def text(self):
        first, last = self._type(self.inputs), self._type(self.values)
        return "\n".join(
            [
                f"func.func @f(%v0: {first} "
                f'{{grout.name = "x"}}) -> ({last} {{grout.name = "y"}}) {{',
                *self.lines,
                f"  return %v{self.count} : {last}",
                "}",
                "",
            ]
        )

    def _type(self, values):
        shape = "".join(f"{extent}x" for extent in values[0].shape)
        return f"tensor<{shape}{self.dtype}>"

    def _add(self, op, values):
        """`op` may use {v}, the value so far, and {channel}."""
        before, after = self._type(self.values), self._type(values)
        op = op.format(v=f"%v{self.count}", channel=self.count)
        same = before if "all_reduce" in op else f"{before} -> {after}"
        if "extract_slice" in op:
            same = f"{before} to {after}"
        self.lines.append(f"  %v{self.count + 1} = {op} : {same}")
        self.values = values
        self.count += 1

    def _axis(self, divisible=False):
        axes = [
            axis
            for axis, extent in enumerate(self.values[0].shape)
            if not divisible or extent % self.ranks == 0
        ]
        return self.chance.choice(axes) if axes else None

    def _take(self):
        """Without its first elements along an axis, a tensor is not dense."""
        axis = self._axis()
        shape = list(self.values[0].shape)
        if shape[axis] == 1:
            return
        offsets = [int(i == axis) for i in range(len(shape))]
        shape[axis] -= 1
        self._add(
            f"tensor.extract_slice {{v}}{offsets} {shape} {[1] * len(shape)}",
            [np.delete(value, 0, axis) for value in self.values],
        )

    def _gather(self):
        if self.values[0].size * self.ranks <= _MOST_ELEMENTS:
            self._add_gather(self._axis())

    def _add_gather(self, axis):
        self._add(
            f"collective.all_gather {{v}} ranks {self.ranks} dim {axis} "
            "channel {channel}",
            [np.concatenate(self.values, axis)] * self.ranks,
        )

    def _exchange(self):
        split, concat = self._axis(divisible=True), self._axis()
        if split is None:
            return
        parts = [np.split(value, self.ranks, split) for value in self.values]
        self._add(
            f"collective.all_to_all {{v}} ranks {self.ranks} split_dim {split} "
            f"concat_dim {concat} channel {{channel}}",
            [
                np.concatenate([given[rank] for given in parts], concat)
                for rank in range(self.ranks)
            ],
        )

    def _sum(self):
        if self.dtype not in elements.FLOATS or self.sums == _MOST_SUMS:
            return
        self.sums += 1
        total = sum(self.values)
        axis = self._axis(divisible=True)
        if self.chance.choice(_SUMS) == "all_reduce" or axis is None:
            self._add(
                f"collective.all_reduce {{v}} ranks {self.ranks} "
                "channel {channel}",
                [total] * self.ranks,
            )
            return
        self._add(
            f"collective.reduce_scatter {{v}} ranks {self.ranks} dim {axis} "
            "channel {channel}",
            np.split(total, self.ranks, axis),
        )


class Collectives(Attack):
    name = "collectives"
    needs = ("grout-compile", "grout-run")

    def run(self, case):
        chance = case.random()
        program = _Program(chance)
        files = {INPUT: program.text.encode()}
        for rank, values in enumerate(program.inputs):
            data = io.BytesIO()
            np.save(data, elements.encode(values, program.dtype))
            files[f"in{rank}.npy"] = data.getvalue()
        for name, data in files.items():
            (case.folder / name).write_bytes(data)
        finding = self._run(case, program, chance, files) or self._compile(
            case, f"--target={chance.choice(_GPUS)}", files
        )
        return [finding] if finding else []

    def _compile(self, case, option, files):
        command = ["grout-compile", INPUT, option, "-o", ARTIFACT]
        done = case.tools.run(*command, folder=case.folder)
        verdict, reason = classify(done, located=True)
        case.notes[f"{option} {verdict.value}"] += 1
        if verdict == Verdict.OK:
            return None
        return _finding(verdict, reason, command, files, done)

    def _run(self, case, program, chance, files):
        finding = self._compile(case, "--target=cpu", files)
        if finding:
            return finding
        command = [
            "grout-run",
            ARTIFACT,
            f"--workers={chance.choice((1, 2, 3))}",
            "--check",
            "--repeat=3",
            "--bf16-as-uint16",
            "--timeout-seconds=10",
            f"--inject-delays={chance.randrange(2)}",
        ]
        for rank in range(program.ranks):
            command += ["--input", f"x@{rank}=in{rank}.npy"]
            command += ["--output", f"y@{rank}=out{rank}.npy"]
        done = case.tools.run(*command, folder=case.folder)
        verdict, reason = classify(done)
        if verdict != Verdict.OK:
            if verdict.is_fine:
                verdict = Verdict.WRONG
            return _finding(verdict, reason, command, files, done)
        for rank, wanted in enumerate(program.values):
            got = np.load(case.folder / f"out{rank}.npy")
            got = elements.decode(got, program.dtype)
            if got.shape != wanted.shape or (got != wanted).any():
                return _finding(
                    Verdict.WRONG, f"rank {rank} is wrong", command, files, done
                )
        case.notes["right"] += 1
        return None


def _finding(verdict, reason, command, files, done):
    return Finding(
        verdict,
        command,
        reason,
        files,
        done.output,
        f"{command[0]}: {generalise(reason)}",
    )
