"""damage.py FOLDER INPUT BUILD: damages good.db and good.jsonl of the folder in
one way after the other. grout-tune and grout-compile must refuse each with a
message that names the file, and leave the file as it is."""

import pathlib
import subprocess
import sys

folder, source, build = map(pathlib.Path, sys.argv[1:4])
database = (folder / "good.db").read_bytes()
lines = (folder / "good.jsonl").read_bytes()
PAGE = 4096


def replace(old, new):
    assert old in database, old
    return database.replace(old, new, 1)


# Of a database, without a place in it; of JSON lines, with the line.
DATABASES = {
    "magic": b"\0" + database[1:],
    "cut": database[: len(database) // 2],
    "cut in its header": database[:50],
    "header": database[:16] + b"\xff" * 84 + database[100:],
    "garbage": database[:PAGE] + bytes(range(256)) * (len(database) // 256),
    "zeros": database[:PAGE] + bytes(len(database) - PAGE),
    "tables": replace(b"UNIQUE (shape", b"UNIQUE (shaqe"),
    "key": replace(b"16x32x24", b"17x32x24"),
    "time": replace(b"7.125", b"1.125"),
    "version": database[:63] + b"\2" + database[64:],
}
LINES = {
    "deep nesting": lines + b"[" * 10**6,
    "deep nesting of objects": lines + b'{"a":' * 10**6,
    "no UTF-8": lines + b'{"version": "\xff"}',
    "NUL": lines + b"\0",
    "cut": lines + lines[:50],
    "types": lines + lines.replace(b'"product"', b"[]"),
    "numbers": lines + lines.replace(b"7.125", b"1e999"),
}


def refuse(path, place, *command):
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    if (
        done.returncode != 1
        or "error: " not in done.stderr
        or place not in done.stderr
        or "Traceback" in done.stderr
    ):
        sys.exit(
            f"{path}: {command} ends with {done.returncode}: "
            f"{done.stdout}{done.stderr}"
        )


def check(name, content, suffix, place):
    path = folder / (name.replace(" ", "-") + suffix)
    path.write_bytes(content)
    place = f"{path}{place}"
    tune = [sys.executable, build / "bin" / "grout-tune"]
    refuse(path, place, *tune, "check", path)
    refuse(path, place, *tune, "import", folder / "new.db", path)
    refuse(
        path,
        place,
        build / "bin" / "grout-compile",
        source,
        "--target=h200",
        f"--tuning={path}",
        "-o",
        folder / "new.grout",
    )
    assert path.read_bytes() == content, path
    for new in ("new.db", "new.grout"):
        assert not (folder / new).exists(), new


for kind, damaged in DATABASES.items():
    check(kind, damaged, ".db", "")
for kind, damaged in LINES.items():
    check(kind, damaged, ".jsonl", ":3:")
print(len(DATABASES) + len(LINES), "kinds of damage were refused")
