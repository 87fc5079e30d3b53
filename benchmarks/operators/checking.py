"""Holds the operators against their references, in batches side by side."""

import concurrent.futures
import itertools
import os
import re
import shutil
import subprocess
import tempfile
from concurrent.futures.process import BrokenProcessPool
from typing import NamedTuple

from errors import UserError

from operators import artifacts, comparison, emit, inputs, rebuild, shrink
from operators.upstream import BackendError, BackendRefusal

AGREES = "agrees"
COMPILES = "compiles"
FAILED = "fails to run"
NOT_RUN = "not run"
REFUSED = "refused"
INVALID = "does not verify"
NOT_COMPILED = "does not compile"
DIFFERS = "differs"
ILL_CONDITIONED = "ill-conditioned"

NO_INPUTS = "no inputs were found for which roundings do not change the results"

_BATCH = 16


class Outcome(NamedTuple):
    row: object
    status: str
    reason: str = ""
    graph: object = None  # Of what was compiled.


def _rebuild(rows):
    """{label: outcome} of rows that have no graph, {label: (row, graph)}."""
    outcomes, graphs = {}, {}
    for row in rows:
        try:
            graphs[row.label] = row, rebuild.rebuild(row)
        except rebuild.CannotRebuild as error:
            outcomes[row.label] = Outcome(row, REFUSED, str(error))
    return outcomes, graphs


def _failed(row, error):
    refused = isinstance(error, BackendRefusal)
    return Outcome(row, REFUSED if refused else NOT_COMPILED, str(error))


class Compiler:
    """`backend` compiles graphs with the extents of the table, one by one. Where
    there is a folder `keep`, it gets the artifacts, by label."""

    def __init__(self, backend, keep=None):
        self._backend = backend
        self._keep = keep

    def check(self, rows):
        """An outcome for each row."""
        outcomes, graphs = _rebuild(rows)
        for label, (row, graph) in graphs.items():
            with tempfile.TemporaryDirectory() as folder:
                try:
                    made = self._backend.lower(graph, folder)
                    if self._keep:
                        shutil.move(made, artifacts.path(self._keep, label))
                    outcomes[label] = Outcome(row, COMPILES, graph=graph)
                except BackendError as error:
                    outcomes[label] = _failed(row, error)
        return [outcomes[row.label] for row in rows]


class Checker:
    """`backend` compiles and runs graphs whose values have no more than
    `elements` elements; `opt` verifies those with the extents of the table,
    and `compiler`, if there is one, compiles them."""

    def __init__(self, opt, backend, elements, compiler=None):
        self._opt = opt
        self._backend = backend
        self._elements = elements
        self._compiler = compiler

    def check(self, rows):
        """An outcome for each row."""
        outcomes, graphs = _rebuild(rows)
        for label, message in self._verify(
            [graph for _, graph in graphs.values()]
        ).items():
            outcomes[label] = Outcome(graphs.pop(label)[0], INVALID, message)
        if self._compiler:
            for outcome in self._compiler.check(
                [row for row, _ in graphs.values()]
            ):
                if outcome.status != COMPILES:
                    outcomes[outcome.row.label] = outcome
                    del graphs[outcome.row.label]
        cases = []
        for row, graph in graphs.values():
            small = shrink.shrink(graph, self._elements)
            chosen = inputs.choose(small)
            if chosen is None:
                outcomes[row.label] = Outcome(row, ILL_CONDITIONED, NO_INPUTS)
            else:
                cases.append((row, small, *chosen))
        outcomes.update(self._run(cases))
        return [outcomes[row.label] for row in rows]

    def _verify(self, graphs):
        """{name: what is wrong}"""
        texts = [emit.function(graph) for graph in graphs]
        separator = "// -----\n"
        done = subprocess.run(
            [self._opt, "--split-input-file", "-", "-o", os.devnull],
            input=separator.join(texts),
            stderr=subprocess.PIPE,
            text=True,
        )
        if not done.returncode:
            return {}
        starts = [
            0,
            *itertools.accumulate(text.count("\n") + 1 for text in texts),
        ]
        wrong = {}
        for line, message in re.findall(
            r"^<stdin>:(\d+):\d+: error: (.*)", done.stderr, re.MULTILINE
        ):
            place = sum(start < int(line) for start in starts) - 1
            wrong.setdefault(graphs[place].name, message)
        if not wrong:
            raise UserError(f"{self._opt} failed: {done.stderr.strip()}")
        return wrong

    def _run(self, cases):
        """{label: outcome}; where a batch does not compile, one by one."""
        if not cases:
            return {}
        with tempfile.TemporaryDirectory() as folder:
            try:
                program = self._backend.compile(
                    [graph for _, graph, _, _ in cases], folder
                )
            except BackendError as error:
                if len(cases) > 1:
                    return {
                        label: outcome
                        for case in cases
                        for label, outcome in self._run([case]).items()
                    }
                return {cases[0][0].label: _failed(cases[0][0], error)}
            outcomes = {}
            for row, graph, arrays, expected in cases:
                actual = program.run(graph, arrays)
                lines = comparison.differences(graph, actual, expected)
                outcomes[row.label] = (
                    Outcome(row, DIFFERS, "; ".join(lines))
                    if lines
                    else Outcome(row, AGREES)
                )
            return outcomes


def check_all(checker, rows, jobs, report):
    """Outcomes in the order of rows; `report` gets those of each batch."""
    batches = [rows[i : i + _BATCH] for i in range(0, len(rows), _BATCH)]
    outcomes = {}
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        futures = {
            pool.submit(checker.check, batch): batch for batch in batches
        }
        try:
            for future in concurrent.futures.as_completed(futures):
                try:
                    done = future.result()
                except BrokenProcessPool as error:
                    raise UserError(
                        "a process ended while it ran one of these: "
                        + ", ".join(row.label for row in futures[future])
                    ) from error
                outcomes.update(
                    (outcome.row.label, outcome) for outcome in done
                )
                report(done)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return [outcomes[row.label] for row in rows]
