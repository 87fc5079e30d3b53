"""How often and in what order graphs are replayed, and what is made of it."""

import random
import unittest

import timing

from tests.support import Device


class FixedGraph:
    def __init__(self, device, name, us, log):
        self._device, self._name, self._us = device, name, us
        self._log = log

    def replay(self):
        self._log.append(self._name)
        self._device.now_us += self._us


class SlowsDown:
    """Takes longer while clocks settle: the first replays."""

    def __init__(self, device, first, first_us, us):
        self._device, self._first = device, first
        self._first_us, self._us = first_us, us
        self.replays = 0

    def replay(self):
        self._device.now_us += (
            self._first_us if self.replays < self._first else self._us
        )
        self.replays += 1


class TimingTest(unittest.TestCase):
    def setUp(self):
        self.device = Device()
        self.log = []
        self.graphs = {
            name: FixedGraph(self.device, name, us, self.log)
            for name, us in (("a", 100), ("b", 200), ("c", 300))
        }

    def test_iterations_fill_a_burst(self):
        # A floor of 406 us: GPT-3's MLP at 1,024 tokens.
        flops, bytes_ = 4 * 1024 * 12288 * 6144, 355e6
        count = timing.iterations(flops, bytes_)
        self.assertTrue(2000 <= count * flops / 700e6 <= 5000)
        self.assertEqual(timing.iterations(2 * 8192**3, 4e8), 4)
        self.assertEqual(timing.iterations(0, 0), 400)

    def test_cool_interleaves_in_random_order_and_rests(self):
        samples = timing.cool(
            self.device, self.graphs, 10, 7, 0.02, random.Random(0)
        )
        self.assertEqual(samples, {"a": [10] * 7, "b": [20] * 7, "c": [30] * 7})
        rounds = ["".join(self.log[i : i + 3]) for i in range(0, 21, 3)]
        self.assertTrue(
            all(sorted(order) == ["a", "b", "c"] for order in rounds)
        )
        self.assertGreater(len(set(rounds)), 1)
        self.assertAlmostEqual(self.device.idled, 21 * 0.02)

    def test_cool_repeats_for_a_seed(self):
        logs = []
        for seed in (1, 1, 2):
            self.log.clear()
            timing.cool(self.device, self.graphs, 10, 7, 0, random.Random(seed))
            logs.append(list(self.log))
        self.assertEqual(logs[0], logs[1])
        self.assertNotEqual(logs[0], logs[2])

    def test_sustained_alternates_without_rest(self):
        estimates = timing.estimate(self.device, self.graphs, 10)
        self.log.clear()
        samples = timing.sustained(
            self.device, self.graphs, 10, estimates, 0.003, 2
        )
        self.assertEqual(samples, {"a": [10] * 2, "b": [20] * 2, "c": [30] * 2})
        self.assertEqual(self.device.idled, 0)
        self.assertEqual(
            "".join(self.log),
            "a" * 30 + "b" * 15 + "c" * 10 + "c" * 10 + "b" * 15 + "a" * 30,
        )

    def test_sustained_leaves_out_the_first_third(self):
        graph = SlowsDown(self.device, 10, 500, 100)
        samples = timing.sustained(
            self.device, {"x": graph}, 1, {"x": 100}, 0.003, 1
        )
        self.assertEqual(graph.replays, 30)
        self.assertEqual(samples, {"x": [100]})

    def test_sustained_measures_slow_graphs_too(self):
        graph = SlowsDown(self.device, 1, 9e6, 8e6)
        samples = timing.sustained(
            self.device, {"x": graph}, 4, {"x": 2e6}, 0.3, 1
        )
        self.assertEqual(samples, {"x": [2e6]})

    def test_summary(self):
        self.assertEqual(
            timing.summary([3.0, 1.0, 10.0]),
            {
                "median": 3.0,
                "low": 1.0,
                "high": 10.0,
                "samples": [3.0, 1.0, 10.0],
            },
        )


if __name__ == "__main__":
    unittest.main()
