"""Random GoogleTests of unittests, as attacks that give them seeds."""

import re

from attack.attack import Attack
from attack.outcome import Finding, Verdict, classify

# A test of them takes longer than a tool.
_SLOWER = 4


class SeededTests(Attack):
    """A case is `seeds` seeds of the tests that `filters` are patterns of, in
    the program `tests`."""

    tests = ""
    filters = ()
    seeds = 8

    def missing(self, tools):
        return None if tools.has(self.tests) else f"there is no {self.tests}"

    def run(self, case):
        first = case.random().randrange(1 << 31)
        seeds = f"{first}:{self.seeds}"
        command = [self.tests, "--gtest_filter=" + ":".join(self.filters)]
        done = case.tools.run(
            *command,
            folder=case.folder,
            limits=case.tools.limits.slower(_SLOWER),
            environment={"GROUT_TEST_SEEDS": seeds},
        )
        command = [f"GROUT_TEST_SEEDS={seeds}", *command]
        failed = re.findall(r"^\[  FAILED  \] (\w+\.\w+) \(", done.stdout, re.M)
        case.notes["tests"] += len(re.findall(r"^\[ RUN ", done.stdout, re.M))
        verdict, reason = classify(done)
        if failed:
            verdict, reason = Verdict.WRONG, ", ".join(failed)
        elif verdict == Verdict.OK and "[  PASSED  ]" in done.stdout:
            return []
        return [Finding(verdict, command, reason, {}, done.output)]
