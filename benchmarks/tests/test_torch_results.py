"""How torch_real_models.py compares results. ctest's GroutTorchBenchmarks runs
this where PyTorch is."""

import importlib.util
import math
import unittest

if not importlib.util.find_spec("torch"):
    raise unittest.SkipTest("PyTorch is not installed")

import torch  # noqa: E402
from torch_results import Repeated, compare, reference, rms_errors  # noqa: E402


class OnlyIn(torch.nn.Module):
    """Runs in some types only, as products of groups do."""

    def __init__(self, *dtypes, dtype=torch.float16):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(8, 8).to(dtype))
        self.dtypes = dtypes

    def forward(self, x):
        if self.weight.dtype not in self.dtypes:
            raise RuntimeError("not implemented")
        return x @ self.weight


class Experts(OnlyIn):
    """Runs in f64 if experts are computed one after another."""

    def set_experts_implementation(self, name):
        assert name == "eager"
        self.dtypes = (*self.dtypes, torch.float64)


X = (torch.ones(2, 8, dtype=torch.float16),)


class ReferenceTest(unittest.TestCase):
    def test_is_the_widest(self):
        half, single, double = torch.float16, torch.float32, torch.float64
        for dtypes, wanted in (
            ((half, single, double), double),
            ((half, single), single),
            ((half,), None),
        ):
            result, dtype = reference(OnlyIn(*dtypes), X)
            self.assertEqual((dtype, result.dtype), (wanted, wanted or half))

    def test_of_experts_is_a_loop(self):
        model = Experts(torch.float16)
        result, dtype = reference(model, X)
        self.assertEqual((dtype, result.dtype), (torch.float64,) * 2)
        self.assertEqual(model.dtypes, (torch.float16,))

    def test_of_wide_models_is_their_own(self):
        model = OnlyIn(torch.float64, dtype=torch.float64)
        result, dtype = reference(model, (X[0].double(),))
        self.assertIsNone(dtype)
        self.assertEqual(result.dtype, torch.float64)


class CompareTest(unittest.TestCase):
    def test_tensors_alone_are_results(self):
        wanted = torch.randn(4, 4, dtype=torch.float64)
        results = {"eager": wanted.half(), "grout": wanted.half()}
        self.assertLess(compare(results, wanted)["grout"], 1e-3)

    def test_wrong_results_are_errors(self):
        wanted = torch.randn(4, 4, dtype=torch.float64)
        with self.assertRaisesRegex(AssertionError, "grout, tuned is wrong"):
            compare(
                {
                    "eager": wanted.half(),
                    "grout": wanted.half(),
                    "grout, tuned": (wanted + 1).half(),
                },
                wanted,
            )

    def test_peers_may_be_wrong(self):
        wanted = torch.randn(4, 4, dtype=torch.float64)
        errors = compare(
            {
                "eager": wanted.half(),
                "grout": wanted.half(),
                "torch.compile": (wanted + 9).half(),
            },
            wanted,
        )
        self.assertGreater(errors["torch.compile"], 0.1)

    def test_what_rounding_decides_is_as_eager_has_it(self):
        wanted = (torch.tensor([1e6, 1.0]).double(), torch.tensor([0, 1]))
        eager = (wanted[0].half(), torch.tensor([1, 0]))
        errors = compare({"eager": eager, "grout": eager}, wanted)
        self.assertTrue(math.isnan(errors["eager"]))
        with self.assertRaises(AssertionError):
            compare({"eager": eager, "grout": (eager[0], wanted[1])}, wanted)

    def test_mean_errors_are_of_all_tensors(self):
        wanted = (torch.full((4,), 3.0).double(), torch.tensor([1]))
        got = (wanted[0] + torch.tensor([0.3, -0.3, 0.3, 0.3]), wanted[1] + 1)
        self.assertAlmostEqual(
            rms_errors({"grout": got}, wanted)["grout"], 0.1, places=6
        )


class RepeatedTest(unittest.TestCase):
    def test_functions_return_what_is_new(self):
        repeated = Repeated(lambda: torch.ones(3))
        repeated.poison()
        self.assertTrue(torch.equal(repeated(), torch.ones(3)))

    def test_graphs_write_what_they_wrote(self):
        results = {"y": torch.zeros(3), "n": torch.tensor(3)}
        repeated = Repeated(lambda: None, results)
        repeated.poison()
        self.assertTrue(results["y"].isnan().all())
        self.assertIs(repeated(), results)


if __name__ == "__main__":
    unittest.main()
