"""Full disks: nothing is said to be written that is not there."""

from attack.attack import Attack
from attack.attacks.artifacts import SOURCE, SOURCES, compile_source
from attack.outcome import Finding, Verdict, classify
from attack.process import finish, start

_OUT, _TIMELINE, _ARRAY = "out.grout", "out.svg", "y.npy"
# Each writes to files of at most so many bytes.
_COMPILES = (
    ["--target=cpu"],
    ["--target=h200", "--no-reference"],
    ["--target=h200", "--mode=serial"],
    ["--target=cpu", f"--timeline={_TIMELINE}"],
    ["--target=cpu", "--emit=asm"],
    ["--target=h200", "--emit=ptx"],
)
# Each writes to a standard output that is full.
_PRINTS = (
    ["grout-opt", SOURCE],
    ["grout-opt", "--version"],
    ["grout-opt", SOURCE, "--grout-pipeline=target=cpu"],
    ["grout-compile", SOURCE, "--target=cpu", "--emit=mlir"],
    ["grout-compile", SOURCE, "--target=cpu", "--emit=llvm"],
    ["grout-compile", SOURCE, "--target=cpu", "--explain", "-o", _OUT],
    ["grout-compile", SOURCE, "--target=cpu", "-o", "-"],
    ["grout-compile", SOURCE, "--target=h200", "--list-tilings=3"],
    ["grout-compile", "--help"],
    ["grout-compile", "--version"],
    ["grout-run", _OUT],
    ["grout-run", _OUT, "--info"],
    ["grout-run", _OUT, "--check"],
    ["grout-run", "--help"],
    ["grout-run", _OUT, "--time"],
)
# Each is told to write where there is no place.
_FULL_FILES = (
    ["grout-compile", SOURCE, "--target=cpu", "-o", "/dev/full"],
    ["grout-compile", SOURCE, "--target=h200", "-o", "/dev/full"],
    ["grout-compile", SOURCE, "--target=cpu", "--emit=mlir", "-o", "/dev/full"],
    [
        "grout-compile",
        SOURCE,
        "--target=cpu",
        "-o",
        _OUT,
        "--timeline=/dev/full",
    ],
    ["grout-opt", SOURCE, "-o", "/dev/full"],
    ["grout-run", _OUT, "--output", "result0=/dev/full"],
)


class Disks(Attack):
    name = "disks"
    needs = ("grout-opt", "grout-compile", "grout-run")
    each = 3

    def run(self, case):
        chance = case.random()
        (case.folder / "tmp").mkdir()
        compile_source(case, ["--target=cpu"], _OUT)
        before = snapshot(case.folder)
        match chance.randrange(3):
            case 0:
                return self._print(case, chance.choice(_PRINTS))
            case 1:
                command = chance.choice(_FULL_FILES)
                done = self._call(case, command)
                return self._judge(case, command, done, before)
            case _:
                return self._limit(case, chance, before)

    @staticmethod
    def _call(case, command, **options):
        command = list(command)
        process_limits = options.pop("limits", case.tools.limits)
        process = start(
            [case.tools.path(command[0]), *command[1:]],
            process_limits,
            case.folder,
            environment={"TMPDIR": str(case.folder / "tmp")},
            **options,
        )
        return finish(process, command, process_limits)

    def _print(self, case, command):
        before = snapshot(case.folder)
        with open("/dev/full", "w") as full:
            done = self._call(case, command, stdout=full)
        return self._judge(case, [*command, "> /dev/full"], done, before)

    def _limit(self, case, chance, before):
        command = [
            "grout-compile",
            SOURCE,
            *chance.choice(_COMPILES),
            "-o",
            _OUT,
        ]
        size = chance.choice([0, 1, 100, 4096, chance.randrange(30000)])
        limits = case.tools.limits.with_file(size)
        done = self._call(case, command, limits=limits)
        shown = [f"ulimit -f {size} bytes;", *command]
        if done.status == 0:
            # It may have been enough.
            return self._check_written(case, shown, size)
        return self._judge(case, shown, done, before)

    def _check_written(self, case, command, size):
        written = (case.folder / _OUT).read_bytes()
        if not written or len(written) > size:
            return [
                self._finding(
                    case,
                    Verdict.LOST,
                    command,
                    "succeeds without place for its output",
                )
            ]
        if any(word.startswith("--emit") for word in command):
            return []
        info = self._call(case, ["grout-run", _OUT, "--info"])
        if info.status:
            return [
                self._finding(
                    case,
                    Verdict.INVALID,
                    command,
                    "an artifact that is cut",
                    info,
                )
            ]
        return []

    def _judge(self, case, command, done, before):
        """Of what must have failed, and have left everything as it was."""
        verdict, reason = classify(done)
        case.notes[verdict.value] += 1
        found = []
        if verdict == Verdict.OK:
            found.append(
                self._finding(
                    case,
                    Verdict.LOST,
                    command,
                    "succeeds, but its output is lost",
                    done,
                )
            )
        elif not verdict.is_fine:
            found.append(self._finding(case, verdict, command, reason, done))
        after = snapshot(case.folder)
        # What comes before the fault may have been written whole.
        changed = sorted(
            {
                "tmp/..." if name.startswith("tmp/") else name
                for name in after
                if after[name] != before.get(name)
                and not self._is_whole(case, name)
            }
        )
        if changed:
            found.append(
                self._finding(
                    case,
                    Verdict.LEFTOVERS,
                    command,
                    "leaves files behind: " + ", ".join(changed),
                    done,
                )
            )
        return found

    def _is_whole(self, case, name):
        if name == _TIMELINE:
            return (
                (case.folder / name).read_bytes().rstrip().endswith(b"</svg>")
            )
        return (
            name == _OUT
            and self._call(case, ["grout-run", name, "--info"]).status == 0
        )

    @staticmethod
    def _finding(case, verdict, command, reason, done=None):
        return Finding(
            verdict,
            command,
            reason,
            {SOURCE: SOURCES.encode()},
            done.output if done else "",
            f"{' '.join(command)}: {reason}"
            if "ulimit" not in command[0]
            else f"{' '.join(command[1:])}: {reason}",
        )


def snapshot(folder):
    """{name: contents} of all files."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
