"""Each attack finds what it looks for, in tools that are made to have it."""

import os
import pathlib
import tempfile
import types
import unittest

from attack import report, workers
from attack.attack import Attack, Case
from attack.attacks import (
    artifacts,
    collectives,
    disks,
    interrupts,
    modules,
    outsiders,
    programs,
    scalars,
)
from attack.outcome import Finding, Verdict
from attack.process import Tools

GROUT = os.environ.get("GROUT_TOOLS")
_TOOLS = ("grout-opt", "grout-compile", "grout-run", "GroutOutsiderTests")


class Sometimes(Attack):
    """Finds something in every third case, and fails in every fifth."""

    name = "sometimes"

    def run(self, case):
        if case.number % 5 == 4:
            raise RuntimeError("a mistake")
        if case.number % 3:
            return []
        return [
            Finding(Verdict.WRONG, ["tool"], "wrong", {"in": b"a b c " * 50})
        ]

    def repeats(self, case, finding, files):
        return b"b" in files["in"]


class WorkersTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.said = []

    def run_attack(self, plan):
        def make_case(attack, number):
            return _NoContext(
                Case(attack.name, plan.seed, number, None, self.folder)
            )

        results = report.Report(
            self.folder / "out", plan.seed, make_case, 9, self.said.append
        )
        counts = workers.run([Sometimes()], None, plan, results)
        return counts["sometimes"], results

    def test_cases_are_counted_and_kept(self):
        count, results = self.run_attack(workers.Plan(1, cases=15, jobs=2))
        self.assertEqual((count.cases, count.findings), (15, 7))
        # One defect of the tool, and one of the attack.
        self.assertEqual(sorted(results.keys.values()), [3, 4])
        small = list((self.folder / "out").glob("*/minimised/in"))
        self.assertEqual([path.read_bytes() for path in small], [b"b"])
        readme = next((self.folder / "out").glob("*-wrong/README"))
        self.assertIn(
            "scripts/attack --only sometimes --seed 1 --case",
            readme.read_text(),
        )

    def test_time_ends(self):
        count, _ = self.run_attack(workers.Plan(1, seconds=0.5, jobs=2))
        self.assertGreater(count.cases, 2)


class _NoContext:
    def __init__(self, value):
        self.value = value

    def __enter__(self):
        return self.value

    def __exit__(self, *_):
        pass


