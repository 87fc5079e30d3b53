"""Modules are found, changed, and made small."""

import random
import re
import unittest

from attack import corpus, mutation
from attack.reduction import reduce


class MutationTest(unittest.TestCase):
    def test_tests_and_examples_are_found(self):
        modules = corpus.modules()
        self.assertGreater(len(modules), 500)
        self.assertTrue(
            any(module.name.startswith("examples/") for module in modules)
        )
        used = [module for module in modules if module.commands]
        self.assertGreater(len(used), 0.8 * len(modules))
        for module in modules:
            self.assertNotIn("RUN:", module.text)

    def test_run_lines_are_commands(self):
        source = (
            "// RUN: not grout-opt %s -split-input-file \\\n"
            "// RUN:   --a='b=1 c=2' -verify-diagnostics 2>&1 | grep x\n"
            "// RUN: grout-compile %s --target=cpu -o %t && cat %t\n"
            "// RUN: FileCheck %s < %t\n"
        )
        self.assertEqual(
            corpus.run_lines(source),
            [["grout-opt", "--a=b=1 c=2"], ["grout-compile", "--target=cpu"]],
        )

    def test_tokens_are_the_text(self):
        for module in corpus.modules():
            self.assertEqual("".join(mutation.tokens(module.text)), module.text)
            self.assertEqual(
                "".join(mutation.statements(module.text)), module.text
            )

    def test_a_seed_is_a_mutant(self):
        modules = corpus.modules()
        others = [module.text for module in modules[:5]]

        def make(seed):
            chance = random.Random(seed)
            return mutation.mutate(chance, chance.choice(modules).text, others)

        mutants = [make(seed) for seed in range(300)]
        self.assertEqual(mutants, [make(seed) for seed in range(300)])
        originals = {module.text for module in modules}
        changed = sum(mutant not in originals for mutant in mutants)
        self.assertGreater(changed, 250)

    def test_what_is_found_is_made_small(self):
        text = "\n".join(f"line {i} has words" for i in range(200)).encode()
        small = reduce(text, lambda data: b"line 77 " in data)
        self.assertEqual(small, b"line 77 ")

    def test_values_take_the_place_of_others(self):
        text = b"%b = f %a\n%c = g %b, %b\nreturn %c\n"
        self.assertEqual(
            reduce(
                text,
                lambda data: (
                    re.search(rb"return %\w", data)
                    and (b"%c =" in data) == (b"%c\n" in data)
                ),
            ),
            b"return %a",
        )


if __name__ == "__main__":
    unittest.main()
