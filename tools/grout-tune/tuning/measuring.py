"""`run`: measures candidates beside the model's choice, case by case."""

import datetime
import lzma
import math
import pathlib
import random
import statistics
import tempfile

import timing
from runner import TOLERANCE, DeviceLost, WrongResult
from watchdog import watchdog

from tuning.measurement import VERSION
from tuning.progress import Progress

# A candidate is given up if, in its first burst, it takes this many times as
# long as the best candidate.
HOPELESS = 1.5
# At least this many candidates of a mode stay, whatever their times are.
_FEWEST = 3


def survivors(candidates, samples):
    """Returns the faster half of the candidates of one mode, and the model's
    choice, with which all others are compared. `samples` has microseconds by
    label."""
    ranked = sorted(
        (item.label for item in candidates),
        key=lambda label: statistics.median(samples[label]),
    )
    kept = ranked[: max(_FEWEST, math.ceil(len(ranked) / 2))]
    return [item for item in candidates if item.label in kept or item.model]


class Tuner:
    """Measures cases, with a device and a runtime such as those of bench.py.
    `stages` are numbers of bursts. After each stage but the last, the slower
    half of the candidates of each mode is given up."""

    def __init__(self, device, runtime, folder, options, say):
        self._device = device
        self._runtime = runtime
        self._folder = folder
        self._options = options
        self._say = say
        self._rng = random.Random(options.seed)
        self._origin = device.describe()

    def measure(self, case):
        """Returns lines for the database, and for each failed mode the reason.
        A mode fails if the model's choice fails, because then there is no
        result to compare the other candidates with. Raises if all modes fail,
        and DeviceLost if the device cannot run anything more."""
        iterations = timing.iterations(case.flops, case.bytes)
        self._failed_modes = {}
        graphs = self._prepare(case, iterations)
        with watchdog(f"timing of {case.name}", self._options.timeout_seconds):
            lines = self._time(case, graphs, iterations)
        return lines, {
            mode: f"{type(error).__name__}: {error}"
            for mode, error in self._failed_modes.items()
        }

    def _time(self, case, graphs, iterations):
        alive = [item for item in case.candidates if item.label in graphs]
        measured = list(alive)
        samples = {}
        # The first burst also warms up, so it is not a sample.
        estimates = timing.estimate(self._device, graphs, iterations)
        alive = self._each_mode(
            alive,
            lambda items: [
                item
                for item in items
                if item.model
                or estimates[item.label]
                <= HOPELESS * min(estimates[other.label] for other in items)
            ],
        )
        for number, bursts in enumerate(self._options.stages):
            if number:
                alive = self._each_mode(
                    alive, lambda items: survivors(items, samples)
                )
            added = timing.cool(
                self._device,
                {item.label: graphs[item.label] for item in alive},
                iterations,
                bursts,
                self._options.idle_ms / 1e3,
                self._rng,
            )
            for label, values in added.items():
                samples.setdefault(label, []).extend(values)
        wrong = self._check_again(case, graphs, alive)
        measured = [
            item
            for item in measured
            if item not in wrong and item.mode not in self._failed_modes
        ]
        self._require_mode(measured)
        for item in measured:
            samples.setdefault(item.label, [estimates[item.label]])
        return [
            self._line(case, item, samples[item.label], item not in alive)
            for item in measured
        ]

    @staticmethod
    def _each_mode(candidates, keep):
        modes = dict.fromkeys(item.mode for item in candidates)
        return [
            item
            for mode in modes
            for item in keep([item for item in candidates if item.mode == mode])
        ]

    def _prepare(self, case, iterations):
        """Returns graphs of all candidates with right results, by label."""
        device = self._device
        self._inputs = [
            # Ends of groups of rows.
            device.integers(tensor["values"])
            if "values" in tensor
            else device.random(
                tensor["shape"],
                tensor["type"],
                _scale(index, tensor),
                f"{case.key}/{index}",
            )
            for index, tensor in enumerate(case.inputs)
        ]
        self._outputs = [
            device.empty(tensor["shape"], tensor["type"])
            for tensor in case.outputs
        ]
        self._want = None
        graphs = {}
        # The model's choice comes first: the other results are compared with
        # its result.
        for item in sorted(case.candidates, key=lambda item: not item.model):
            if item.mode in self._failed_modes:
                continue
            with watchdog(
                f"{case.name} {item.label}", self._options.timeout_seconds
            ):
                try:
                    graph = device.capture(self._body(item), iterations)
                    self._check(case, graph)
                    graphs[item.label] = graph
                except Exception as error:
                    self._fail(case, item, error)
        self._require_mode(graphs)
        return graphs

    def _require_mode(self, left):
        """Raises the error of a failed mode if nothing is left."""
        if not left:
            raise next(iter(self._failed_modes.values()))

    def _fail(self, case, candidate, error):
        try:
            self._device.synchronize()
        except Exception as lost:
            raise DeviceLost(
                f"{case.name} {candidate.label}: {error}"
            ) from lost
        if candidate.model:
            self._failed_modes[candidate.mode] = error
        self._say(f"refused: {case.name}: {candidate.label}: {error}")

    def _body(self, candidate):
        """Returns a function that computes the results with an artifact."""
        packed = self._folder / candidate.artifact
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / packed.stem
            path.write_bytes(lzma.decompress(packed.read_bytes()))
            session = self._runtime.session(path)

        # A graph of this function uses the tensors' memory as long as the
        # graph lives.
        inputs, outputs = self._inputs, self._outputs

        def body():
            session.run(inputs, outputs)
            return outputs[0]

        return body

    def _check(self, case, graph):
        for output in self._outputs:
            self._device.poison(output)
        graph.replay()
        wants = self._want or [
            self._device.wide(output) for output in self._outputs
        ]
        for tensor, output, want in zip(case.outputs, self._outputs, wants):
            error = self._device.error(output, want)
            limit = TOLERANCE.get(tensor["type"], 1e-3)
            # This is also true if `error` is NaN.
            if not error < limit:
                raise WrongResult(
                    f"relative error {error:.1e} to the model's choice; "
                    f"tolerated are {limit:.0e}"
                )
        # Only a right result may become the one to compare with.
        self._want = wants

    def _check_again(self, case, graphs, alive):
        """Returns the candidates whose results are wrong after all
        measurements."""
        wrong = []
        for item in alive:
            try:
                self._check(case, graphs[item.label])
            except Exception as error:
                self._fail(case, item, error)
                wrong.append(item)
        return wrong

    def _line(self, case, candidate, samples, eliminated):
        median = statistics.median(samples)
        line = {
            "version": VERSION,
            "target": self._options.target,
            "kind": case.kind,
            "key": case.key,
            "mode": candidate.mode,
            "tilings": candidate.tilings,
            "us": round(median, 3),
            "spread": round((max(samples) - min(samples)) / median, 4),
            "samples": len(samples),
        }
        for name in ("model", "auto"):
            if getattr(candidate, name):
                line[name] = True
        if eliminated:
            line["eliminated"] = True
        return {
            **line,
            "modelled_us": round(candidate.modelled_us, 3),
            "name": case.name,
            "device": self._origin["gpu"],
            "driver": self._origin["driver"],
            "cuda": self._origin["cuda"],
            "date": datetime.datetime.now(datetime.timezone.utc).strftime(
                "%Y-%m-%dT%H:%M:%SZ"
            ),
        }


