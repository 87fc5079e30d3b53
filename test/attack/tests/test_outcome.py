"""What tools come to is told apart."""

import pathlib
import sys
import tempfile
import unittest

from attack.outcome import Verdict, classify, describe_crash, is_upstream
from attack.process import Limits, run

_LIMITS = Limits(seconds=1, memory=1 << 30)
_CASES = {
    "pass": (Verdict.OK, Verdict.OK),
    "sys.exit('a.mlir:1:2: error: no')": (Verdict.REFUSED, Verdict.REFUSED),
    "sys.exit('tool: error: no')": (Verdict.REFUSED, Verdict.VAGUE),
    "sys.exit('tool: for the --mode option: no x!\\n<unknown>:0: error: ')": (
        Verdict.REFUSED,
        Verdict.REFUSED,
    ),
    "sys.exit('tool: for the --mode option: no x!')": (
        Verdict.REFUSED,
        Verdict.REFUSED,
    ),
    "sys.exit('tool: error: --mode has no x')": (
        Verdict.REFUSED,
        Verdict.REFUSED,
    ),
    "sys.exit(1)": (Verdict.SILENT, Verdict.SILENT),
    "sys.exit('something went wrong')": (Verdict.SILENT, Verdict.SILENT),
    "os.kill(os.getpid(), signal.SIGSEGV)": (Verdict.CRASH, Verdict.CRASH),
    "os.abort()": (Verdict.CRASH, Verdict.CRASH),
    "sys.exit(134)": (Verdict.CRASH, Verdict.CRASH),
    "raise ValueError": (Verdict.CRASH, Verdict.CRASH),
    "sys.exit('LLVM ERROR: error: no')": (Verdict.CRASH, Verdict.CRASH),
    "sys.exit('==1==ERROR: AddressSanitizer: SEGV on x')": (
        Verdict.CRASH,
        Verdict.CRASH,
    ),
    "sys.exit('a:1:1: error: failed to legalize operation')": (
        Verdict.INTERNAL,
        Verdict.INTERNAL,
    ),
    "[0 for i in iter(int, 1)]": (Verdict.HANG, Verdict.HANG),
    "bytes(2 << 30)": (Verdict.HOG, Verdict.HOG),
}


class OutcomeTest(unittest.TestCase):
    def test_every_outcome(self):
        for code, expected in _CASES.items():
            done = run(
                [sys.executable, "-c", f"import os, signal, sys; {code}"],
                _LIMITS,
            )
            for located in (False, True):
                with self.subTest(code=code, located=located):
                    self.assertEqual(
                        classify(done, located)[0],
                        expected[located],
                        done.stderr,
                    )

    def test_who_waits_for_ever_hangs(self):
        class Short(Limits):
            clock = 0.3

        done = run(
            [sys.executable, "-c", "import time; time.sleep(60)"], Short()
        )
        self.assertEqual(classify(done)[0], Verdict.HANG)

    def test_who_crashed(self):
        trace = (
            "Stack dump:\n"
            " #0 0x0a llvm::sys::PrintStackTrace(int) (/lib/b.so+0x1)\n"
            " #1 0x0a (/lib/b.so+0x1)\n"
            " #2 0x0a mlir::A::get() const (/lib/b.so+0x1)\n"
            "{}"
            "#13 0x0a mlir::parseAsmSourceFile(x) (/lib/b.so+0x1)\n"
        )
        own = "#3 0x0a grout::(anonymous namespace)::f[abi:cxx11](x) (/grout-opt+1)\n"
        self.assertTrue(is_upstream(trace.format("")))
        self.assertFalse(is_upstream(trace.format(own)))
        self.assertFalse(is_upstream(own))
        printer = (
            " #3 0x0a mlir::printDynamicIndexList(x) (/lib/b.so+0x1)\n"
            "{}"
            " #5 0x0a main (/grout-opt+1)\n"
            " #6 0x0a _start (/grout-opt+1)\n"
        )
        self.assertTrue(is_upstream(printer.format("")))
        self.assertFalse(is_upstream(printer.format(own)))
        self.assertFalse(is_upstream("#5 0x0a main (/grout-opt+1)\n"))
        self.assertEqual(
            describe_crash(trace.format(own)),
            "in mlir::A::get, in grout::{}::f",
        )

    def test_a_limit_on_files_is_an_error_of_writes(self):
        with tempfile.TemporaryDirectory() as name:
            done = run(
                [sys.executable, "-c", "open('f', 'w').write('x' * 9000)"],
                _LIMITS.with_file(100),
                name,
            )
            self.assertIn("File too large", done.stderr)
            self.assertLessEqual((pathlib.Path(name) / "f").stat().st_size, 100)


if __name__ == "__main__":
    unittest.main()
