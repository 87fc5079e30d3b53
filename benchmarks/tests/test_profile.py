"""`profile`, with programs that stand for Nsight Compute and what it runs."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import types
import unittest
from unittest import mock

import bench
import call_peer
import manifest
import nsight
from errors import UserError
from workloads import Gemm, Mlp

from tests.support import Device

# As ncu prints it with --csv --page raw --print-units base: what it says
# itself, names, units, a line for each kernel. The second adds up the first's.
SAMPLE = """\
==PROF== Connected to process 4242 (/usr/bin/python3.12)
==PROF== Profiling "nvjet_hsh_192x192_64x4_2x1_v_..." - 0: 0%....50%....100% - 9 passes
==PROF== Disconnected from process 4242
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","dram__bytes_read.sum","dram__bytes_write.sum","dram__throughput.avg.pct_of_peak_sustained_elapsed","gpu__time_duration.sum","lts__throughput.avg.pct_of_peak_sustained_elapsed","sm__cycles_elapsed.avg.per_second","sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed","sm__warps_active.avg.pct_of_peak_sustained_active","smsp__average_warp_latency_per_inst_issued.ratio","smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio","smsp__average_warps_issue_stalled_gmma_per_issue_active.ratio","smsp__average_warps_issue_stalled_long_scoreboard_not_issued_per_issue_active.ratio","smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio","smsp__average_warps_issue_stalled_selected_per_issue_active.ratio","smsp__average_warps_issue_stalled_wait_per_issue_active.ratio"
"","","","","","","","","","","","byte","byte","%","ns","%","hz","%","%","inst","inst","inst","inst","inst","inst","inst"
"0","4242","python3.12","127.0.0.1","nvjet_hsh_192x192_64x4_2x1_v_bz_coopA_NNT_and_something_longer(Params)","1","7","(384, 1, 1)","(132, 1, 1)","0","9.0","176,160,768","1,024,000","81.25","42,500","40.50","1,755,000,000.12","61.5","18.75","20.1","1.0","5.0","9.0","2.0","1.0","2.0"
"1","4242","python3.12","127.0.0.1","reduce<float, 2>(float *)","1","7","(128, 1, 1)","(64, 1, 1)","0","9.0","2,048","n/a","1.5","1,200","2.0","1,700,000,000","n/a","12.5","8.0","0","0","0","0","1.0","0"
"""

NCU = """\
#!{python}
import json, pathlib, subprocess, sys, time
arguments = sys.argv[1:]
here = pathlib.Path(__file__).parent
with open(here / "calls", "a") as calls:
    calls.write(json.dumps(arguments) + "\\n")
behaviour = json.loads((here / "behaviour").read_text())
log = pathlib.Path(arguments[arguments.index("--log-file") + 1])
asked = arguments[arguments.index("--metrics") + 1].split(",")
for name in asked:
    if name in behaviour.get("unknown", []):
        name = name.replace(".", "\\\\.")
        log.write_text("==PROF== Connected to process 1\\n==ERROR== Failed to "
                       "find metric regex:^" + name + "$\\n")
        sys.exit(1)
if "hang" in behaviour:
    subprocess.run([sys.executable, "-c", "import time; time.sleep(60)"])
