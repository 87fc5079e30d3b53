"""grout-compile, ended at any time: what was there is still there, or what is
new is whole; and no temporary files are left but by who can't remove them."""

import signal
import time

from attack import corpus
from attack.attack import Attack
from attack.attacks.artifacts import compile_source
from attack.attacks.disks import snapshot
from attack.outcome import Finding, Verdict
from attack.process import end, finish, start

_OUT = "out.grout"
_INPUTS = (
    "examples/gpt3_mlp.mlir",
    "examples/attention_like.mlir",
    "examples/two_products.mlir",
    "examples/gpt3_mlp_tiny.mlir",
)
_TARGETS = ("--target=cpu", "--target=h200")
# Whoever gets the last one can't remove anything.
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)
_LONGEST = 0.5
# What grout-compile runs ends with it, but not in the same moment.
_PATIENCE = 1


class Interrupts(Attack):
    name = "interrupts"
    needs = ("grout-compile", "grout-run")
    each = 2

    def run(self, case):
        chance = case.random()
        (case.folder / "tmp").mkdir()
        source = chance.choice(_INPUTS)
        if chance.random() < 0.5:
            compile_source(case, ["--target=cpu"], _OUT)
        before = snapshot(case.folder)
        command = [
            "grout-compile",
            str(corpus.ROOT / source),
            chance.choice(_TARGETS),
            "-o",
            _OUT,
        ]
        number = chance.choice(_SIGNALS)
        seconds = chance.random() * _LONGEST
        process = start(
            [case.tools.path(command[0]), *command[1:]],
            case.tools.limits,
            case.folder,
            environment={"TMPDIR": str(case.folder / "tmp")},
        )
        time.sleep(seconds)
        process.send_signal(number)
        done = finish(process, command, case.tools.limits)
        if number != signal.SIGKILL:
            wait_until_tidy(case.folder, before)
        end(process)
        case.notes[
            "ended" if done.status == -number else f"status {done.status}"
        ] += 1
        shown = [*command, f"# signal {number.name} after {seconds:.3f} s"]
        return self._judge(case, shown, done, number, before)

    def _judge(self, case, command, done, number, before):
        def finding(verdict, reason):
            return Finding(
                verdict,
                command,
                reason,
                {},
                done.output,
                f"{number.name}: {reason}",
            )

        found = []
        if done.status not in (0, 1, -number, 128 + number):
            found.append(
                finding(Verdict.CRASH, f"ended with status {done.status}")
            )
        after = snapshot(case.folder)
        left = find_left(case.folder, before)
        if left and number != signal.SIGKILL:
            found.append(
                finding(
                    Verdict.LEFTOVERS,
                    "leaves " + ", ".join(kind(name) for name in left),
                )
            )
        if _OUT in before and _OUT not in after:
            found.append(finding(Verdict.LOST, "what was there is gone"))
        elif after.get(_OUT) != before.get(_OUT):
            info = case.tools.run(
                "grout-run", _OUT, "--info", folder=case.folder
            )
            if info.status:
                found.append(
                    finding(Verdict.INVALID, "what is there is no artifact")
                )
        return found


def find_left(folder, before):
    names = [
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file()
    ]
    return [name for name in names if name not in before and name != _OUT]


def wait_until_tidy(folder, before):
    end = time.monotonic() + _PATIENCE
    while find_left(folder, before) and time.monotonic() < end:
        time.sleep(0.02)


def kind(name):
    """A temporary file's name without what is random in it."""
    folder, _, rest = name.rpartition("/")
    return f"{folder}/*.{rest.rpartition('.')[2]}" if folder else "*"
