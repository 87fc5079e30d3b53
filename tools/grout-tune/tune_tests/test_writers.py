"""Several writers, killed writers, and full disks: the database has all
additions that were reported, and is whole."""

import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from tuning import json_lines
from tuning.database import Database

from tune_tests.support import LINE

TOOL = pathlib.Path(__file__).parents[1] / "grout-tune"

# Adds four lines at a time, with keys that begin with the writer's name, and
# prints the key after each addition.
WRITER = """\
import json, pathlib, sys
from tuning import command, database
path, name, count, line = sys.argv[1:]
opened = database.Database(pathlib.Path(path))
for number in range(int(count)):
    lines = [{**json.loads(line), "key": f"{name}.{number}",
              "tilings": [str(tiling)]} for tiling in range(4)]
    try:
        opened.add(lines)
    except Exception as error:
        command.complain(error)
        sys.exit(1)
    print(f"{name}.{number}", flush=True)
"""


def begin_writer(path, name, count, prefix=(), **options):
    return subprocess.Popen(
        [
            *prefix,
            sys.executable,
            "-c",
            WRITER,
            path,
            name,
            str(count),
            json.dumps(LINE),
        ],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def limit_files():
    """Limits files to 64 KiB, as a full disk would."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))


class WritersTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = self.folder / "tuning.db"

    def keys(self):
        """Returns the keys in the database, each of which must have four
        lines."""
        opened = Database(self.path)
        for case in opened.cases():
            self.assertEqual(len(opened.lines(*case)), 4)
        return [key for _, _, key in opened.cases()]

    def test_several_writers(self):
        writers = [begin_writer(self.path, name, 60) for name in "abc"]
        said = []
        for writer in writers:
            out, err = writer.communicate()
            self.assertEqual((writer.returncode, err), (0, ""))
            said += out.split()
        self.assertEqual(len(said), 180)
        self.assertEqual(sorted(self.keys()), sorted(said))

    def test_writers_that_are_killed(self):
        said = []
        for name in "abcd":
            with begin_writer(self.path, name, 10**6) as writer:
                for _ in range(5):
                    said.append(writer.stdout.readline().strip())
                # In the middle of one of the next additions.
                time.sleep(0.003 * (1 + ord(name) % 4))
                writer.send_signal(signal.SIGKILL)
                said += writer.stdout.read().split()
            self.assertEqual(writer.returncode, -signal.SIGKILL)
            self.assertLessEqual(set(said), set(self.keys()))
        self.assertGreaterEqual(len(said), 20)

    def expect_full(self, writer):
        """Checks that the database has exactly the additions that the writer
        reported before it could not add more."""
        out, err = writer.communicate()
        self.assertEqual(writer.returncode, 1)
        self.assertRegex(err, f"^grout-tune: error: .*{self.path}")
        self.assertEqual(self.keys(), out.split())
        self.assertGreater(len(out.split()), 3)

    def test_a_file_that_cannot_grow(self):
        self.expect_full(
            begin_writer(self.path, "a", 10**6, preexec_fn=limit_files)
        )
        # Once there is space again, additions work.
        out, _ = begin_writer(self.path, "b", 1).communicate()
        self.assertIn(out.strip(), self.keys())

    def test_importing_what_does_not_fit(self):
        lines = self.folder / "lines.jsonl"
        json_lines.write(
            lines, [{**LINE, "key": str(number)} for number in range(1000)]
        )
        Database(self.path).add([LINE])
        before = Database(self.path).sorted_lines()
        done = subprocess.run(
            [sys.executable, TOOL, "import", self.path, lines],
            capture_output=True,
            text=True,
            preexec_fn=limit_files,
        )
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, f"^grout-tune: error: .*{self.path}")
        self.assertEqual(Database(self.path).sorted_lines(), before)

    def test_a_full_disk(self):
        disk = self.folder / "disk"
        disk.mkdir()
        mount = f"mount -t tmpfs -o size=256k none {disk}"
        private = ["unshare", "--map-root-user", "--mount"]
        # Only this process sees the disk, and copies the result.
        if subprocess.run(
            [*private, "sh", "-c", mount], capture_output=True
        ).returncode:
            self.skipTest("no disk can be mounted here")
        script = (
            f'{mount} && "$@"; status=$?; '
            f"cp {disk}/tuning.db {self.path}; exit $status"
        )
        writer = begin_writer(
            disk / "tuning.db",
            "a",
            10**6,
            prefix=[*private, "sh", "-c", script, "-"],
        )
        out, err = writer.communicate()
        self.assertEqual(writer.returncode, 1)
        self.assertIn(f"{disk}/tuning.db: database or disk is full", err)
        self.assertEqual(self.keys(), out.split())
        self.assertGreater(len(out.split()), 3)

    def test_a_name_that_is_no_text(self):
        path = self.folder / os.fsdecode(b"\xff.db")
        Database(path).add([LINE])
        done = subprocess.run(
            [sys.executable, TOOL, "check", path], capture_output=True
        )
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertIn(b"udcff.db: 1 measurements", done.stdout)

    def test_nothing_can_be_written(self):
        Database(self.path).add([LINE])
        self.path.chmod(0o444)
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        done = subprocess.run(
            [sys.executable, TOOL, "check", self.path],
            capture_output=True,
            text=True,
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