log.write_text(behaviour.get("log", ""))
print(behaviour.get("output", "the program's own"))
sys.exit(behaviour.get("status", 0))
"""


class ParseTest(unittest.TestCase):
    def test_kernels(self):
        first, second = nsight.parse(SAMPLE)
        self.assertEqual(first["grid"], "(132, 1, 1)")
        for name, value in (
            ("time_us", 42.5),
            ("sm_ghz", 1.755),
            ("dram_read_mb", 176.160768),
            ("dram_written_mb", 1.024),
            ("dram_percent", 81.25),
            ("l2_percent", 40.5),
            ("tensor_percent", 61.5),
            ("occupancy_percent", 18.75),
        ):
            self.assertAlmostEqual(first[name], value, places=5)
        # Shares, without warps that issue, nor what counts twice.
        self.assertEqual(
            first["stalls"],
            {"gmma": 0.5, "long_scoreboard": 0.2, "wait": 0.2, "barrier": 0.1},
        )
        self.assertEqual(second["kernel"], "reduce<float, 2>(float *)")
        self.assertIsNone(second["tensor_percent"])
        self.assertIsNone(second["dram_written_mb"])
        self.assertEqual(second["stalls"], {})

    def test_other_versions_have_other_names_and_units(self):
        text = SAMPLE
        for old, new in (
            ('"ns"', '"usecond"'),
            ('"hz"', '"cycle/nsecond"'),
            ("dram__bytes_read", "other"),
            ("dram__bytes_write", "dram__bytes_op_write"),
            ("smsp__average_warps_issue_stalled_gmma", "smsp__x"),
            ("_per_issue_active.ratio", ".ratio"),
            ("warps_issue_stalled", "warp_latency_issue_stalled"),
        ):
            text = text.replace(old, new)
        first, _ = nsight.parse(text)
        self.assertEqual(first["time_us"], 42500)
        self.assertIsNone(first["dram_read_mb"])
        self.assertAlmostEqual(first["dram_written_mb"], 1.024)
        self.assertEqual(
            first["stalls"],
            {"long_scoreboard": 0.4, "wait": 0.4, "barrier": 0.2},
        )

    def test_unknown_units_are_named(self):
        with self.assertRaisesRegex(
            nsight.NoResult, "gpu__time_duration.sum in 'fortnight'"
        ):
            nsight.parse(SAMPLE.replace('"ns"', '"fortnight"'))

    def test_no_kernels(self):
        header = "\n".join(SAMPLE.splitlines()[:5])
        for text in ("", "==WARNING== No kernels were profiled.\n", header):
            with self.assertRaisesRegex(nsight.NoResult, "no kernel ran"):
                nsight.parse(text)


class ProfileTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.ncu = self.folder / "ncu"
        self.ncu.write_text(NCU.format(python=sys.executable))
        self.ncu.chmod(0o755)
        self.program = self.folder / "build" / "bin" / "grout-run"
        self.program.parent.mkdir(parents=True)
        self.program.touch()
        manifest.save(
            self.folder,
            "Test",
            [
                (
                    Gemm("g", "f16", m, 128, 256),
                    {
                        "auto": {"artifact": f"{m}.grout"},
                        "pdl": {"refused": "error: no pdl\nmore"},
                    },
                )
                for m in (64, 128)
            ],
        )
        self.behave(log=SAMPLE)

    def behave(self, **behaviour):
        (self.folder / "behaviour").write_text(json.dumps(behaviour))

    def profile(self, *arguments):
        """Exit status, standard output, standard error and calls of ncu."""
        out, err = io.StringIO(), io.StringIO()
        calls = self.folder / "calls"
        calls.unlink(missing_ok=True)
        command = [
            "bench.py",
            "profile",
            "--out",
            self.folder,
            "--build",
            self.folder / "build",
            "--ncu",
            self.ncu,
            *arguments,
        ]
        with (
            mock.patch.object(sys, "argv", list(map(str, command))),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            status = bench.main()
        return (
            status,
            out.getvalue(),
            err.getvalue(),
            [json.loads(line) for line in calls.read_text().splitlines()]
            if calls.exists()
            else [],
        )

    def test_artifacts_and_peers(self):
        results = self.folder / "deep" / "r.json"
        status, out, err, calls = self.profile(
            "--filter=m64$", "--json", results
        )
        self.assertEqual((status, err), (0, ""))
        self.assertIn("[1/2] g-m64 cublas: 2 kernels, 43.7 us", out)
        self.assertIn(
            "| g-m64 | auto | "
            "`nvjet_hsh_192x192_64x4_2x1_v_bz_coopA_NNT_and...` | 42.50 | 1.76 | 177.2 | 81.2 | 40.5 | 61.5 | 18.8 | "
            "gmma 50%, long_scoreboard 20%, wait 20% |",
            out,
        )
        self.assertIn(
            "| g-m64 | cublas | `reduce<float, 2>` | 1.20 | 1.70 | - "
            "| 1.5 | 2.0 | - | 12.5 | - |",
            out,
        )
        # Only the call that the peer marks, and all that grout-run does.
        peer, ours = calls
        self.assertEqual(
            peer[-3:-1],
            [
                json.dumps(
                    {
                        "kind": "gemm",
                        "name": "g",
                        "dtype": "f16",
                        "M": 64,
                        "N": 128,
                        "K": 256,
                    }
                ),
                "cublas",
            ],
        )
        self.assertEqual(
            ours[-3:],
            [str(self.program), str(self.folder / "64.grout"), "--device=cuda"],
        )
        for call, start in ((peer, "off"), (ours, "on")):
            for option, value in (
                ("--profile-from-start", start),
                ("--cache-control", "all"),
                ("--clock-control", "none"),
            ):
                self.assertEqual(call[call.index(option) + 1], value)
        rows = json.loads(results.read_text())["rows"]
        self.assertEqual(
            [
                (row["variant"], row["group"], len(row["kernels"]))
                for row in rows
            ],
            [("cublas", "peer", 2), ("auto", "grout", 2)],
        )

    def test_warm(self):
        *_, calls = self.profile("--warm", "--peers=", "--filter=m64$")
        self.assertEqual(
            calls[0][calls[0].index("--cache-control") + 1], "none"
        )

    def test_what_is_refused_or_fails_is_named(self):
        status, out, err, calls = self.profile(
            "--variants=pdl,auto", "--peers="
        )
        self.assertEqual(status, 1)
        self.assertEqual(
            err,
            "failed: g-m64 pdl: refused: error: no pdl\n"
            "failed: g-m128 pdl: refused: error: no pdl\n",
        )
        self.assertIn("| g-m128 | auto |", out)
        self.assertEqual(len(calls), 2)
        for behaviour, message in (
            (
                {"status": 3, "output": "grout-run: error: no GPU"},
                "exit status 3: grout-run: error: no GPU",
            ),
            (
                {
                    "log": "==ERROR== The application returned an error code "
                    "(11).\n",
                    "status": 1,
                },
                "The application returned an error",
            ),
            ({}, "no kernel ran"),
            ({"hang": True}, "did not end within"),
        ):
            self.behave(**behaviour)
            limit = 1 if "hang" in behaviour else 60
            status, out, err, _ = self.profile(
                "--peers=", "--filter=m64$", f"--timeout-seconds={limit}"
            )
            self.assertEqual(status, 1)
            self.assertIn(f"failed: g-m64 auto: {message}", err)
            self.assertNotIn("| case |", out)

    def test_metrics_that_a_version_lacks_are_left_out(self):
        unknown = [
            "dram__bytes_op_read.sum",
            "sm__pipe_tensor_op_gmma_cycles_"
            "active.avg.pct_of_peak_sustained_elapsed",
        ]
        self.behave(unknown=unknown, log=SAMPLE)
        status, _, err, calls = self.profile("--peers=")
        self.assertEqual((status, err), (0, ""))
        asked = [call[call.index("--metrics") + 1] for call in calls]
        # Found out once: the second case knows.
        self.assertEqual(
            [sum(name in text for name in unknown) for text in asked],
            [2, 1, 0, 0],
        )
        self.assertTrue(all("dram__bytes_read.sum" in text for text in asked))

    def test_an_ncu_that_knows_nothing(self):
        self.behave(
            unknown=[
                name for names, _ in nsight.FIGURES.values() for name in names
            ]
        )
        status, _, err, _ = self.profile("--peers=")
        self.assertEqual(status, 1)
        self.assertIn("knows none of the metrics", err)

    def test_counters_that_are_not_allowed(self):
        self.behave(
            log="==ERROR== ERR_NVGPUCTRPERM - The user does not have "
            "permission to access NVIDIA GPU Performance Counters on "
            "the target device 0.\n",
            status=1,
        )
        status, _, err, calls = self.profile()
        self.assertEqual(status, 1)
        self.assertIn("(ERR_NVGPUCTRPERM): run as root", err)
        self.assertEqual(len(calls), 1)

    def test_mistakes(self):
        status, _, err, _ = self.profile("--variants=fast")
        self.assertEqual(status, 1)
        self.assertIn("g-m64 has no variant fast; it has auto, pdl", err)
        self.program.unlink()
        status, _, err, _ = self.profile("--peers=")
        self.assertIn("grout-run; --build says where Grout is", err)
        self.ncu.unlink()
        status, _, err, _ = self.profile()
        self.assertIn("there is no program", err)

    def test_missing_ncu(self):
        with mock.patch.dict("os.environ", {"PATH": str(self.folder)}):
            self.assertEqual(nsight.find(), str(self.ncu))
            self.ncu.unlink()
            with (
                mock.patch.object(nsight, "TOOLKIT", str(self.folder)),
                self.assertRaisesRegex(UserError, "there is no ncu"),
            ):
                nsight.find()


class CallPeerTest(unittest.TestCase):
    def test_marks_one_call_of_several(self):
        device, marks = Device(), []
        device.torch.cuda = types.SimpleNamespace(
            profiler=types.SimpleNamespace(
                start=lambda: marks.append(device.now_us),
                stop=lambda: marks.append(device.now_us),
            )
        )
        for name in ("cublas", "torch.compile"):
            marks.clear()
            with contextlib.redirect_stdout(io.StringIO()):
                call_peer.call(device, Gemm("g", "f16", 64, 128, 256), name)
            # 10 us a call.
            self.assertEqual(marks[1] - marks[0], 10)

    def test_peers_of_a_case(self):
        mlp = Mlp("m", "f16", 64, 128, 256, "gelu_tanh", False)
        from peers import ALL, names_of

        self.assertEqual(
            names_of(mlp, ALL), ["cublas", "cublas-fused", "torch.compile"]
        )
        self.assertEqual(
            names_of(Gemm("g", "f16", 64, 128, 256), ALL),
            ["cublas", "torch.compile"],
        )


if __name__ == "__main__":
    unittest.main()
