"""The candidates to try, and their order."""

import unittest

from tests.support import CONFIGS
from tuning import artifacts, candidates

from tune_tests.support import candidate, function, product, tiling


class SelectTest(unittest.TestCase):
    def test_choice_first_then_best_then_every_kind(self):
        items = [
            candidate(64, 10 + i) | {"tiling": f"<n = {i}>"} for i in range(10)
        ]
        items += [candidate(64, 50, cluster=(2, 1, 1)), candidate(128, 60)]
        selected = [
            item["tiling"]
            for item in candidates.select(product("k", items, "<n = 3>"), 6)
        ]
        self.assertEqual(
            selected,
            [
                "<n = 3>",
                "<n = 0>",
                "<n = 1>",
                "<n = 2>",
                tiling(64),
                tiling(128),
            ],
        )

    def test_fewer_than_asked_for(self):
        items = [candidate(64, 2.0), candidate(128, 1.0)]
        self.assertEqual(
            len(candidates.select(product("k", items, tiling(64)), 12)), 2
        )
        (only,) = candidates.select(product("k", items, tiling(64)), 1)
        self.assertEqual(only["tiling"], tiling(64))

    def test_no_case_without_a_choice(self):
        given = product("k", [candidate(64, 1.0)], tiling(64))
        self.assertEqual(
            list(candidates.product_cases(function([given], {}), "x", 12)), []
        )


class ChainTest(unittest.TestCase):
    def setUp(self):
        self.products = [
            product(
                "a",
                [
                    candidate(64, 5, forms=[0]),
                    candidate(128, 4, forms=[1]),
                    candidate(192, 9, forms=[0, 1]),
                ],
                tiling(128),
            ),
            product(
                "b",
                [candidate(256, 7, forms=[0]), candidate(320, 9, forms=[1])],
                tiling(256),
            ),
        ]
        alone = [tiling(128), tiling(256)]
        self.function = function(
            self.products,
            {
                "serial": alone,
                "pdl": alone,
                "persistent": [tiling(64), tiling(256)],
            },
            auto="persistent",
        )

    def case(self, modes, count=6, times=({}, {})):
        return candidates.chain_case(self.function, "x", modes, count, times)

    def test_separate_kernels_take_any_combination(self):
        case = self.case(["serial"])
        self.assertEqual(
            [item.tilings for item in case.candidates],
            [
                [tiling(a), tiling(b)]
                for a, b in (
                    (128, 256),
                    (64, 256),
                    (128, 320),
                    (64, 320),
                    (192, 256),
                    (192, 320),
                )
            ],
        )
        self.assertEqual(case.candidates[0].modelled_us, 11)
        self.assertEqual(
            [item.model for item in case.candidates], [True] + 5 * [False]
        )

    def test_one_kernel_takes_what_goes_together(self):
        case = self.case(["persistent"])
        self.assertEqual(
            [item.tilings for item in case.candidates],
            [
                [tiling(a), tiling(b)]
                for a, b in ((64, 256), (128, 320), (192, 256), (192, 320))
            ],
        )

    def test_measured_times_count_more_than_modelled(self):
        # The measured times are twice the modelled ones. So the times of the
        # other tilings are scaled by 2, too.
        times = ({tiling(64): 10.0, tiling(128): 20.0}, {})
        case = self.case(["pdl"], count=3, times=times)
        self.assertEqual(
            [item.tilings for item in case.candidates],
            [
                [tiling(128), tiling(256)],
                [tiling(64), tiling(256)],
                [tiling(64), tiling(320)],
            ],
        )

    def test_marks_what_auto_becomes(self):
        case = self.case(["serial", "persistent"])
        self.assertEqual(
            [
                (item.mode, item.tilings)
                for item in case.candidates
                if item.auto
            ],
            [("persistent", [tiling(64), tiling(256)])],
        )

    def test_tilings_get_their_places(self):
        case = self.case(["pdl"])
        self.assertEqual(
            case.text(case.candidates[1]),
            "module attributes {tgemm.tilings = [#tgemm.tiling<m = 64>, "
            "#tgemm.tiling<m = 256>]} {\n// f\n\n}\n",
        )
        second = list(candidates.product_cases(self.function, "x", 12))[1]
        self.assertEqual(second.name, "x product 1")
        self.assertIn(
            "tgemm.tilings = [#tgemm.tiling<m = 320>]}",
            second.text(second.candidates[1]),
        )

    def test_cases_survive_the_manifest(self):
        case = self.case(["pdl"])
        self.assertEqual(candidates.from_json(candidates.to_json(case)), case)

    def test_functions_of_one_file_have_different_names(self):
        other = {**self.function, "name": "g"}
        self.assertEqual(
            [
                name
                for name, _ in artifacts.name_functions(
                    "x", [self.function, other]
                )
            ],
            ["x f", "x g"],
        )


class ConfigTest(unittest.TestCase):
    def test_configurations_are_inputs(self):
        import pathlib
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            products = [path for path in CONFIGS if path.name == "gemm.json"]
            found = artifacts.read_inputs(
                products, "gpt2.*m64$", pathlib.Path(folder)
            )
            self.assertEqual(
                [name for name, _ in found],
                ["gpt2-124m-up-m64", "gpt2-124m-down-m64"],
            )
            for _, path in found:
                self.assertIn("linalg.matmul", path.read_text())


if __name__ == "__main__":
    unittest.main()
