"""The commands, with stand-ins for a compiler and a GPU."""

import contextlib
import json
import os
import pathlib
import random
import tempfile
import unittest
from unittest import mock

from errors import UserError
from tests.support import Device
from tuning import artifacts, command, measuring
from tuning.database import Database

from tune_tests.support import (
    KEY,
    artifact_text,
    candidate,
    function,
    product,
    takes,
    tiling,
    tune,
    write_compiler,
    write_list,
)

TIMES = {64: 10.0, 128: 8.0, 192: 30.0, 256: 12.0}


class TuneTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.build = self.folder / "build"
        write_compiler(self.build)
        self.input = self.folder / "mlp.mlir"
        self.out = self.folder / "out"
        self.database = self.folder / "tuning.db"
        self.list([64, 128, 192, 256])

    def list(self, rows, key=KEY):
        """Lists one product. The model likes the first tiling best."""
        items = [candidate(m, 10 + i) for i, m in enumerate(rows)]
        write_list(
            self.input, [function([product(key, items, tiling(rows[0]))], {})]
        )

    def list_chain(self, first=KEY, second="other"):
        items = [candidate(64, 10), candidate(128, 11)]
        products = [
            product(first, items, tiling(64)),
            product(second, items, tiling(64)),
        ]
        choice = [tiling(64), tiling(64)]
        write_list(
            self.input,
            [function(products, {mode: choice for mode in command.MODES})],
        )

    def tune(self, name, *arguments, **options):
        common = (
            []
            if name == "report"
            else [
                "--build",
                self.build,
                "--out",
                self.out,
                "--database",
                self.database,
            ]
        )
        inputs = [self.input, "--ptxas="] if name in ("compile", "all") else []
        return tune(
            name, *inputs, *common, *arguments, build=self.build, **options
        )

    def lines(self):
        return Database(self.database).sorted_lines()

    def best(self, **wanted):
        lines = [
            line
            for line in self.lines()
            if not line.get("eliminated")
            and all(line[name] == wanted[name] for name in wanted)
        ]
        return min(lines, key=lambda line: line["us"])

    def test_finds_the_fastest(self):
        status, out, _ = self.tune("compile")
        self.assertEqual(status, 0)
        self.assertIn("[1/1] mlp: 4 candidates", out)
        self.assertIn("1 cases with 4 artifacts", out)
        device = Device()
        status, out, err = self.tune(
            "run", behaviour=takes(TIMES), device=device
        )
        self.assertEqual((status, err), (0, ""))
        self.assertIn(
            "[1/1] mlp: serial 10.0 us, tuned 8.0 (1.250); 4 candidates", out
        )
        best = self.best(kind="product", key=KEY)
        self.assertEqual(
            (
                best["tilings"],
                best["us"],
                best["samples"],
                best["spread"],
                best["modelled_us"],
                best["target"],
            ),
            ([tiling(128)], 8.0, 10, 0.0, 11, "h200"),
        )
        # A hopeless candidate has one burst, without a rest; the others rest.
        given_up = {
            line["tilings"][0]: line["samples"]
            for line in self.lines()
            if line.get("eliminated")
        }
        self.assertEqual(given_up, {tiling(192): 1})
        self.assertAlmostEqual(device.idled, 3 * 10 * 0.02)
        status, out, _ = self.tune("report", self.database)
        self.assertEqual(status, 0)
        self.assertIn(
            f"| mlp | `{KEY}` | serial | `<m = 64>` | 10.00 | "
            "`<m = 128>` | 8.00 | 1.250 |",
            out,
        )
        self.assertIn(
            "within 5 % of the tuned choice on 0 of 1 (0%); at most "
            "25.0% above it",
            out,
        )

    def test_groups_have_the_sizes_of_the_list(self):
        items = [candidate(m, 10 + i) for i, m in enumerate([64, 128])]
        grouped = product("groups=4", items, tiling(64))
        ends = {"shape": [4], "type": "i32", "values": [3, 58, 84, 96]}
        grouped["inputs"] = [*grouped["inputs"], ends]
        write_list(self.input, [function([grouped], {})])
        device = Device()
        status, _, _ = self.tune("all", behaviour=takes(TIMES), device=device)
        self.assertEqual(status, 0)
        self.assertEqual(device.given, [[3, 58, 84, 96]])

    def test_judges_the_model_of_a_new_build(self):
        self.tune("compile")
        self.tune("run", behaviour=takes(TIMES))

        def report(rows, us, choice):
            items = [candidate(m, time) for m, time in zip(rows, us)]
            write_list(
                self.input,
                [function([product(KEY, items, tiling(choice))], {})],
            )
            return self.tune("report", self.database, self.input)

        # The modelled times of the build that compiled the candidates do not
        # count.
        status, out, _ = report([64, 128, 192, 256], [9, 4, 30, 12], 128)
        self.assertEqual(status, 0)
        self.assertIn(
            f"| mlp | `{KEY}` | `<m = 128>` | 8.00 | 4.00 | "
            "`<m = 128>` | 8.00 | 4.00 | 1.000 |",
            out,
        )
        self.assertIn(
            "for 1 of 1 products (100.0%); 0.0% slower on average, "
            "0.0% at most",
            out,
        )
        self.assertIn(
            "of 4 tilings: median 0.95, eight of ten from 0.50 to 1.00", out
        )
        self.assertNotIn("*", out)
        # A choice that was given up early has a time, too.
        _, out, _ = report([64, 192], [9, 8], 192)
        self.assertIn(
            "| `<m = 192>` | 30.00 | 8.00 | `<m = 128>` | 8.00 | - | 3.750 |",
            out,
        )
        # If a choice has no time, the tiling that it refines stands for it.
        write_list(
            self.input,
            [
                function(
                    [
                        product(
                            KEY,
                            [
                                {**candidate(320, 9), "refines": tiling(64)},
                                candidate(64, 9),
                                candidate(256, 8),
                            ],
                            tiling(320),
                        )
                    ],
                    {},
                )
            ],
        )
        _, out, _ = self.tune("report", self.database, self.input)
        self.assertIn(
            "| `<m = 64>` | 10.00 | 9.00 | `<m = 128>` | 8.00 | - | 1.250 |",
            out,
        )
        self.assertNotIn("*", out)
        # If that has no time either, the measured tiling that is best by the
        # model stands for it, with a mark.
        _, out, _ = report([64, 256, 320], [9, 10, 1], 320)
        self.assertIn("| mlp* |", out)
        self.assertIn(
            "| `<m = 64>` | 10.00 | 9.00 | `<m = 128>` | 8.00 | - | 1.250 |",
            out,
        )
        self.assertIn("* 1 of 1: the choice has not been measured", out)
        self.assertIn("for 0 of 1 products (0.0%); 25.0% slower", out)

    def test_judges_the_worst_first(self):
        self.list_chain()
        self.tune("compile", "--kinds=products")
        self.tune("run", behaviour=takes(TIMES))
        Database(self.database).add(
            [
                {**line, "us": 20.0}
                for line in self.lines()
                if line["key"] == "other" and line["tilings"] == [tiling(64)]
            ]
        )
        _, out, _ = self.tune("report", self.database, self.input)
        rows = [line for line in out.splitlines() if "| `<m" in line]
        self.assertEqual(
            [row.split(" | ")[0] for row in rows],
            ["| mlp product 1", "| mlp product 0"],
        )
        self.assertIn(
            "for 0 of 2 products (0.0%); 87.5% slower on average, "
            "150.0% at most",
            out,
        )
        self.assertNotIn("not measured", out)
        self.list_chain(second="another")
        _, out, _ = self.tune("report", self.database, self.input)
        self.assertIn("not measured: mlp product 1", out)
        self.assertIn("for 0 of 1 products", out)

    def test_judges_chains(self):
        self.list_chain()
        self.tune("compile", "--kinds=chains", "--modes=serial,pdl")
        self.tune("run", behaviour=takes(TIMES))

        def report(auto, rows):
            items = [candidate(64, 10), candidate(128, 11)]
            write_list(
                self.input,
                [
                    function(
                        [
                            product(KEY, items, tiling(64)),
                            product("other", items, tiling(64)),
                        ],
                        {auto: [tiling(m) for m in rows]},
                        auto=auto,
                    )
                ],
            )
            return self.tune("report", self.database, self.input)

        status, out, _ = report("serial", [64, 128])
        self.assertEqual(status, 0)
        self.assertIn(
            "| mlp | `serial <m = 64> <m = 128>` | 10.00 | "
            "`serial <m = 128> <m = 64>` | 8.00 | 1.250 |",
            out,
        )
        self.assertIn("for 0 of 1 chains (0.0%); 25.0% slower", out)
        _, out, _ = report("pdl", [128, 128])
        self.assertIn("for 1 of 1 chains (100.0%); 0.0% slower", out)
        items = [
            {**candidate(320, 9), "refines": tiling(64)},
            candidate(64, 9),
            candidate(128, 11),
        ]
        write_list(
            self.input,
            [
                function(
                    [
                        product(KEY, items, tiling(320)),
                        product("other", items, tiling(128)),
                    ],
                    {"serial": [tiling(320), tiling(128)]},
                    auto="serial",
                )
            ],
        )
        _, out, _ = self.tune("report", self.database, self.input)
        self.assertIn("| mlp | `serial <m = 64> <m = 128>` | 10.00 |", out)
        # A mode or tilings that were not measured have no time.
        for auto, rows in (("by_launch", [64, 64]), ("pdl", [64, 192])):
            _, out, _ = report(auto, rows)
            self.assertIn(
                "auto's choice was not measured of 1 chains: mlp", out
            )
            self.assertNotIn("1.000", out)

    def test_gives_up_the_slower_half(self):
        times = {64: 10, 128: 8, 192: 9, 256: 11, 320: 7, 384: 12, 448: 13}
        self.list(list(times))
        self.tune("compile")
        self.tune("run", "--stages=1,2,4", behaviour=takes(times))
        # Four of seven stay, then three. The model's choice always stays.
        self.assertEqual(
            {line["tilings"][0]: line["samples"] for line in self.lines()},
            {
                tiling(m): samples
                for m, samples in (
                    (64, 7),
                    (128, 7),
                    (192, 7),
                    (256, 1),
                    (320, 7),
                    (384, 1),
                    (448, 1),
                )
            },
        )
        self.assertEqual(self.best()["tilings"], [tiling(320)])

    def test_wrong_candidates_are_refused(self):
        def behaviour(mode, rows, device, runs):
            device.now_us += TIMES[rows[0]]
            if rows == [256]:
                raise RuntimeError("no luck")
            # One candidate is wrong at once, another only after it has been
            # measured.
            wrong = rows == [192] or (rows == [128] and runs > 300)
            return 1.1 if wrong else 1.0

        self.tune("compile")
        status, out, _ = self.tune("run", behaviour=behaviour)
        self.assertEqual(status, 0)
        for m, problem in (
            (192, "relative error 1.0e-01"),
            (256, "no luck"),
            (128, "relative error 1.0e-01"),
        ):
            self.assertIn(f"refused: mlp: serial <m = {m}>: {problem}", out)
        self.assertEqual(
            [line["tilings"] for line in self.lines()], [[tiling(64)]]
        )

    def test_a_case_fails_with_the_model_s_choice(self):
        def behaviour(mode, rows, device, runs):
            if rows == [64]:
                raise RuntimeError("no luck")
            return 1.0

        self.tune("compile")
        status, out, err = self.tune("run", behaviour=behaviour)
        self.assertEqual(status, 1)
        self.assertIn("failed: mlp: RuntimeError: no luck", out)
        self.assertIn("failed: mlp: RuntimeError: no luck", err)
        self.assertFalse(self.database.exists())

    def test_a_mode_fails_alone(self):
        def behaviour(mode, rows, device, runs):
            device.now_us += sum(TIMES[m] for m in rows)
            if mode == "serial":
                return float("nan")
            if mode == "overlap":
                raise RuntimeError("no luck")
            # This candidate is wrong only after it has been measured.
            return 1.1 if mode == "persistent" and runs > 1000 else 1.0

        self.list_chain()
        self.tune("compile", "--kinds=chains")
        status, out, err = self.tune("run", behaviour=behaviour)
        self.assertEqual(status, 1)
        self.assertIn(
            "[1/1] mlp: pdl 20.0 us, tuned 16.0 (1.250); 4 candidates", out
        )
        for problem in (
            "serial: WrongResult: relative error nan",
            "overlap: RuntimeError: no luck",
            "persistent: WrongResult: relative error 1.0e-01",
        ):
            self.assertIn(f"failed: mlp {problem}", err)
        self.assertEqual({line["mode"] for line in self.lines()}, {"pdl"})
        # Only those three remain to be measured.
        self.tune("run", behaviour=takes(TIMES))
        self.assertEqual(
            {line["mode"] for line in self.lines()}, set(command.MODES)
        )

    def test_no_mode_is_left_after_measuring(self):
        def behaviour(mode, rows, device, runs):
            device.now_us += 10
            return 1.1 if runs > 1000 else 1.0

        self.tune("compile")
        status, out, _ = self.tune("run", behaviour=behaviour)
        self.assertEqual(status, 1)
        self.assertIn("failed: mlp: WrongResult: relative error 1.0e-01", out)
        self.assertFalse(self.database.exists())

    def test_gpu_and_driver_are_kept_and_not_mixed_silently(self):
        self.tune("compile")
        self.tune("run", behaviour=takes(TIMES))
        self.assertEqual(
            {(line["device"], line["driver"]) for line in self.lines()},
            {("stand-in", "1.2")},
        )
        _, out, _ = self.tune("report", self.database)
        self.assertIn("measured on stand-in, driver 1.2 (1 shapes)", out)
        self.assertNotIn("warning", out)
        # Measured again with another driver, except for the tiling that is
        # refused now.
        device = Device()
        device.describe = lambda: {
            "gpu": "stand-in",
            "driver": None,
            "cuda": "none",
        }

        def behaviour(mode, rows, device, runs):
            if rows == [192]:
                raise RuntimeError("no luck")
            return takes(TIMES)(mode, rows, device, runs)

        _, _, err = self.tune(
            "run", "--again", device=device, behaviour=behaviour
        )
        self.assertIn(
            "has times of stand-in, driver 1.2, and this is "
            "stand-in, unknown driver: they do not compare",
            err,
        )
        for inputs in ([], [self.input]):
            _, out, _ = self.tune("report", self.database, *inputs)
            self.assertIn(
                "measured on stand-in, driver 1.2 (1 shapes); "
                "stand-in, unknown driver (1 shapes)\nwarning: times "
                "of different GPUs or drivers do not compare, and 1 "
                "of 1 shapes mix them",
                out,
            )

    def test_no_choice_is_marked(self):
        self.tune("compile")
        self.tune("run", behaviour=takes(TIMES))
        Database(self.database).add(
            [{**line, "model": False} for line in self.lines()]
        )
        status, out, _ = self.tune("report", self.database)
        self.assertEqual(status, 0)
        self.assertIn("no line is marked as the model's choice", out)
        self.assertNotIn("within 5 %", out)

    def test_results_that_are_no_numbers(self):
        self.tune("compile")
        status, _, err = self.tune("run", behaviour=lambda *_: float("nan"))
        self.assertEqual(status, 1)
        self.assertIn("relative error nan", err)

    def test_a_lost_device_ends_the_run(self):
        device = Device()

        def behaviour(mode, rows, device, runs):
            if rows == [128]:
                device.lost = True
                raise RuntimeError("an illegal memory access")
            return 1.0

        self.tune("compile")
        status, _, err = self.tune("run", behaviour=behaviour, device=device)
        self.assertEqual(status, 1)
        self.assertIn(
            "the GPU is lost after mlp serial <m = 128>: an illegal", err
        )

    def test_what_was_measured_is_skipped(self):
        self.tune("compile")
        self.tune("run", behaviour=takes(TIMES))
        before = self.database.read_bytes()
        status, out, _ = self.tune("run", behaviour=takes(TIMES))
        self.assertEqual(status, 0)
        self.assertIn("1 cases are in", out)
        self.assertIn("nothing is left to measure", out)
        status, out, _ = self.tune("compile")
        self.assertIn("1 cases are in", out)
        self.assertIn("0 cases with 0 artifacts", out)
        self.assertEqual(self.database.read_bytes(), before)
        self.tune("compile", "--again")
        slower = {rows: 2 * us for rows, us in TIMES.items()}
        self.tune("run", "--again", behaviour=takes(slower))
        self.assertEqual(
            [line["us"] for line in self.lines() if line.get("model")], [20.0]
        )

    def test_interruption_keeps_what_is_complete(self):
        write_list(
            self.input,
            [
                function(
                    [
                        product(
                            f"k{i}",
                            [candidate(64, 1), candidate(128, 2)],
                            tiling(64),
                            name=f"p{i}",
                        )
                    ],
                    {},
                    name=f"f{i}",
                )
                for i in range(3)
            ],
        )
        self.tune("compile")
        captured = 0

        def behaviour(mode, rows, device, runs):
            nonlocal captured
            captured += runs == 0
            if captured == 4:
                raise KeyboardInterrupt
            return takes(TIMES)(mode, rows, device, runs)

        status, out, err = self.tune("run", behaviour=behaviour)
        self.assertEqual(status, 130)
        self.assertIn("[1/3] mlp f0", out)
        self.assertIn("interrupted", err)
        self.assertEqual({line["key"] for line in self.lines()}, {"k0"})
        status, out, _ = self.tune("run", behaviour=takes(TIMES))
        self.assertEqual(status, 0)
        self.assertIn("1 cases are in", out)
        self.assertIn("[2/2] mlp f2", out)
        self.assertEqual(
            {line["key"] for line in self.lines()}, {"k0", "k1", "k2"}
        )

    def test_what_hangs_is_named(self):
        watched = []

        def note(what, seconds):
            watched.append((what, seconds))
            return contextlib.nullcontext()

        self.tune("compile")
        with mock.patch.object(measuring, "watchdog", note):
            self.tune("run", "--timeout-seconds=7", behaviour=takes(TIMES))
        self.assertEqual(
            watched,
            [
                (what, 7.0)
                for what in (
                    "mlp serial <m = 64>",
                    "mlp serial <m = 128>",
                    "mlp serial <m = 192>",
                    "mlp serial <m = 256>",
                    "timing of mlp",
                )
            ],
        )

    def test_filter(self):
        self.tune("compile")
        status, out, _ = self.tune("run", "--filter=other")
        self.assertEqual((status, out), (0, "nothing is left to measure\n"))

    def test_time_is_over(self):
        self.tune("compile")
        status, out, _ = self.tune(
            "run", "--budget-seconds=1e-9", behaviour=takes(TIMES)
        )
        self.assertEqual(status, 0)
        self.assertIn("the time is over: 1 cases are left", out)
        self.assertFalse(self.database.exists())

    def test_refused_candidates(self):
        self.list([64, 13])
        status, out, _ = self.tune("compile")
        self.assertEqual(status, 0)
        self.assertIn("refused: mlp: serial <m = 13>: no tile of 13 rows", out)
        (case,) = artifacts.load(self.out).cases
        self.assertEqual(
            [item.tilings for item in case.candidates], [[tiling(64)]]
        )
        # Without the model's choice, there is no case.
        self.list([13, 64])
        status, out, _ = self.tune("compile")
        self.assertEqual(status, 1)
        self.assertEqual(artifacts.load(self.out).cases, [])

    def test_artifacts_are_made_once(self):
        self.tune("compile")
        made = {
            path: path.stat().st_mtime_ns
            for path in self.out.glob("*.grout.xz")
        }
        self.assertEqual(len(made), 4)
        self.tune("compile")
        self.assertEqual({path: path.stat().st_mtime_ns for path in made}, made)
        left = {path.name for path in self.out.iterdir()} - {
            path.name for path in made
        }
        self.assertEqual(left, {artifacts.MANIFEST})

    def test_all_tunes_products_then_chains(self):
        def behaviour(mode, rows, device, runs):
            # For products alone, and for chains, the model's first choice is
            # not the fastest. Mode pdl is the fastest.
            device.now_us += sum(TIMES[m] for m in rows) - (
                mode == "pdl"
            ) * len(rows)
            return 1.0

        self.list_chain()
        status, out, err = self.tune("all", behaviour=behaviour)
        self.assertEqual(status, 0)
        self.assertIn("[2/2] mlp product 1", out)
        best = self.best(kind="chain")
        self.assertEqual(
            (best["mode"], best["us"], best["tilings"]),
            ("pdl", 14.0, [tiling(128), tiling(128)]),
        )
        self.assertEqual(
            {line["mode"] for line in self.lines() if line["kind"] == "chain"},
            set(command.MODES),
        )
        status, out, _ = self.tune("report", self.database)
        self.assertIn(
            "| auto | `pdl <m = 64> <m = 64>` | 18.00 | "
            "`pdl <m = 128> <m = 128>` | 14.00 | 1.286 |",
            out,
        )
        self.assertIn(
            "chains, serial: the model is within 5 % of the tuned "
            "choice on 0 of 1",
            out,
        )

    def test_a_new_mode_is_measured_alone(self):
        self.list_chain()
        self.tune(
            "compile", "--kinds=chains", "--modes=serial,overlap,persistent"
        )
        self.assertEqual(self.tune("run", behaviour=takes(TIMES))[0], 0)
        status, out, _ = self.tune("compile", "--kinds=chains")
        self.assertIn("mlp: 4 candidates", out)
        (case,) = artifacts.load(self.out).cases
        self.assertEqual({item.mode for item in case.candidates}, {"pdl"})
        self.assertIn(
            "pdl\n", artifact_text(self.out, case.candidates[0].artifact)
        )

    def test_equal_products_are_one_case(self):
        self.list_chain(second=KEY)
        self.tune("compile", "--kinds=products")
        self.assertEqual(len(artifacts.load(self.out).cases), 1)

    def test_damaged_configurations(self):
        config = self.folder / "config.json"
        case = {
            "kind": "gemm",
            "name": "g",
            "dtype": "f16",
            "M": [64],
            "N": 64,
            "K": 64,
        }

        def cases(**changes):
            return json.dumps({"title": "t", "cases": [{**case, **changes}]})

        for text, problem in (
            (b"\xff", "can't decode byte 0xff"),
            (b"\0", "Expecting"),
            (b"[" * 200000, "nests too deeply"),
            (b"[]", "indices"),
            (b"{}", "lacks 'title'"),
            (cases()[:-1], "Expecting"),
            (cases(M=64), "not iterable"),
            (cases(N="x"), "'N' must be"),
            (cases(M=[True]), "'M' must be int"),
            (cases(kind=[]), "unhashable"),
            (cases(more=1), "fields"),
        ):
            config.write_bytes(
                text if isinstance(text, bytes) else text.encode()
            )
            status, _, err = tune(
                "compile",
                config,
                "--out",
                self.out,
                "--ptxas=",
                build=self.build,
            )
            self.assertEqual(status, 1, text)
            self.assertIn(problem, err)
            self.assertIn("config", err)

    def test_names_that_are_no_text(self):
        for name in (b"\xff.mlir", b"\n.mlir"):
            status, _, err = tune(
                "compile", os.fsdecode(name), "--ptxas=", build=self.build
            )
            self.assertEqual(status, 1)
            self.assertIn("a name that cannot be printed", err)

    def test_what_the_compiler_says_is_no_text(self):
        program = self.build / "bin" / "grout-compile"
        program.write_text("#!/bin/sh\nprintf 'error: \\377' >&2; exit 1\n")
        status, _, err = self.tune("compile")
        self.assertEqual(status, 1)
        self.assertIn("mlp.mlir: \ufffd", err)

    def test_damaged_manifests(self):
        self.list([64, 128])
        self.tune("compile")
        manifest = self.out / artifacts.MANIFEST
        whole = manifest.read_bytes()
        want = artifacts.load(self.out)
        rng = random.Random(17)
        refused = 0
        for number in range(100):
            damaged = bytearray(whole)
            if number % 10:
                damaged[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
            else:
                del damaged[rng.randrange(len(whole)) :]
            manifest.write_bytes(damaged)
            try:
                found = artifacts.load(self.out)
            except UserError as error:
                self.assertIn(str(manifest), str(error))
                refused += 1
            else:
                self.assertEqual(found, want)
        self.assertGreater(refused, 50)
        status, _, err = self.tune("run")
        self.assertEqual(status, 1)
        self.assertIn(f"grout-tune: error: {manifest}", err)

    def test_mistakes(self):
        for arguments, message in (
            (["compile", self.folder / "none.mlir"], "there is no file"),
            (["compile", self.input, "--filter=x"], "nothing matches 'x'"),
            (["run", "--out", self.folder], "manifest.json is missing"),
            (["report", self.folder / "none"], "there is no file"),
            (
                ["compile", self.input, "--build", self.folder],
                "grout-compile; --build says",
            ),
        ):
            status, _, err = tune(*arguments, build=self.build)
            self.assertEqual(status, 1)
            self.assertIn(message, err)
        self.input.with_suffix(".list").unlink()
        status, _, err = self.tune("compile")
        self.assertEqual(status, 1)
        self.assertIn("mlp.mlir: no list", err)
        self.database.touch()
        status, _, err = self.tune("report", self.database)
        self.assertIn("has no measurements", err)
        self.list([64, 128])
        self.tune("compile")
        self.tune("run", behaviour=takes(TIMES))
        for option in ("--filter=mlp", "--target=h200", "--build=none"):
            status, _, err = self.tune("report", self.database, option)
            self.assertEqual(status, 1)
            self.assertIn(
                f"{option.partition('=')[0]} concerns inputs, and "
                "`report` was given none",
                err,
            )
        self.list([64, 128], key="another")
        status, _, err = self.tune("report", self.database, self.input)
        self.assertEqual(status, 1)
        self.assertIn("has no product and no chain of the inputs", err)
        for option in (
            "--modes=fast",
            "--kinds=gemms",
            "--candidates=0",
            "--filter=[",
        ):
            with self.assertRaises(SystemExit) as raised:
                self.tune("compile", option)
            self.assertEqual(raised.exception.code, 2)


if __name__ == "__main__":
    unittest.main()
