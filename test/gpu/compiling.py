"""Compiles cases into a directory, and lists in manifest.json what is there."""

import concurrent.futures
import dataclasses
import hashlib
import json
import pathlib
import re
import subprocess

from . import stalling
from .cases import BY_EDGE

# How long a wait of a case that stalls lasts.
STALL_MILLISECONDS = 500

MANIFEST = "manifest.json"
MODES = ("serial", "pdl", "overlap", "persistent", "auto")


@dataclasses.dataclass
class Entry:
    """An artifact or a refusal of the manifest."""

    name: str
    case: str
    mode: str
    # All that give this artifact.
    granularities: list
    source: str
    # Both relative to the manifest. No artifact if the compiler refused.
    artifact: str = ""
    diagnostic: str = ""
    # A regular expression for the diagnostic that there must be.
    expected_refusal: str = ""
    # A tile is missing, and others wait for it.
    stalls: bool = False

    @property
    def problem(self):
        """What is wrong before anything runs, or ""."""
        if self.artifact:
            return (
                f"compiled, but must be refused with '{self.expected_refusal}'"
                if self.expected_refusal
                else ""
            )
        if not self.expected_refusal:
            return f"refused: {self.diagnostic}"
        if not re.search(self.expected_refusal, self.diagnostic):
            return (
                f"refused with '{self.diagnostic}', not with "
                f"'{self.expected_refusal}'"
            )
        return ""


def list_modes(target):
    """All modes; and those by edge, on a target that has them all."""
    return [*MODES, *BY_EDGE] if target in ("h100", "h200") else list(MODES)


def find_diagnostic(stderr):
    """The first error, on one line."""
    for line in stderr.splitlines():
        if "error:" in line:
            return line.split("error:", 1)[1].strip()
    return stderr.strip().replace("\n", " ") or "no diagnostic"


def get_source(case):
    """The file of the case's function, in the output directory."""
    return pathlib.Path(case.name.replace("/", "_") + ".mlir")


def compile_one(compiler, case, mode, granularity, args, out):
    source = get_source(case)
    path = source.with_name(f"{source.stem}-{mode}-{granularity}.grout")
    given, edge_modes = BY_EDGE.get(mode, (mode, ""))
    command = [
        compiler,
        out / source,
        f"--target={args.target}",
        f"--mode={given}",
        f"--granularity={granularity}",
        "-o",
        out / path,
    ]
    if edge_modes:
        command.append(f"--edge-modes={edge_modes}")
    if args.ptxas:
        command.append(f"--ptxas={args.ptxas}")
    if args.sanitize_thread:
        command.append("--sanitize-thread")
    # On the CPU the runtime has a watchdog by itself.
    if case.stalls and args.target != "cpu":
        command.append(f"--debug-sync={STALL_MILLISECONDS}")
    result = subprocess.run(command, text=True, capture_output=True)
    entry = Entry(
        f"{case.name} {mode} {granularity}",
        case.name,
        mode,
        [granularity],
        str(source),
        expected_refusal=case.refusal,
        stalls=case.stalls,
    )
    if result.returncode == 0:
        entry.artifact = str(path)
        if case.stalls:
            artifact = out / path
            artifact.write_bytes(stalling.drop_tiles(artifact.read_bytes()))
    else:
        entry.diagnostic = find_diagnostic(result.stderr)
    return entry


def merge_equal(entries, out):
    """Of artifacts with the same bytes, which granularities give where nothing
    waits, the first; of refusals with one diagnostic too."""
    kept = {}
    for entry in entries:
        content = entry.diagnostic
        if entry.artifact:
            content = hashlib.sha256(
                (out / entry.artifact).read_bytes()
            ).hexdigest()
        key = (entry.case, entry.mode, bool(entry.artifact), content)
        first = kept.setdefault(key, entry)
        if first is entry:
            continue
        first.granularities += entry.granularities
        if entry.artifact:
            (out / entry.artifact).unlink()
    return list(kept.values())


def compile_cases(cases, args):
    """Compiles every case in every mode and granularity; returns entries."""
    out = pathlib.Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    compiler = pathlib.Path(args.build) / "bin" / "grout-compile"
    modes = args.modes or list_modes(args.target)
    for case in cases:
        (out / get_source(case)).write_text(case.text)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        # One product waits for nothing, whatever it is told. Nor do launches
        # one after another.
        futures = [
            pool.submit(
                compile_one, compiler, case, mode, granularity, args, out
            )
            for case in cases
            for mode in modes
            if not case.modes or mode in case.modes
            if case.products > 1 or mode not in BY_EDGE
            for granularity in (
                args.granularities
                if case.products > 1
                else args.granularities[:1]
            )
        ]
        entries = merge_equal([future.result() for future in futures], out)
    (out / MANIFEST).write_text(
        json.dumps(
            {
                "target": args.target,
                "entries": [dataclasses.asdict(entry) for entry in entries],
            },
            indent=1,
        )
        + "\n"
    )
    return entries


def read_manifest(out):
    """The target, and the entries."""
    manifest = json.loads((pathlib.Path(out) / MANIFEST).read_text())
    return manifest["target"], [Entry(**e) for e in manifest["entries"]]
