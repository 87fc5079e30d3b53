"""What a call of a tool came to."""

import dataclasses
import enum
import re
import signal


class Verdict(enum.Enum):
    """The first three are as it should be, or not ours to change."""

    OK = "ok"
    REFUSED = "refused"
    UPSTREAM = "upstream"  # MLIR's own parser or printer crashed.
    CRASH = "crash"
    HANG = "hang"
    HOG = "hog"  # Of memory.
    SILENT = "silent"  # It failed, and did not say why.
    VAGUE = "vague"  # It said why, but not where.
    INTERNAL = "internal"  # It said what only its authors understand.
    INVALID = "invalid"  # It succeeded, but what it wrote is not valid.
    WRONG = "wrong"
    LOST = "lost"  # It succeeded, or was ended, and something is lost.
    LEFTOVERS = "leftovers"  # It left files behind.

    @property
    def is_fine(self):
        return self in (Verdict.OK, Verdict.REFUSED, Verdict.UPSTREAM)


@dataclasses.dataclass(frozen=True)
class Finding:
    """What should not have happened. Those with one signature are one defect,
    as far as one can tell."""

    verdict: Verdict
    command: list  # Its files are names in `files`.
    reason: str
    files: dict  # {name: bytes} of its input
    output: str = ""
    signature: str = ""

    @property
    def key(self):
        return f"{self.verdict.value}: {self.signature or self.reason}"


_CRASHES = re.compile(
    r"LLVM ERROR: .*|UNREACHABLE executed.*|Assertion .*|Traceback \(most.*"
    r"|PLEASE submit a bug report|Stack dump:|terminate called.*"
    r"|\w+Sanitizer: \S+ \S*|.*: runtime error: .*|Segmentation fault"
)
_PARSES = re.compile(r"mlir::(parse|detail::Parser|\w+::\w+::parse)")
_PRINTS = re.compile(r"mlir::(print|\w+::\w+::print)")
_MEMORY = re.compile(
    r"out of memory|bad_alloc|MemoryError|"
    r"buffer allocation failed",
    re.I,
)
# How LLVM's streams end a program whose output can't be written. It is said, and
# the program fails.
_FULL = "LLVM ERROR: IO failure on output stream"
# What the checks of IR report between passes, and passes that did not expect
# it. The program is at fault only if these are found before any pass.
_INTERNAL = re.compile(
    r"failed to legalize operation|does not dominate|"
    r"LLVM Translation failed|failed to translate|missing '?LLVMTranslation|"
    r"no conversion from|ptxas (fatal|error)|redefinition of symbol named"
)
# In a file, or among the options.
_LOCATED = re.compile(
    r"^.+?:\d+:\d+: (?:error|warning): |"
    r"error: .*(?<![\w-])-{1,2}\w|"
    r"Unknown command line argument|"
    r"for the --[\w-]+ option: ",
    re.M,
)
# LLVM's parser of command lines does not say "error".
_ERROR = re.compile(
    r"^.*(?:\berror: |: for the --[\w-]+ option: ).*", re.M | re.I
)


def classify(done, located=False):
    """(Verdict, reason) of a call that may refuse its input. If `located`, it
    must also say where its input is at fault."""
    if done.timed_out or done.status == -signal.SIGXCPU:
        return Verdict.HANG, f"took more than {done.limits.seconds:g} s"
    if done.status == 1 and done.stderr.startswith(_FULL):
        return Verdict.REFUSED, done.stderr.strip()
    crashed = _CRASHES.search(done.stderr)
    if done.status < 0 or done.status >= 128 or crashed:
        if _MEMORY.search(done.stderr) or done.status == -signal.SIGKILL:
            return (
                Verdict.UPSTREAM if is_upstream(done.stderr) else Verdict.HOG,
                "takes too much memory",
            )
        return (
            Verdict.UPSTREAM if is_upstream(done.stderr) else Verdict.CRASH,
            describe_crash(done.stderr) or f"ended with status {done.status}",
        )
    if done.status == 0:
        return Verdict.OK, ""
    error = _ERROR.search(done.stderr)
    if not error:
        return Verdict.SILENT, f"status {done.status} without an error"
    inside = _INTERNAL.search(done.stderr)
    if inside:
        return Verdict.INTERNAL, generalise(error[0])
    if located and not _LOCATED.search(done.stderr):
        return Verdict.VAGUE, generalise(error[0])
    return Verdict.REFUSED, error[0]


def frames(stderr):
    """(function with a name, whether it is Grout's), the innermost first, below
    what prints them."""
    lines = stderr.replace("(anonymous namespace)", "{}")
    found = re.findall(
        r"^ *#\d+ 0x\w+ (?:in )?([A-Za-z_{][^\n]*) "
        r"(\(/\S*|\S+:\d+:\d+)",
        lines,
        re.M,
    )
    return [
        (
            re.sub(r"\(.*|\[abi.*", "", name),
            not place.startswith("./") and "/lib" not in place,
        )
        for name, place in found
        if not name.startswith("llvm::sys::")
    ]


def is_upstream(stderr):
    """Whether a crash is one of MLIR's parser, in no code of Grout's that it
    calls, or of its printer, where no code of Grout's has run."""
    found = [
        (name, ours)
        for name, ours in frames(stderr)
        if name not in ("main", "_start")
    ]
    if any(_PRINTS.match(name) for name, _ in found):
        return not any(ours for _, ours in found)
    is_ours = (ours for name, ours in found if ours or _PARSES.match(name))
    return not next(is_ours, True)


def describe_crash(stderr):
    """What failed, and where: the innermost function, and the innermost of
    Grout's."""
    what = _CRASHES.search(stderr)
    parts = []
    if what and not what[0].startswith(("PLEASE", "Stack dump")):
        parts.append(generalise(what[0]))
    found = frames(stderr)
    ours = [name for name, is_ours in found if is_ours]
    innermost = [name for name, _ in found[:1]]
    parts += [f"in {name}" for name in dict.fromkeys(innermost + ours[:1])]
    if "Traceback" in stderr:
        parts.append(generalise(stderr.strip().splitlines()[-1]))
    return ", ".join(parts)


def generalise(text):
    """Without what differs from case to case."""
    text = re.sub(r"(/\S+|\S+:\d+:\d+:)", "", text)
    text = re.sub(r"'[^']*'|\"[^\"]*\"", "'...'", text)
    return re.sub(r"-?\d+", "N", text).strip()[:200]


def is_signalled(status, number):
    return status in (-number, 128 + number)


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
