"""Runs cases beside each other, for a time or a number of them."""

import collections
import concurrent.futures
import dataclasses
import multiprocessing
import pathlib
import shutil
import tempfile
import time
import traceback

from attack.attack import Case
from attack.outcome import Finding, Verdict


@dataclasses.dataclass
class Count:
    """Of one attack."""

    cases: int = 0
    findings: int = 0
    seconds: float = 0
    notes: collections.Counter = dataclasses.field(
        default_factory=collections.Counter
    )


@dataclasses.dataclass(frozen=True)
class Plan:
    """Each attack runs the case `only`; or `cases` times as many as its `each`
    says; or, without these numbers, they share `seconds` by their weights."""

    seed: int
    seconds: float | None = None
    cases: int | None = None
    only: int | None = None
    jobs: int = 1
    shrinks: bool = True


def run_case(attack, tools, plan, number):
    """(findings, notes, seconds). What goes wrong in the attack itself is a finding,
    too, so that nothing passes for lack of a test."""
    started = time.monotonic()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="grout-attack-"))
    case = Case(attack.name, plan.seed, number, tools, folder, plan.shrinks)
    try:
        findings = attack.run(case)
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        findings = [
            Finding(
                Verdict.CRASH,
                ["scripts/attack"],
                f"the attack itself failed: {error!r}",
                {},
                traceback.format_exc(),
                f"{attack.name}, {last.filename}:{last.lineno}: {error!r}",
            )
        ]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return findings, case.notes, time.monotonic() - started


def run(attacks, tools, plan, report):
    """Counts by attack. `report` has found(attack, number, finding) and
    progress(counts)."""
    counts = {attack.name: Count() for attack in attacks}
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(plan.jobs, context) as pool:
        running = {}
        next_cases = _schedule(attacks, plan, counts, running)
        try:
            while True:
                while len(running) < plan.jobs:
                    attack, number = next(next_cases, (None, None))
                    if attack is None:
                        break
                    future = pool.submit(run_case, attack, tools, plan, number)
                    running[future] = attack, number
                if not running:
                    return counts
                _collect(running, counts, report)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            return counts


def _collect(running, counts, report):
    done, _ = concurrent.futures.wait(
        running, timeout=5, return_when=concurrent.futures.FIRST_COMPLETED
    )
    for future in done:
        attack, number = running.pop(future)
        findings, notes, seconds = future.result()
        count = counts[attack.name]
        count.cases += 1
        count.findings += len(findings)
        count.seconds += seconds
        count.notes += notes
        for finding in findings:
            report.found(attack, number, finding)
    report.progress(counts)


def _schedule(attacks, plan, counts, running):
    """(attack, number) of the cases to run next. Numbers of each attack follow
    one another, so that they do not depend on how fast the machine is."""
    if plan.only is not None:
        yield from ((attack, plan.only) for attack in attacks)
        return
    if plan.cases is not None:
        for i in range(plan.cases):
            for attack in attacks:
                yield from (
                    (attack, attack.each * i + j) for j in range(attack.each)
                )
        return
    end = time.monotonic() + plan.seconds
    started = collections.Counter()
    while time.monotonic() < end:
        # Who has had least of its share; one that runs for long counts, too.
        busy = collections.Counter(
            attack.name for attack, _ in running.values()
        )
        attack = min(
            attacks,
            key=lambda attack: (
                (counts[attack.name].seconds + busy[attack.name])
                / attack.weight
            ),
        )
        yield attack, started[attack.name]
        started[attack.name] += 1
