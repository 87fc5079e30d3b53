"""Runs programs under Nsight Compute (ncu), and reads from its output a fixed
set of metrics of each kernel."""

import csv
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile

from errors import UserError

TOOLKIT = "/usr/local/cuda/bin"

# For each figure: its name, the metrics that may have it (the best first), and
# the factors of their units. The GPU and ncu decide which metrics there are.
_TIME = {
    "s": 1e6,
    "second": 1e6,
    "ms": 1e3,
    "msecond": 1e3,
    "us": 1.0,
    "usecond": 1.0,
    "ns": 1e-3,
    "nsecond": 1e-3,
}
_CLOCK = {
    "hz": 1e-9,
    "khz": 1e-6,
    "mhz": 1e-3,
    "ghz": 1.0,
    "cycle/second": 1e-9,
    "cycle/s": 1e-9,
    "cycle/msecond": 1e-6,
    "cycle/usecond": 1e-3,
    "cycle/us": 1e-3,
    "cycle/nsecond": 1.0,
    "cycle/ns": 1.0,
}
_BYTES = {"byte": 1e-6, "kbyte": 1e-3, "mbyte": 1.0, "gbyte": 1e3}
_SHARE = {"%": 1.0}
FIGURES = {
    "time_us": (("gpu__time_duration.sum",), _TIME),
    "sm_ghz": (("sm__cycles_elapsed.avg.per_second",), _CLOCK),
    "dram_read_mb": (
        ("dram__bytes_read.sum", "dram__bytes_op_read.sum"),
        _BYTES,
    ),
    "dram_written_mb": (
        ("dram__bytes_write.sum", "dram__bytes_op_write.sum"),
        _BYTES,
    ),
    "dram_percent": (
        (
            "dram__throughput.avg.pct_of_peak_sustained_elapsed",
            "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
        ),
        _SHARE,
    ),
    "l2_percent": (
        ("lts__throughput.avg.pct_of_peak_sustained_elapsed",),
        _SHARE,
    ),
    "tensor_percent": (
        (
            "sm__pipe_tensor_op_gmma_cycles_active.avg"
            ".pct_of_peak_sustained_elapsed",
            "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
            "sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_elapsed",
        ),
        _SHARE,
    ),
    "occupancy_percent": (
        ("sm__warps_active.avg.pct_of_peak_sustained_active",),
        _SHARE,
    ),
}

# The metrics of this section differ between GPUs, so the section is requested
# as a whole. Names depend on ncu's version: the first pattern that matches
# counts.
_STALL_SECTION = "WarpStateStats"
_STALLS = [
    re.compile(text)
    for text in (
        r"smsp__average_warps_issue_stalled_(\w+)_per_issue_active\.(?:ratio|pct)",
        r"smsp__average_warp_latency_issue_stalled_(\w+)\.ratio",
        r"smsp__pcsamp_warps_issue_stalled_(\w+)",
    )
]
# A warp that issues, or could issue, waits for nothing.
_NO_STALLS = {"selected", "not_selected"}


class NoResult(Exception):
    """A program could not be profiled; the message says why."""


def find(path=None):
    """Returns the path of ncu: `path`, or the ncu on PATH or of the CUDA
    toolkit."""
    found = (
        shutil.which(path)
        if path
        else shutil.which("ncu") or shutil.which("ncu", path=TOOLKIT)
    )
    if found:
        return found
    if path:
        raise UserError(f"there is no program {path}")
    raise UserError(
        f"there is no ncu, neither on PATH nor in {TOOLKIT}; "
        "--ncu says where Nsight Compute is"
    )


def _number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None  # Such as n/a.


def _figure(row, units, names, factors):
    """Returns the first of the metrics `names` that a kernel has, or None."""
    for name in names:
        value = _number(row.get(name) or "")
        if value is None:
            continue
        unit = units[name].lower()
        if unit not in factors:
            raise NoResult(
                f"ncu gives {name} in '{units[name]}', which is not known"
            )
        return value * factors[unit]
    return None


def _stalls(row):
    """Returns for each reason its share of the time that warps wait, the
    largest first."""
    for pattern in _STALLS:
        found = {
            match[1]: _number(row[name]) or 0.0
            for name in row
            if name and (match := pattern.fullmatch(name))
        }
        times = {
            reason: value
            for reason, value in found.items()
            if value
            and reason not in _NO_STALLS
            and not reason.endswith("_not_issued")
        }
        if times:
            break
    total = sum(times.values())
    return {
        reason: value / total
        for reason, value in sorted(times.items(), key=lambda item: -item[1])
    }


