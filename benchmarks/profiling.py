"""The command `profile`: shows each kernel of artifacts and of peers, side by
side, as Nsight Compute sees it."""

import json
import pathlib
import sys

import nsight
import peers
import workloads
from errors import UserError

HERE = pathlib.Path(__file__).parent

# The table has this many reasons for waiting; the results have all of them.
_REASONS = 3
_LONGEST_NAME = 48


def _artifact_command(args, outcome):
    program = args.build / "bin" / "grout-run"
    if not program.exists():
        raise UserError(f"there is no {program}; --build says where Grout is")
    return [program, args.out / outcome["artifact"], "--device=cuda"]


def _peer_command(args, case, name):
    return [
        sys.executable,
        HERE / "call_peer.py",
        json.dumps(workloads.describe(case)),
        name,
        args.seed,
    ]


def _plan(args, case, compiled):
    """Yields (name, group, command, whether it is profiled from its start) for
    each program of a case that is profiled, or (name, group, reason) if it
    cannot be profiled."""
    for name in peers.names_of(case, args.peers):
        yield name, "peer", _peer_command(args, case, name), False
    for name in args.variants:
        outcome = compiled.get(name)
        if outcome is None:
            raise UserError(
                f"{case.id} has no variant {name}; it has {', '.join(compiled)}"
            )
        if "refused" in outcome:
            headline = outcome["refused"].partition("\n")[0]
            yield name, "grout", f"refused: {headline}"
        else:
            yield name, "grout", _artifact_command(args, outcome), True


def run(args, entries, profiler, say):
    """Returns a row for each program that can be profiled, and the problems of
    the others."""
    plans = [
        (case, plan)
        for case, compiled in entries
        for plan in _plan(args, case, compiled)
    ]
    rows, problems = [], []
    for number, (case, (name, group, *how)) in enumerate(plans, 1):
        what = f"[{number}/{len(plans)}] {case.id} {name}"
        try:
            if len(how) == 1:
                raise nsight.NoResult(how[0])
            kernels = profiler.profile(*how)
        except nsight.NoResult as error:
            problems.append(f"{case.id} {name}: {error}")
            say(f"{what}: {error}")
            continue
        rows.append(
            {
                "case": workloads.describe(case),
                "id": case.id,
                "variant": name,
                "group": group,
                "kernels": kernels,
            }
        )
        total = sum(kernel["time_us"] or 0.0 for kernel in kernels)
        say(f"{what}: {len(kernels)} kernels, {total:.1f} us")
    return rows, problems


def _cell(value, digits):
    return "-" if value is None else f"{value:,.{digits}f}"


def _name(kernel):
    name = kernel["kernel"].partition("(")[0].replace("|", "\\|")
    return (
        name
        if len(name) <= _LONGEST_NAME
        else name[: _LONGEST_NAME - 3] + "..."
    )


def _sum(kernel, *names):
    values = [kernel[name] for name in names]
    return None if None in values else sum(values)


def table(rows):
    """Returns a Markdown table with a line for each kernel."""
    lines = [
        "| case | variant | kernel | us | SM GHz | DRAM MB | DRAM % | "
        "L2 % | tensor % | occupancy % | warps wait for |",
        "|" + "---|" * 11,
    ]
    for row in rows:
        for kernel in row["kernels"]:
            reasons = list(kernel["stalls"].items())[:_REASONS]
            stalls = ", ".join(
                f"{reason} {share:.0%}" for reason, share in reasons
            )
            lines.append(
                f"| {row['id']} | {row['variant']} | `{_name(kernel)}` | "
                f"{_cell(kernel['time_us'], 2)} | "
                f"{_cell(kernel['sm_ghz'], 2)} | "
                f"{_cell(_sum(kernel, 'dram_read_mb', 'dram_written_mb'), 1)} "
                f"| {_cell(kernel['dram_percent'], 1)} | "
                f"{_cell(kernel['l2_percent'], 1)} | "
                f"{_cell(kernel['tensor_percent'], 1)} | "
                f"{_cell(kernel['occupancy_percent'], 1)} | {stalls or '-'} |"
            )
    return "\n".join(lines)
