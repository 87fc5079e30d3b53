"""Random chains: the proof against the interpreter and brute force, with huge
constants, too. unittests/Analysis has the properties; this gives them seeds."""

import re

from attack.attack import Attack
from attack.outcome import Finding, Verdict, classify

_TESTS = "GroutAnalysisTests"
_SUITES = ("PropertyTest", "OverflowTest")
# Of a case.
_SEEDS = 8
# A test of them takes longer than a tool.
_SLOWER = 4


class Chains(Attack):
    name = "chains"
    needs = (_TESTS,)

    def run(self, case):
        first = case.random().randrange(1 << 31)
        command = [_TESTS, "--gtest_filter=" + ":".join(
            f"{suite}.*" for suite in _SUITES)]
        environment = {"GROUT_TEST_SEEDS": f"{first}:{_SEEDS}"}
        limits = case.tools.limits.slower(_SLOWER)
        done = case.tools.run(*command, folder=case.folder, limits=limits,
                              environment=environment)
        command = [f"GROUT_TEST_SEEDS={first}:{_SEEDS}", *command]
        failed = re.findall(r"^\[  FAILED  \] (\w+\.\w+) \(", done.stdout,
                            re.M)
        case.notes["tests"] += len(re.findall(r"^\[ RUN ", done.stdout, re.M))
        verdict, reason = classify(done)
        if failed:
            verdict, reason = Verdict.WRONG, ", ".join(failed)
        elif verdict == Verdict.OK and "[  PASSED  ]" in done.stdout:
            return []
        return [Finding(verdict, command, reason, {}, done.output)]
