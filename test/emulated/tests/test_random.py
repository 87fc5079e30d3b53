"""Random programs are right on the CPU and on emulated GPUs."""

import unittest

from emulated import checking, random_programs
from emulated.checking import Status
from emulated.tests import support

# scripts/test-emulated takes others.
SEEDS = range(40)


class RandomTest(support.ToolsTest):
    def test_none_is_wrong(self):
        right = {"cpu": 0, "gpu": 0}
        for seed in SEEDS:
            for outcome in checking.check(self.tools, seed):
                with self.subTest(seed=seed, what=outcome.what):
                    self.assertIn(
                        outcome.status,
                        (Status.RIGHT, Status.REFUSED),
                        outcome.reason,
                    )
                device = "cpu" if outcome.what == "cpu" else "gpu"
                right[device] += outcome.status == Status.RIGHT
        # Not that all are refused.
        self.assertGreaterEqual(right["cpu"], 0.8 * len(SEEDS))
        self.assertGreaterEqual(right["gpu"], 0.7 * len(SEEDS))

    def test_a_seed_is_a_program(self):
        texts = [random_programs.make(seed).text for seed in SEEDS]
        self.assertEqual(len(set(texts)), len(SEEDS))
        self.assertEqual(
            texts, [random_programs.make(seed).text for seed in SEEDS]
        )


if __name__ == "__main__":
    unittest.main()
