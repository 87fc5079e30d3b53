"""`compile`: lists candidates, compiles them, and writes a manifest with all
the data that `run` needs. Artifacts are compressed, because users copy them to
other machines."""

import concurrent.futures
import dataclasses
import hashlib
import json
import lzma
import os
import re
import subprocess

import compiler
import json_files
import workloads
from errors import UserError
from variants import Variant

from tuning import candidates
from tuning.progress import Progress

MANIFEST = "manifest.json"
VERSION = 3

# More than any product has, so that the compiler lists all of them.
ALL_TILINGS = 10000


@dataclasses.dataclass
class Manifest:
    target: str
    cases: list

    def save(self, folder):
        content = {
            "version": VERSION,
            "target": self.target,
            "cases": [candidates.to_json(case) for case in self.cases],
        }
        content["sha256"] = _digest(content)
        # If writing is interrupted, the last manifest stays whole.
        new = folder / (MANIFEST + ".new")
        new.write_text(json.dumps(content, indent=1) + "\n")
        os.replace(new, folder / MANIFEST)


def _digest(content):
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def load(folder):
    path = folder / MANIFEST
    try:
        content = json_files.read(path)
    except FileNotFoundError as error:
        raise UserError(
            f"{path} is missing; grout-tune compile writes it"
        ) from error
    with json_files.naming(path):
        if content["version"] != VERSION:
            raise UserError(
                f"{path} has version {content['version']}, and "
                f"this grout-tune reads {VERSION}"
            )
        # A wrong manifest would put wrong measurements into the database.
        if content.pop("sha256") != _digest(content):
            raise UserError(
                f"{path} is damaged; grout-tune compile writes it anew"
            )
        return Manifest(
            content["target"],
            [candidates.from_json(case) for case in content["cases"]],
        )


def read_inputs(paths, pattern, folder):
    """Returns (name, path of MLIR) of all inputs to tune. An input is MLIR, or
    a configuration of benchmarks, whose cases are written to `folder`."""
    inputs = []
    for path in paths:
        # The path names cases in the database.
        if not str(path).isprintable():
            raise UserError(
                f"{str(path)!a}: a name that cannot be printed; rename the file"
            )
        if path.suffix != ".json":
            if not path.exists():
                raise UserError(f"there is no file {path}")
            if re.search(pattern, path.stem):
                inputs.append((path.stem, path))
            continue
        cases, _, _ = workloads.load_config(path, pattern)
        folder.mkdir(parents=True, exist_ok=True)
        for case in cases:
            source = folder / f"{case.id}.mlir"
            with json_files.naming(path):
                source.write_text(case.ir())
            inputs.append((case.id, source))
    if not inputs:
        raise UserError(f"nothing matches '{pattern}'")
    return inputs


def list_tilings(program, path, target):
    """Returns the functions of a file, as the compiler lists them."""
    done = subprocess.run(
        [program, path, f"--target={target}", f"--list-tilings={ALL_TILINGS}"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )
    if done.returncode != 0:
        raise UserError(f"{path}: {compiler.headline(done.stderr.strip())}")
    return json.loads(done.stdout)["functions"]


def name_functions(name, functions):
    """Returns (name, function) of each function of the input `name`."""
    if len(functions) == 1:
        return [(name, functions[0])]
    return [(f"{name} {function['name']}", function) for function in functions]


def collect(functions, args, database):
    """Returns the different cases of (name, function) pairs, without those
    that the database has, and the number of those that it has."""
    cases, known = {}, 0
    for name, function in functions:
        found = []
        if "products" in args.kinds:
            found += candidates.product_cases(function, name, args.candidates)
        if "chains" in args.kinds and len(function["products"]) > 1:
            times = [
                database.times(args.target, product["key"])
                for product in function["products"]
            ]
            found.append(
                candidates.chain_case(
                    function, name, args.modes, args.chain_candidates, times
                )
            )
        for case in found:
            if (case.kind, case.key) in cases:
                continue
            cases[case.kind, case.key] = case
            if not args.again:
                measured = database.modes(args.target, case.kind, case.key)
                case.candidates = [
                    item
                    for item in case.candidates
                    if item.mode not in measured
                ]
                known += not case.candidates
    return [case for case in cases.values() if case.candidates], known


class ArtifactCompiler:
    """Compiles candidates into a folder that does not have them yet."""

    def __init__(self, program, ptxas, folder, target):
        self._compiler = compiler.Compiler(program, ptxas, target=target)
        self._folder = folder
        self.target = target
        # A new build of the compiler compiles all candidates again.
        status = os.stat(program)
        self._salt = f"{status.st_mtime_ns} {status.st_size} {ptxas}"

    def compile(self, case, candidate):
        """Returns the artifact's name. Raises UserError with the compiler's
        message."""
        text = case.text(candidate)
        digest = hashlib.sha256(
            f"{self._salt}\n{self.target}\n{candidate.mode}\n{text}".encode()
        ).hexdigest()[:16]
        packed = self._folder / f"{digest}.grout.xz"
        if packed.exists():
            return packed.name
        source = self._folder / f"{digest}.mlir"
        plain = self._folder / f"{digest}.grout"
        new = self._folder / f"{digest}.new"
        try:
            source.write_text(text)
            diagnostic = self._compiler.compile(
                source, Variant("", candidate.mode), plain
            )
            if diagnostic is not None:
                raise UserError(compiler.headline(diagnostic))
            new.write_bytes(lzma.compress(plain.read_bytes()))
            os.replace(new, packed)
        finally:
            for path in (source, plain, new):
                path.unlink(missing_ok=True)
        return packed.name


def compile_cases(cases, make, folder, jobs, say):
    """Compiles all candidates, and writes the manifest after every case.
    Returns the manifest, and whether the model's choice was compiled in all
    cases."""
    manifest = Manifest(make.target, [])
    manifest.save(folder)
    complete = True
    progress = Progress(len(cases), say)

    def attempt(case, candidate):
        try:
            candidate.artifact = make.compile(case, candidate)
            return None
        except UserError as error:
            return str(error)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for case in cases:
            problems = list(
                pool.map(
                    lambda item, case=case: attempt(case, item), case.candidates
                )
            )
            for item, problem in zip(case.candidates, problems):
                if problem is not None:
                    say(f"refused: {case.name}: {item.label}: {problem}")
            # Without the model's choice, there is no result to compare with.
            lacking = {
                item.mode
                for item in case.candidates
                if item.model and not item.artifact
            }
            complete = complete and not lacking
            case.candidates = [
                item
                for item in case.candidates
                if item.artifact and item.mode not in lacking
            ]
            if case.candidates:
                manifest.cases.append(case)
                manifest.save(folder)
            progress.step(f"{case.name}: {len(case.candidates)} candidates")
    return manifest, complete


def size(manifest, folder):
    """Returns the number and the bytes of a manifest's artifacts."""
    names = {
        item.artifact for case in manifest.cases for item in case.candidates
    }
    return len(names), sum((folder / name).stat().st_size for name in names)
