"""Programs of LLVM, and code for this machine."""

import ctypes
import pathlib
import re
import subprocess

import numpy as np
from operators import upstream

_SOURCES = [
    pathlib.Path(__file__).with_name(name)
    for name in ("threads.c", "launches.c", "ranks.c", "hopper.c", "numbers.c")
]
_SECONDS = 120


# Of buffers. Vectors of threads have 16 bytes.
_ALIGNMENT = 16


class Launch(ctypes.Structure):
    """As in threads.h."""

    _fields_ = [
        ("kernel", ctypes.c_void_p),
        ("arguments", ctypes.c_void_p),
        ("blocks", ctypes.c_uint32),
        ("threads", ctypes.c_uint32),
        ("shared", ctypes.c_uint32),
    ]

    @staticmethod
    def of(launch, library, arguments):
        """A launch of a plan, whose kernel is in `library`. `arguments` are
        addresses and numbers."""
        places = (ctypes.c_void_p * len(arguments))(*arguments)
        kernel = library[f"{launch.kernel}.launch"]
        made = Launch(
            ctypes.cast(kernel, ctypes.c_void_p),
            ctypes.cast(places, ctypes.c_void_p),
            launch.blocks,
            launch.threads,
            launch.shared,
        )
        made.places = places  # Lives as long as the launch.
        return made


class Refused(Exception):
    """What Grout does not support, as it says."""


class ToolError(Exception):
    """What a program must not do: crash, or end without a diagnostic."""


class Tools:
    """Grout's programs, in the folder `grout`, and LLVM's, in `llvm` or on the
    PATH. `folder` is for what all programs share."""

    def __init__(self, grout, llvm, folder):
        self.llvm = upstream.Tools(llvm)
        self.compiler = pathlib.Path(grout) / "grout-compile"
        self.runner = pathlib.Path(grout) / "grout-run"
        self.support = pathlib.Path(folder) / "support.so"
        self.link(_SOURCES, self.support)

    def link(self, sources, output, *options):
        """A shared object. Multiplications and additions stay two operations,
        unless the IR lets them be one."""
        call(
            [
                self.llvm.clang,
                "-O1",
                "-march=native",
                "-ffp-contract=off",
                "-shared",
                "-fPIC",
                "-Wno-override-module",
                *options,
                *sources,
                "-o",
                output,
                f"-Wl,-rpath,{self.support.parent}",
                "-lm",
            ]
        )


def load(tools):
    """The support library, in this process."""
    support = ctypes.CDLL(str(tools.support))
    support.emulated_allocate.restype = ctypes.c_void_p
    for name in ("emulated_launch", "emulated_ranks"):
        getattr(support, name).restype = ctypes.c_char_p
    return support


def allocate(support, size):
    """Bytes 0xFF, as many as vectors with `size` bytes have."""
    address = support.emulated_allocate(
        ctypes.c_size_t(size), ctypes.c_size_t(_ALIGNMENT)
    )
    padded = -(-size // _ALIGNMENT) * _ALIGNMENT
    return np.frombuffer(
        (ctypes.c_char * padded).from_address(address), np.uint8
    )


def call(command, may_refuse=False):
    """What it prints. A Refused if it may, and reports an error."""
    name = pathlib.Path(command[0]).name
    try:
        done = subprocess.run(
            list(map(str, command)),
            capture_output=True,
            text=True,
            timeout=_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise ToolError(f"{name} took more than {_SECONDS} s") from None
    if not done.returncode:
        return done.stdout
    reported = re.search(r"error: (.*)", done.stderr)
    if may_refuse and done.returncode == 1 and reported:
        raise Refused(reported[1])
    lines = done.stderr.strip().splitlines() or ["nothing reported"]
    raise ToolError(f"{name}: status {done.returncode}, {lines[0]}")