def parse(text):
    """Returns the kernels in `text`, in order, each with a name, FIGURES and
    stalls. `text` is what `--csv --page raw` prints: lines of ncu and of the
    program, a line of names, a line of units, and a line for each kernel."""
    lines = text.splitlines()
    start = next(
        (i for i, line in enumerate(lines) if line.startswith('"ID",')), None
    )
    if start is None:
        raise NoResult("no kernel ran")
    table = csv.DictReader(
        line for line in lines[start:] if line.startswith('"')
    )
    rows = list(table)
    if len(rows) < 2:
        raise NoResult("no kernel ran")
    units = rows[0]
    return [
        {
            "kernel": row["Kernel Name"],
            "grid": row.get("Grid Size"),
            "block": row.get("Block Size"),
            **{
                figure: _figure(row, units, *source)
                for figure, source in FIGURES.items()
            },
            "stalls": _stalls(row),
        }
        for row in rows[1:]
    ]


class Profiler:
    """ncu, with the metrics that this GPU has. ncu flushes caches before each
    pass, unless they stay `warm`. It leaves clocks alone."""

    def __init__(self, program, warm, timeout_seconds):
        self._program = program
        self._warm = warm
        self._timeout = timeout_seconds
        self.metrics = [name for names, _ in FIGURES.values() for name in names]

    def profile(self, command, from_start):
        """Returns the kernels of a program; without `from_start`, only those
        between the program's calls of cudaProfilerStart and cudaProfilerStop.
        Raises NoResult, or UserError if no program can be profiled."""
        while True:
            text, output, status = self._run(command, from_start)
            if missing := self._unknown_metrics(text + output):
                # If ncu does not know a metric, it refuses all of them.
                self.metrics = [
                    name for name in self.metrics if name not in missing
                ]
                if not self.metrics:
                    raise UserError("this ncu knows none of the metrics")
                continue
            self._check(text + output, output, status)
            return parse(text)

    def _arguments(self, log, from_start):
        return [
            self._program,
            "--csv",
            "--page",
            "raw",
            "--print-units",
            "base",
            "--log-file",
            log,
            "--target-processes",
            "all",
            "--clock-control",
            "none",
            "--cache-control",
            "none" if self._warm else "all",
            "--profile-from-start",
            "on" if from_start else "off",
            "--section",
            _STALL_SECTION,
            "--metrics",
            ",".join(self.metrics),
        ]

    def _run(self, command, from_start):
        """Returns the log of ncu, the output of the program, and the exit
        status."""
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "ncu.csv"
            process = subprocess.Popen(
                [
                    *map(str, self._arguments(log, from_start)),
                    *map(str, command),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
                env={**os.environ, "LC_ALL": "C"},
            )
            try:
                output, _ = process.communicate(timeout=self._timeout)
            except subprocess.TimeoutExpired:
                # Kills the whole group: the program may have more processes
                # than ncu's child.
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                raise NoResult(
                    f"did not end within {self._timeout:g} s"
                ) from None
            text = log.read_text() if log.exists() else ""
        return text, output, process.returncode

    def _unknown_metrics(self, text):
        complaints = " ".join(
            line
            for line in text.splitlines()
            if "Failed to find metric" in line
        )
        # In these lines, names are parts of expressions: without their suffix,
        # or escaped.
        return [
            name
            for name in self.metrics
            if re.search(rf"\b{name.partition('.')[0]}\b", complaints)
        ]

    @staticmethod
    def _check(text, output, status):
        if "ERR_NVGPUCTRPERM" in text:
            raise UserError(
                "the driver does not let this user read performance counters "
                "(ERR_NVGPUCTRPERM): run as root or with CAP_SYS_ADMIN, or "
                "load it with NVreg_RestrictProfilingToAdminUsers=0"
            )
        errors = [line for line in text.splitlines() if "==ERROR==" in line]
        if errors:
            raise NoResult(errors[0].partition("==ERROR==")[2].strip())
        if status != 0:
            last = output.strip().splitlines()[-1:] or ["no message"]
            raise NoResult(f"exit status {status}: {last[0]}")