def _scale(index, tensor):
    """Scales weights so that results are about as large as the input."""
    shape = tensor["shape"]
    return shape[-2] ** -0.5 if index and len(shape) > 1 else 1.0


def describe(lines):
    """Returns a summary of the lines, for a line of progress."""
    parts = []
    for mode in dict.fromkeys(line["mode"] for line in lines):
        of_mode = [line for line in lines if line["mode"] == mode]
        model = next(line["us"] for line in of_mode if line.get("model"))
        best = min(
            (line for line in of_mode if not line.get("eliminated")),
            key=lambda line: line["us"],
        )
        parts.append(
            f"{mode} {model:.1f} us"
            + (
                ""
                if best.get("model")
                else f", tuned {best['us']:.1f} ({model / best['us']:.3f})"
            )
        )
    return "; ".join(parts)


def pending(manifest, cases, database, again):
    """Returns those of a manifest's `cases` that the database lacks, with only
    the modes that it lacks."""
    lacking = []
    for case in cases:
        measured = (
            set()
            if again
            else database.modes(manifest.target, case.kind, case.key)
        )
        case.candidates = [
            item for item in case.candidates if item.mode not in measured
        ]
        if case.candidates:
            lacking.append(case)
    return lacking


def run_cases(tuner, cases, database, options, say):
    """Measures all cases, and returns the names of failed cases. Ends early if
    the time in `options` is over."""
    progress = Progress(len(cases), say)
    failed = []
    for case in cases:
        if options.budget_seconds and progress.elapsed > options.budget_seconds:
            say(
                f"the time is over: {len(cases) - progress.done} cases are "
                "left; run again to go on"
            )
            break
        try:
            lines, problems = tuner.measure(case)
        except DeviceLost:
            raise
        except Exception as error:
            failed.append(f"{case.name}: {type(error).__name__}: {error}")
            progress.step(f"failed: {failed[-1]}")
            continue
        database.add(lines)
        failed += [
            f"{case.name} {mode}: {problem}"
            for mode, problem in problems.items()
        ]
        progress.step(
            f"{case.name}: {describe(lines)}; {len(lines)} candidates"
        )
    return failed
