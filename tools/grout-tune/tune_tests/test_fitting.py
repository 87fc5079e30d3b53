"""`fit`, with a model for which the right constants are known."""

import unittest

from errors import UserError
from tuning import fitting

# For each tiling of each product: the bytes and the FLOP that bound its time.
_WORK = [
    {
        f"<m = {m}>": (m * factor, (512 - m) * factor)
        for m in (64, 128, 192, 256, 320)
    }
    for factor in (0.5, 1, 2, 7)
]


def times(constants):
    """Returns the microseconds of each product's tilings."""
    return [
        {
            tiling: max(
                bytes_ / constants["memoryRate"],
                flops / constants["matrixRate"],
            )
            for tiling, (bytes_, flops) in product.items()
        }
        for product in _WORK
    ]


RIGHT = times({"memoryRate": 2.0, "matrixRate": 5.0})


def judge(constants):
    return fitting.Judgement(
        [
            [(modelled[tiling], us) for tiling, us in right.items()]
            for modelled, right in zip(times(constants), RIGHT)
        ]
    )


class FittingTest(unittest.TestCase):
    def search(self, start, names):
        said = []
        found = fitting.Search(judge, start, names, 2, said.append).run()
        self.assertTrue(said)
        return found

    def test_constants_are_found(self):
        found = self.search(
            {"memoryRate": 4.5, "matrixRate": 4.0}, ["memoryRate", "matrixRate"]
        )
        self.assertAlmostEqual(found["memoryRate"], 2, delta=0.1)
        self.assertAlmostEqual(found["matrixRate"], 5, delta=0.25)
        self.assertEqual(judge(found).close, len(RIGHT))

    def test_others_stay(self):
        found = self.search(
            {"memoryRate": 4.5, "matrixRate": 4.0}, ["memoryRate"]
        )
        self.assertEqual(found["matrixRate"], 4.0)
        self.assertNotEqual(found["memoryRate"], 4.5)

    def test_what_is_right_stays(self):
        right = {"memoryRate": 2.0, "matrixRate": 5.0}
        self.assertEqual(self.search(right, list(right)), right)
        self.assertEqual(judge(right).score, 0)

    def test_judgement(self):
        # The model's choice, the first tiling, takes twice as long as the
        # other.
        found = fitting.Judgement([[(1, 2), (2, 1)], [(1, 1), (2, 2)]])
        self.assertEqual(found.ratios, [2, 1])
        self.assertEqual((found.close, found.slower), (1, 0.5))
        with self.assertRaisesRegex(UserError, "lists none"):
            fitting.Judgement([])

    def test_table(self):
        text = fitting.table(
            {"memoryRate": 2.912e12, "loadLatency": 8e-7},
            {"processors": 132, "clusters": [132, 66, 30, 15]},
        )
        self.assertEqual(
            text.split("\n"),
            [
                "  spec.processors = 132;",
                "  spec.clusters[0] = 132;",
                "  spec.clusters[1] = 66;",
                "  spec.clusters[2] = 30;",
                "  spec.clusters[3] = 15;",
                "  spec.memoryRate = 2.912e+12;",
                "  constants.loadLatency = 8e-07;",
                "",
            ],
        )

    def test_names(self):
        self.assertEqual(
            fitting.names_to_fit(
                {
                    "memoryRate": 1,
                    "chain.modeMargin": 1,
                    "launchTime": 1,
                    "waveMemoryLoss": 0,
                }
            ),
            ["memoryRate"],
        )


if __name__ == "__main__":
    unittest.main()
