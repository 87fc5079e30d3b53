"""Runs what a manifest lists, one process each."""

import concurrent.futures
import pathlib
import re
import shlex
import subprocess
import time

# What a run must say of a tile that is missing, on the CPU and on a GPU. The
# semaphore that counts that tile ends short of what is expected.
STALL_REPORT = (
    r"launch '.*task \d+ \(body \d+.*\).* waits for semaphore \d+: "
    r"it expects \d+ \(\d+ posts in epoch 0\) and sees \d+"
)


def get_command(entry, target, args):
    # Resident tiles that meet, also on a machine with few processors.
    device = (
        ["--device=cpu", "--workers=8", f"--inject-delays={args.seed + 1}"]
        if target == "cpu"
        else ["--device=cuda", "--graph"]
    )
    return [
        str(pathlib.Path(args.build) / "bin" / "grout-run"),
        str(pathlib.Path(args.out) / entry.artifact),
        *device,
        "--check",
        f"--repeat={args.repeat}",
        f"--seed={args.seed}",
        f"--timeout-seconds={args.timeout}",
    ]


def find_failure(command, timeout):
    """What went wrong, or "", and the largest relative error."""
    try:
        # grout-run gives up by itself, unless it hangs where it should not.
        result = subprocess.run(
            command, text=True, capture_output=True, timeout=timeout + 120
        )
    except subprocess.TimeoutExpired:
        return f"did not end within {timeout + 120} seconds", 0.0
    errors = [
        float(error)
        for error in re.findall(r"relative error (\S+),", result.stdout)
    ]
    worst = max(errors, default=0.0)
    if result.returncode == 0:
        # Not a failure of the program, so it could go unseen.
        return ("" if errors else "compared nothing"), worst
    text = (result.stderr or result.stdout).strip().replace("\n", " ")
    return f"exit status {result.returncode}: {text}", worst


def find_stall(command, timeout):
    """What is wrong with a run that must find that it stalls, or "", and what
    it said."""
    try:
        result = subprocess.run(
            command, text=True, capture_output=True, timeout=timeout + 120
        )
    except subprocess.TimeoutExpired:
        return f"did not end within {timeout + 120} seconds", ""
    text = result.stderr.strip().replace("\n", " ")
    report = re.search(STALL_REPORT, text)
    if result.returncode != 1 or not report:
        return f"exit status {result.returncode}, not a stall: {text}", ""
    return "", report[0]


def run_entry(entry, target, args):
    """Whether the entry is as it should be, and a line that says so."""
    if entry.problem:
        return False, f"FAILED  {entry.name}: {entry.problem}"
    if not entry.artifact:
        return True, f"refused {entry.name}: {entry.diagnostic} (expected)"
    command = get_command(entry, target, args)
    start = time.monotonic()
    if entry.stalls:
        failure, outcome = find_stall(command, args.timeout)
    else:
        failure, worst = find_failure(command, args.timeout)
        outcome = f"error {worst:.1e}"
    seconds = time.monotonic() - start
    if failure:
        return False, (
            f"FAILED  {entry.name}: {failure}\n        {shlex.join(command)}"
        )
    return True, f"ok      {entry.name}: {outcome}, {seconds:.1f} s"


def run_entries(entries, target, args):
    """Runs all, prints a line each, and returns how many failed."""
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for good, line in pool.map(
            lambda entry: run_entry(entry, target, args), entries
        ):
            print(line, flush=True)
            failed += not good
    return failed
