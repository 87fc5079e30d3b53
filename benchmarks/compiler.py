"""Compiles cases to artifacts with grout-compile. Needs no GPU."""

import collections
import concurrent.futures
import re
import shutil
import subprocess
import time

import manifest
from variants import variants_of


def find_ptxas():
    """Finds ptxas. Without it, each session of `run` waits for the driver's
    assembler."""
    return shutil.which("ptxas") or shutil.which(
        "ptxas", path="/usr/local/cuda/bin"
    )


class Compiler:
    """grout-compile, with the options for all compilations. A compilation that
    takes more than `seconds` counts as refused."""

    def __init__(
        self, program, ptxas=None, options=(), seconds=None, target="h200"
    ):
        self._program = program
        self._target = target
        self._seconds = seconds
        self._options = [*([f"--ptxas={ptxas}"] if ptxas else []), *options]

    def compile(self, source, variant, artifact):
        """Compiles a source to an artifact. Returns None, or why the compiler
        refuses it."""
        try:
            done = subprocess.run(
                [
                    self._program,
                    source,
                    f"--target={self._target}",
                    f"--mode={variant.mode}",
                    "--no-reference",
                    *self._options,
                    *variant.options,
                    "-o",
                    artifact,
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                timeout=self._seconds,
            )
        except subprocess.TimeoutExpired:
            return f"took more than {self._seconds:g} s"
        if done.returncode == 0:
            return None
        if done.returncode < 0:
            return f"ended by signal {-done.returncode}: {done.stderr.strip()}"
        return done.stderr.strip() or f"exit status {done.returncode}"


def headline(diagnostic):
    """Returns the first error of a diagnostic, without its place."""
    match = re.search(r"error: (.*)", diagnostic)
    return match[1] if match else diagnostic.partition("\n")[0]


def _write_sources(folder, case, variants):
    """Writes the IR of each distinct source. Variants with other tilings have
    other sources."""
    sources = {}
    for variant in variants:
        if variant.source not in sources:
            suffix = f"@{variant.source}" if variant.source else ""
            path = folder / f"{case.id}{suffix}.mlir"
            path.write_text(case.ir(variant.tilings))
            sources[variant.source] = path
    return sources


def compile_all(compiler, folder, title, cases, modes, candidates, jobs):
    """Writes sources, artifacts and the manifest. Returns the refusals: the
    number of cases for each (variant, headline)."""
    planned = [(case, variants_of(case, modes, candidates)) for case in cases]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / manifest.NAME).unlink(missing_ok=True)

    def compile_case(plan):
        case, variants = plan
        start = time.monotonic()
        sources = _write_sources(folder, case, variants)
        made = {}
        for variant in variants:
            name = f"{case.id}-{variant.name}.grout"
            diagnostic = compiler.compile(
                sources[variant.source], variant, folder / name
            )
            made[variant.name] = (
                {"artifact": name}
                if diagnostic is None
                else {"refused": diagnostic}
            )
        return made, time.monotonic() - start

    entries, refusals = [], collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for (case, _), (made, seconds) in zip(
            planned, pool.map(compile_case, planned)
        ):
            entries.append((case, made))
            refused = [name for name in made if "refused" in made[name]]
            refusals.update(
                (name, headline(made[name]["refused"])) for name in refused
            )
            compiled = [name for name in made if name not in refused]
            print(
                f"{case.id}: {', '.join(compiled) or 'nothing'} in "
                f"{seconds:.1f} s"
                + (f"; refused: {', '.join(refused)}" if refused else ""),
                flush=True,
            )
    manifest.save(folder, title, entries)
    return refusals
