"""Interrupts grout-compile while its linker runs: no file must stay.

usage: interrupted.py GROUT-COMPILE INPUT.mlir FOLDER
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
SECONDS = 60


def make_linker(folder):
    """A linker that says that it runs, and does not end."""
    folder.mkdir(parents=True)
    linker = folder / "ld.lld-22"
    linker.write_text(f"#!/bin/sh\n: > {folder}/running\nexec sleep {SECONDS}\n")
    linker.chmod(0o755)
    return folder / "running"


def wait_for(path, process):
    end = time.monotonic() + SECONDS
    while not path.exists():
        if process.poll() is not None or time.monotonic() > end:
            sys.exit("grout-compile came to no linker")
        time.sleep(0.01)


def interrupt(number, compiler, source, folder):
    shutil.rmtree(folder, ignore_errors=True)
    running = make_linker(folder / "bin")
    temporary = folder / "temporary"
    temporary.mkdir()
    output = folder / "out.grout"
    environment = dict(os.environ, TMPDIR=str(temporary),
                       PATH=f"{folder / 'bin'}:{os.environ['PATH']}")
    # The linker is in the session, too, and ends with it.
    process = subprocess.Popen(
        [compiler, source, "--target=cpu", "-o", output], env=environment,
        stderr=subprocess.DEVNULL, start_new_session=True,
        # Whoever runs this may ignore it, which is inherited.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    try:
        wait_for(running, process)
        process.send_signal(number)
        status = process.wait(SECONDS)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
    if status == 0:
        sys.exit(f"{number.name} is success")
    left = [*temporary.iterdir(), *folder.glob("out*")]
    if left:
        sys.exit(f"{number.name} leaves {left}")


def main():
    compiler, source, folder = sys.argv[1:]
    for number in SIGNALS:
        interrupt(number, compiler, source, pathlib.Path(folder))


if __name__ == "__main__":
    main()
