"""What a GPU is for, without one: graphs as JSON, what PyTorch makes of them, and
what is reported."""

import importlib.util
import json
import pathlib
import tempfile
import unittest
from unittest import mock

import numpy as np
import workers

from operators import artifacts, checking, comparison, inputs, rebuild, stored
from operators.checking import Outcome
from operators.tests import support
from operators.tests.test_check import call


def graphs():
    """{name: graph} of the sample."""
    return {
        name: rebuild.rebuild(row)
        for name, row in support.sample().items()
        if name not in support.REFUSED
    }


class StoredTest(unittest.TestCase):
    def test_a_graph_is_what_its_json_says(self):
        for graph in graphs().values():
            text = json.dumps(stored.to_json(graph))
            self.assertEqual(stored.from_json(json.loads(text)), graph)


@unittest.skipUnless(importlib.util.find_spec("torch"), "there is no PyTorch")
class TorchTest(unittest.TestCase):
    def test_computes_what_numpy_computes(self):
        import torch

        from operators import on_torch

        for name, graph in graphs().items():
            arrays, expected = inputs.choose(graph)
            tensors = [
                torch.from_numpy(
                    array.view(np.int32) if array.dtype == np.uint32 else array
                )
                for array in arrays
            ]
            for precision in on_torch.Precision:
                results = on_torch.evaluate(
                    torch, graph, tensors, precision, "cpu"
                )
                for result in results:
                    self.assertTrue(result.is_contiguous(), name)
                    shared = sum(
                        other.data_ptr() == result.data_ptr()
                        for other in results + tensors
                    )
                    self.assertEqual(shared, 1, name)
                self.assertEqual(
                    comparison.differences(
                        graph, [result.numpy() for result in results], expected
                    ),
                    [],
                    (name, precision),
                )

    def test_inputs_are_well_conditioned_and_poison_is_wrong(self):
        import torch

        from operators import torch_inputs

        for name, graph in graphs().items():
            _, expected = torch_inputs.choose(torch, graph, "cpu")
            self.assertEqual(
                torch_inputs.differences(torch, graph, expected, expected),
                [],
                name,
            )
            results = torch_inputs.results(torch, graph, "cpu")
            torch_inputs.poison(torch, results)
            self.assertEqual(
                len(torch_inputs.differences(torch, graph, results, expected)),
                len(results),
                name,
            )


class CommandTest(unittest.TestCase):
    """On a folder with three rows, of which one is refused."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        rows, made = support.sample(), graphs()
        artifacts.save(
            self.folder,
            [
                *(
                    Outcome(rows[name], checking.COMPILES, graph=made[name])
                    for name in ("Gelu", "Softmax")
                ),
                Outcome(rows["Sorted"], checking.REFUSED, "no sorting"),
            ],
        )

    def gpu(self, outcomes):
        def run(make, tasks, *limits):
            return [
                workers.Outcome(task, *outcomes[task.graph.name])
                for task in tasks
            ]

        with mock.patch.object(workers, "run", run):
            return call("gpu", self.folder)

    def test_all_that_agree_are_counted(self):
        good = ((checking.AGREES, ""), "")
        status, out, _ = self.gpu(
            {"sample_level0_Gelu": good, "sample_level0_Softmax": good}
        )
        self.assertEqual(status, 0)
        self.assertIn("| reduce | 1 | 1 | 1 | 0 |", out)
        self.assertIn("| all | 3 | 2 | 2 | 1 |", out)
        self.assertIn("| no sorting | 1 |", out)

    def test_what_is_wrong_or_not_run_fails(self):
        status, out, _ = self.gpu(
            {
                "sample_level0_Gelu": ((checking.DIFFERS, "result 0: off"), ""),
                "sample_level0_Softmax": (None, workers.NOT_BEGUN),
            }
        )
        self.assertEqual(status, 1)
        self.assertIn("sample_level0_Gelu: differs: result 0: off\n", out)
        self.assertNotIn("Softmax", out)
        self.assertIn(
            "| kind | rows | compile | agree | not run | differs | refused |",
            out,
        )
        status, out, _ = self.gpu(
            {
                "sample_level0_Gelu": (None, workers.CRASHED),
                "sample_level0_Softmax": (None, workers.OVERDUE),
            }
        )
        self.assertEqual(status, 1)
        self.assertIn("| all | 3 | 2 | 0 | 2 | 1 |", out)
        self.assertIn("Softmax: fails to run: it took too long\n", out)

    @unittest.skipIf(importlib.util.find_spec("torch"), "there is PyTorch")
    def test_needs_pytorch(self):
        status, _, err = call("gpu", self.folder)
        self.assertEqual(status, 1)
        self.assertIn("akg.py: error: gpu needs PyTorch", err)

    def test_says_what_is_not_there(self):
        self.assertIn(
            "manifest.json is missing; akg.py compile --out writes it",
            call("gpu", "/none")[2],
        )
        self.assertIn(
            "no row has a name that matches 'x{9}'",
            call("gpu", self.folder, "--filter", "x{9}")[2],
        )


if __name__ == "__main__":
    unittest.main()