@unittest.skipUnless(
    GROUT, "GROUT_TOOLS is not set; ctest sets it for GroutAttackTests"
)
class AttacksTest(unittest.TestCase):
    """`broken` replaces tools by shell scripts, in which $REAL is the tool."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def find(self, attack, cases, **broken):
        """The verdicts on the first so many cases."""
        bin_ = self.folder / "build" / "bin"
        bin_.mkdir(parents=True)
        for name in _TOOLS:
            real = pathlib.Path(GROUT) / name
            script = broken.get(name.replace("-", "_"))
            if not script:
                (bin_ / name).symlink_to(real)
                continue
            (bin_ / name).write_text(f"#!/bin/bash\nREAL={real}\n{script}\n")
            (bin_ / name).chmod(0o755)
        found = set()
        for number in range(cases):
            plan = workers.Plan(7, shrinks=False)
            findings, _, _ = workers.run_case(
                attack, Tools(self.folder / "build"), plan, number
            )
            found |= {finding.verdict for finding in findings}
        return found

    def test_programs_that_are_wrong(self):
        flip = (
            '$REAL "$@" || exit $?\nfor file in out*.npy; do\n'
            '  [ -f $file ] && printf "\\x29" | dd of=$file bs=1 '
            "seek=$(($(stat -c%s $file) - 1)) conv=notrunc 2>/dev/null\n"
            "done\ntrue"
        )
        self.assertIn(
            Verdict.WRONG, self.find(programs.Programs(), 3, grout_run=flip)
        )

    def test_ranks_that_are_wrong(self):
        swap = (
            '$REAL "$@" || exit $?\n[ -f out1.npy ] && '
            "for file in out*.npy; do\n"
            '  printf "\\x29" | dd of=$file bs=1 '
            "seek=$(($(stat -c%s $file) - 1)) conv=notrunc 2>/dev/null\n"
            "done\ntrue"
        )
        self.assertIn(
            Verdict.WRONG,
            self.find(collectives.Collectives(), 2, grout_run=swap),
        )

    def test_programs_that_depend_on_workers(self):
        flip = (
            '$REAL "$@" || exit $?\n[[ "$*" == *--workers=[12]\\ * ]] && '
            'for file in out*.npy; do printf "\\x29" | dd of=$file bs=1 '
            "seek=$(($(stat -c%s $file) - 1)) conv=notrunc 2>/dev/null\n"
            "done\ntrue"
        )
        self.assertIn(
            Verdict.WRONG, self.find(programs.Programs(), 3, grout_run=flip)
        )

    def test_modules_that_crash(self):
        crash = '[[ $(cat $1) == *arith.addf* ]] && kill -SEGV $$\n$REAL "$@"'
        found = self.find(modules.Modules(), 40, grout_opt=crash)
        self.assertIn(Verdict.CRASH, found)

    def test_modules_that_fail_silently(self):
        found = self.find(
            modules.Modules(), 10, grout_compile='$REAL "$@" 2>/dev/null'
        )
        self.assertIn(Verdict.SILENT, found)

    def test_scalars_that_are_refused_late(self):
        late = (
            'echo "input.mlir:8:5: error: cannot be translated to PTX, as '
            'only the llvm and nvvm dialects can" >&2; exit 1'
        )
        self.assertIn(
            Verdict.INTERNAL,
            self.find(scalars.Scalars(), 4, grout_compile=late),
        )

    def test_outsiders_that_are_believed(self):
        fail = (
            'echo "[  FAILED  ] OutsidersTest.AreRefusedOrRunRight (9 ms)"'
            "; exit 1"
        )
        self.assertIn(
            Verdict.WRONG,
            self.find(outsiders.Outsiders(), 1, GroutOutsiderTests=fail),
        )

    def test_outsiders_that_crash(self):
        self.assertIn(
            Verdict.CRASH,
            self.find(
                outsiders.Outsiders(), 1, GroutOutsiderTests="kill -SEGV $$"
            ),
        )

    def test_artifacts_that_are_invalid(self):
        cut = (
            '$REAL "$@" || exit $?\n[ -f out.grout ] && '
            "truncate -s -1 out.grout; true"
        )
        found = self.find(modules.Modules(), 40, grout_compile=cut)
        self.assertIn(Verdict.INVALID, found)

    def test_damage_that_is_not_seen(self):
        self.assertIn(
            Verdict.WRONG, self.find(artifacts.Artifacts(), 8, grout_run="true")
        )

    def test_full_disks_that_are_not_seen(self):
        self.assertIn(
            Verdict.LOST,
            self.find(
                disks.Disks(), 25, grout_run='$REAL "$@" 2>/dev/null; true'
            ),
        )

    def test_files_that_are_left(self):
        self.assertIn(
            Verdict.LEFTOVERS,
            self.find(
                interrupts.Interrupts(),
                6,
                grout_compile='[ -n "$TMPDIR" ] && touch $TMPDIR/x.o\n'
                'exec $REAL "$@"',
            ),
        )


class Excused(unittest.TestCase):
    @staticmethod
    def is_excused(error, source):
        return modules.is_excused(
            types.SimpleNamespace(
                stdout=f"result0: relative error {error}, largest absolute "
                "error 0, 576 elements are NaN or infinite, unlike the "
                "reference, tolerance 0.001 (f16): FAILS",
                stderr="grout-run: error: the check fails for 'result0'",
            ),
            source,
        )

    def test_fewer_workers_than_an_order_needs(self):
        self.assertTrue(
            modules.is_excused(
                types.SimpleNamespace(
                    stdout="",
                    stderr="grout-run: error: launch 'f' needs 17 resident tiles to be "
                    "free of deadlock, and there are 8 workers",
                ),
                "",
            )
        )

    def test_small_errors_of_quotients_alone(self):
        self.assertTrue(self.is_excused(0.0016, "%q = arith.divf %x, %s : f32"))
        self.assertFalse(
            self.is_excused(0.0016, "%q = arith.mulf %x, %s : f32")
        )
        self.assertFalse(self.is_excused(0.5, "%q = arith.divf %x, %s : f32"))

    def test_rows_that_are_in_no_group(self):
        self.assertTrue(self.is_excused(0, "%y = tgemm.grouped_matmul %x, %w"))
        self.assertFalse(
            self.is_excused(0.002, "%y = tgemm.grouped_matmul %x, %w")
        )
        self.assertFalse(self.is_excused(0, "%y = tgemm.matmul %x, %w"))


if __name__ == "__main__":
    unittest.main()
