"""Interrupts grout-compile while a program of others runs for it: that ends,
too, and no file stays.

usage: interrupted.py GROUT-COMPILE INPUT.mlir FOLDER
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL]
PROGRAMS = {
    "ld.lld-22": ["--target=cpu"],
    "ptxas": ["--target=h200", "--ptxas=FOLDER/ptxas"],
}
SECONDS = 60


def make_program(folder, name):
    """One that says which process it is, and does not end. It gives the file
    that it says that in."""
    folder.mkdir(parents=True)
    running = folder / "running"
    program = folder / name
    program.write_text(
        f"#!/bin/sh\necho $$ > {running}.new\n"
        f"mv {running}.new {running}\nexec sleep {SECONDS}\n"
    )
    program.chmod(0o755)
    return running


def wait_for(path, process):
    end = time.monotonic() + SECONDS
    while not path.exists():
        if process.poll() is not None or time.monotonic() > end:
            sys.exit("grout-compile ran no other program")
        time.sleep(0.01)


def has_ended(number):
    """Whether process `number` has, even if nobody has asked for how."""
    try:
        stat = pathlib.Path(f"/proc/{number}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True
    return stat.rpartition(")")[2].split()[0] in "ZX"


def wait_for_end(number):
    end = time.monotonic() + SECONDS / 2
    while not has_ended(number):
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def interrupt(number, name, compiler, source, folder):
    shutil.rmtree(folder, ignore_errors=True)
    running = make_program(folder / "bin", name)
    temporary = folder / "temporary"
    temporary.mkdir()
    output = folder / "out.grout"
    environment = dict(
        os.environ,
        TMPDIR=str(temporary),
        PATH=f"{folder / 'bin'}:{os.environ['PATH']}",
    )
    options = [
        option.replace("FOLDER", str(folder / "bin"))
        for option in PROGRAMS[name]
    ]
    process = subprocess.Popen(
        [compiler, source, *options, "-o", output],
        env=environment,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        # Whoever runs this may ignore it, which is inherited.
        preexec_fn=lambda: (
            number == signal.SIGKILL or signal.signal(number, signal.SIG_DFL)
        ),
    )
    try:
        wait_for(running, process)
        process.send_signal(number)
        status = process.wait(SECONDS)
        ended = wait_for_end(int(running.read_text()))
    finally:
        # The program is in the session, too.
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    if status == 0:
        sys.exit(f"{number.name} is success")
    if not ended:
        sys.exit(f"{number.name} leaves {name} running")
    left = [*temporary.iterdir(), *folder.glob("out*")]
    if left and number != signal.SIGKILL:
        sys.exit(f"{number.name} leaves {left}")


def main():
    compiler, source, folder = sys.argv[1:]
    for name in PROGRAMS:
        for number in SIGNALS:
            interrupt(number, name, compiler, source, pathlib.Path(folder))


if __name__ == "__main__":
    main()
