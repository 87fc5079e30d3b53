"""Mutated modules, through every tool, target and mode."""

import re

from attack import corpus, mutation
from attack.attack import Attack
from attack.outcome import Finding, Verdict, classify

INPUT, ARTIFACT = "input.mlir", "out.grout"
_TARGETS = {
    "cpu": ("persistent", "serial", "auto"),
    "h200": ("persistent", "serial", "pdl", "overlap", "auto"),
    "a100": ("persistent", "serial", "pdl", "overlap", "auto"),
}
# A module is a mutant of one with this option more or less.
_OPTIONS = [
    "--granularity=tile",
    "--granularity=row",
    "--granularity=kernel",
    "--granularity=auto",
    "--scop-tree=none",
    "--scop-tree=akg",
    "--no-reference",
    "--explain",
    "--debug-sync",
]
# Most mutants don't parse. How often another one is made then.
_TRIES = 4
_WORKERS = (1, 2, 3, 8)
# How much longer than compiling what an artifact computes may take.
_RUN_SLOWER = 4


class Modules(Attack):
    name = "modules"
    needs = ("grout-opt", "grout-compile", "grout-run")
    weight = 4
    each = 8

    def run(self, case):
        chance = case.random()
        modules = corpus.modules()
        module = chance.choice(modules)
        others = [other.text for other in chance.sample(modules, 3)]
        for _ in range(_TRIES):
            text = mutation.mutate(chance, module.text, others)
            files = {INPUT: text.encode()}
            verdict, finding = self._try(case, ["grout-opt", INPUT], files)
            if finding:
                return [finding]
            if verdict == Verdict.OK:
                break
        findings = (
            self._try(case, command, files)[1]
            for command in self._commands(chance, module)
        )
        return [finding for finding in findings if finding]

    def _commands(self, chance, module):
        """One of its test's; then one of grout-compile's."""
        if module.commands:
            command = list(chance.choice(module.commands))
            passes = corpus.passes(command)
            if (
                command[0] == "grout-opt"
                and len(passes) > 1
                and chance.random() < 0.3
            ):
                command = ["grout-opt", chance.choice(passes)]
            yield [command[0], INPUT, *command[1:]]
        target = chance.choice(list(_TARGETS))
        options = [
            f"--target={target}",
            f"--mode={chance.choice(_TARGETS[target])}",
        ]
        options += chance.sample(_OPTIONS, chance.choice([0, 0, 1, 2]))
        if target == "cpu" and "--debug-sync" in options:
            options.remove("--debug-sync")
        workers = chance.choice(_WORKERS)
        yield [
            "grout-compile",
            INPUT,
            *options,
            "-o",
            ARTIFACT,
            f"--workers={workers}",
        ]

    def _try(self, case, command, files):
        """(verdict, finding or None) of a command on these files. --workers of
        grout-compile's is for grout-run, which runs what it writes."""
        for name, data in files.items():
            (case.folder / name).write_bytes(data)
        artifact = case.folder / ARTIFACT
        artifact.unlink(missing_ok=True)
        workers = [word for word in command if word.startswith("--workers")]
        command = [word for word in command if word not in workers]
        if command[0] == "grout-opt":
            command += ["-o", "out.mlir"]
        shown = command + workers
        done = case.tools.run(*command, folder=case.folder)
        verdict, reason = classify(done, located=True)
        if verdict == Verdict.INTERNAL and not self._is_valid(case):
            verdict = Verdict.REFUSED
        if verdict == Verdict.OK and artifact.exists():
            done, verdict, reason = _run_artifact(case, command, workers)
        elif (
            verdict == Verdict.OK
            and command[0] == "grout-compile"
            and not any(word.startswith("--emit") for word in command)
        ):
            verdict, reason = Verdict.INVALID, "nothing is written"
        case.notes[verdict.value] += 1
        if verdict.is_fine:
            return verdict, None
        return verdict, Finding(
            verdict,
            shown,
            reason,
            files,
            done.output,
            f"{command[0]}: {reason}",
        )

    @staticmethod
    def _is_valid(case):
        """Whether the input is found to be, before any pass."""
        return (
            case.tools.run(
                "grout-opt", INPUT, "-o", "out.mlir", folder=case.folder
            ).status
            == 0
        )

    def repeats(self, case, finding, files):
        _, other = self._try(case, finding.command, files)
        return other is not None and other.key == finding.key

    def test(self, finding, files):
        words = " ".join(
            "%s" if word == INPUT else "%t.grout" if word == ARTIFACT else word
            for word in finding.command
            if not word.startswith("--workers")
        )
        return {
            INPUT: f"// RUN: {words}\n// {finding.reason}\n\n".encode()
            + files[INPUT]
        }


def _run_artifact(case, command, workers):
    """(call, verdict, reason) of grout-run on what was compiled."""
    done = case.tools.run("grout-run", ARTIFACT, "--info", folder=case.folder)
    if done.status:
        verdict, reason = classify(done)
        if verdict == Verdict.REFUSED:
            verdict = Verdict.INVALID
        return done, verdict, f"grout-run --info: {reason}"
    if (
        "--target=cpu" not in command
        or not workers
        or "reference" not in done.stdout
    ):
        return done, Verdict.OK, ""
    limits = case.tools.limits.slower(_RUN_SLOWER)
    done = case.tools.run(
        "grout-run",
        ARTIFACT,
        *workers,
        "--check",
        "--repeat=2",
        "--inject-delays=1",
        "--timeout-seconds=10",
        folder=case.folder,
        limits=limits,
    )
    verdict, reason = classify(done)
    if verdict == Verdict.HANG and not done.timed_out:
        # It has much to compute: who waits for long is ended by grout-run.
        verdict = Verdict.OK
    elif verdict == Verdict.REFUSED and not is_excused(
        done, (case.folder / INPUT).read_text(errors="replace")
    ):
        verdict = Verdict.WRONG
    return done, verdict, f"grout-run --check: {reason}" if reason else ""


# Of results in programs that divide. What is wrong for another reason is wrong
# by more.
_DIVIDED = 0.1


def is_excused(done, source):
    """What a machine lacks memory for is no defect; nor are fewer workers than
    an order needs, which grout-run refuses; nor are random inputs of
    which nothing finite comes, in the reference neither, or where sums that
    cancel are divided by, which makes any rounding large. Rows of a grouped
    matmul that are in no group have no value, so only the others count."""
    if "alloc" in done.stderr or "memory" in done.stderr:
        return True
    if "resident tiles to be free of deadlock" in done.stderr:
        return True
    errors = [
        float(error)
        for error in re.findall(r"relative error (\S+),", done.stdout)
    ]
    if "divf" in source and errors and max(errors) < _DIVIDED:
        return True
    tolerances = re.findall(r"tolerance (\S+) \(", done.stdout)
    if "grouped_matmul" in source and errors:
        return all(
            error <= float(tolerance)
            for error, tolerance in zip(errors, tolerances, strict=True)
        )
    counts = re.findall(
        r"(\d+) elements are NaN or infinite, (\d+) elements "
        r"of the reference",
        done.stdout,
    )
    return any(got == want for got, want in counts)
