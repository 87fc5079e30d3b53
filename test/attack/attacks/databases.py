"""Databases of grout-tune: damaged, of several writers, killed, on full disks.
What was said to be added is there, and nothing is half there."""

import collections
import json
import signal
import time

from hypothesis import strategies

from attack import hypothesis_cases
from attack.attack import Attack
from attack.attacks.artifacts import DAMAGES
from attack.outcome import Finding, Verdict, classify
from attack.process import end, finish, start

_DATABASE, _PROGRAM = "tuning.db", "program.mlir"
# What looks up the shapes of the lines.
_SOURCE = """
func.func @f(%x: tensor<256x512xf16>, %w: tensor<512x256xf16>) -> tensor<256x256xf16> {
  %y = tgemm.matmul %x, %w : tensor<256x512xf16>, tensor<512x256xf16> -> tensor<256x256xf16>
  return %y : tensor<256x256xf16>
}
"""
_KEYS = (
    "256x256x512 f16->f16",
    "1024x12288x6144 f16->f16",
    "64x64x64 f16->f16",
)
_LONGEST = 0.6


def make_line(chance, key=None):
    tiling = (
        f"<m = {chance.choice([64, 128, 256])}, n = "
        f"{chance.choice([64, 128, 256])}, k = 64, stages = "
        f"{chance.randint(2, 6)}>"
    )
    return {
        "version": 1,
        "target": "h200",
        "kind": "product",
        "key": key or chance.choice(_KEYS),
        "mode": chance.choice(["serial", "pdl", "persistent"]),
        "tilings": [tiling],
        "us": round(chance.uniform(1, 900), 3),
        "spread": 0.01,
        "samples": chance.randint(1, 9),
    }


def write_lines(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def identity(line):
    return (
        line["target"],
        line["kind"],
        line["key"],
        line["mode"],
        tuple(line["tilings"]),
        line["us"],
    )


# What no measurement is, and what nearly is one.
_JSON = strategies.recursive(
    strategies.none()
    | strategies.booleans()
    | strategies.integers()
    | strategies.floats()
    | strategies.text(max_size=8),
    lambda inner: (
        strategies.lists(inner, max_size=3)
        | strategies.dictionaries(
            strategies.text(max_size=6), inner, max_size=3
        )
    ),
    max_leaves=8,
)


class Databases(Attack):
    name = "databases"
    needs = ("grout-tune", "grout-compile")
    weight = 0.7

    def missing(self, tools):
        missing = super().missing(tools)
        if not missing and tools.run("grout-tune", "import", "--help").status:
            return "grout-tune has no import"
        return missing

    def run(self, case):
        chance = case.random()
        kind = chance.choice(
            [_damaged, _damaged, _json, _writers, _killed, _full]
        )
        (case.folder / _PROGRAM).write_text(_SOURCE)
        case.notes[kind.__name__.strip("_")] += 1
        return [finding for finding in kind(case, chance) if finding]


class _Steps:
    """What has been done in a case, for whoever reads of it."""

    def __init__(self, case):
        self.case = case
        self.commands = []
        self.files = {}

    def lines(self, name, lines):
        path = self.case.folder / name
        write_lines(path, lines)
        self.files[name] = path.read_bytes()

    def call(self, *command, **options):
        self.commands.append(" ".join(command))
        return self.case.tools.run(*command, folder=self.case.folder, **options)

    def begin(self, *command, limits=None):
        self.commands.append(" ".join(command))
        return start(
            [self.case.tools.path(command[0]), *command[1:]],
            limits or self.case.tools.limits,
            self.case.folder,
        )

    def finding(self, verdict, reason, done=None):
        return Finding(
            verdict,
            [" && ".join(self.commands)],
            reason,
            dict(self.files),
            done.output if done else "",
        )

    def judge(self, done):
        """A Finding, or None for what may be."""
        verdict, reason = classify(done)
        self.case.notes[verdict.value] += 1
        return (
            None
            if verdict.is_fine
            else self.finding(
                verdict, f"{self.commands[-1].split()[0]}: {reason}", done
            )
        )

    def stored(self):
        """(what the database has, None), or (None, a finding)."""
        if not (self.case.folder / _DATABASE).exists():
            return set(), None
        done = self.call("grout-tune", "export", _DATABASE)
        if done.status:
            return None, self.finding(
                Verdict.LOST, f"export: {classify(done)[1]}", done
            )
        return {
            identity(json.loads(line)) for line in done.stdout.splitlines()
        }, None


def _damaged(case, chance):
    """The database itself, or lines of JSON: whole, or refused, by all who read
    it; and the same afterwards."""
    steps = _Steps(case)
    lines = [make_line(chance) for _ in range(chance.choice([1, 5, 60]))]
    steps.lines("in.jsonl", lines)
    name = chance.choice([_DATABASE, "in.jsonl"])
    if name == _DATABASE:
        steps.call("grout-tune", "import", _DATABASE, "in.jsonl")
    path = case.folder / name
    data = bytearray(path.read_bytes())
    for _ in range(chance.choice([1, 1, 3])):
        if data:
            chance.choice(DAMAGES)(chance, data)
    path.write_bytes(data)
    steps.files[name] = bytes(data)
    if name == _DATABASE:
        commands = (
            ["grout-tune", "check", name],
            ["grout-tune", "export", name],
            ["grout-tune", "report", name],
        )
    else:
        commands = (["grout-tune", "check", name],)
    results = {}
    for command in (
        *commands,
        [
            "grout-compile",
            _PROGRAM,
            "--target=h200",
            "--mode=auto",
            f"--tuning={name}",
            "-o",
            "out.grout",
        ],
    ):
        results[command[1]] = done = steps.call(*command)
        yield steps.judge(done)
    if path.read_bytes() != data:
        yield steps.finding(Verdict.LOST, "who reads it changes it")
    if name == _DATABASE and not results["check"].status:
        if results["export"].status:
            yield steps.finding(
                Verdict.WRONG, "check and export disagree", results["export"]
            )
        else:
            found = {
                identity(json.loads(line))
                for line in results["export"].stdout.splitlines()
            }
            if found != set(map(identity, _last(lines))):
                yield steps.finding(
                    Verdict.LOST, "check finds nothing, and lines have changed"
                )


def _last(lines):
    """What is imported last counts, of the same tilings."""
    return {identity(line)[:-1]: line for line in lines}.values()


def _json(case, chance):
    """What Hypothesis makes, as a line, or in place of a member."""
    members = strategies.sampled_from(sorted(make_line(chance)))
    lines = strategies.one_of(
        _JSON.map(lambda value: value),
        strategies.tuples(members, _JSON).map(
            lambda change: {**make_line(chance), change[0]: change[1]}
        ),
    )

    def check(line):
        steps = _Steps(case)
        (case.folder / _DATABASE).unlink(missing_ok=True)
        steps.lines("in.jsonl", [make_line(chance), line])
        done = steps.call("grout-tune", "import", _DATABASE, "in.jsonl")
        found = steps.judge(done)
        if not found and done.status:
            stored, found = steps.stored()
            if stored:
                found = steps.finding(
                    Verdict.LOST, "a refused import is half there", done
                )
        return found or steps.judge(
            steps.call(
                "grout-compile",
                _PROGRAM,
                "--target=h200",
                "--mode=auto",
                "--tuning=in.jsonl",
                "-o",
                "out.grout",
            )
        )

    return hypothesis_cases.falsify(case, lines, check, examples=4)


def _parts(steps, chance, count):
    """Files of lines of which each has keys of its own."""
    parts = {}
    for i in range(count):
        lines = [
            make_line(chance, f"{i}x{j}x64 f16->f16")
            for j in range(chance.choice([1, 20, 200]))
        ]
        steps.lines(f"part{i}.jsonl", lines)
        parts[f"part{i}.jsonl"] = set(map(identity, lines))
    return parts


def _writers(case, chance):
    steps = _Steps(case)
    parts = _parts(steps, chance, 3)
    running = {
        name: steps.begin("grout-tune", "import", _DATABASE, name)
        for name in parts
    }
    added = set()
    for name, process in running.items():
        done = finish(process, ["grout-tune"], case.tools.limits)
        yield steps.judge(done)
        if done.status == 0:
            added |= parts[name]
        else:
            yield steps.finding(
                Verdict.LOST, "a writer fails beside others", done
            )
    stored, found = steps.stored()
    yield found
    if stored is not None and stored != added:
        yield steps.finding(
            Verdict.LOST,
            f"{len(added - stored)} of "
            f"{len(added)} lines of several writers are lost",
        )


def _killed(case, chance):
    """All or nothing of what a writer that is killed adds."""
    steps = _Steps(case)
    parts = _parts(steps, chance, 2)
    names = list(parts)
    yield steps.judge(steps.call("grout-tune", "import", _DATABASE, names[0]))
    process = steps.begin("grout-tune", "import", _DATABASE, names[1])
    time.sleep(chance.random() * _LONGEST)
    number = chance.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
    process.send_signal(number)
    done = finish(process, ["grout-tune"], case.tools.limits)
    end(process)
    yield from _all_or_nothing(steps, parts, names, done)


def _full(case, chance):
    steps = _Steps(case)
    parts = _parts(steps, chance, 2)
    names = list(parts)
    yield steps.judge(steps.call("grout-tune", "import", _DATABASE, names[0]))
    size = chance.choice([0, 1, 4096, 8192, chance.randrange(200_000)])
    done = steps.call(
        "grout-tune",
        "import",
        _DATABASE,
        names[1],
        limits=case.tools.limits.with_file(size),
    )
    steps.commands[-1] = f"(ulimit -f {size} bytes; {steps.commands[-1]})"
    yield steps.judge(done)
    yield from _all_or_nothing(steps, parts, names, done)


def _all_or_nothing(steps, parts, names, done):
    stored, found = steps.stored()
    yield found
    if stored is None:
        return
    before, after = parts[names[0]], parts[names[0]] | parts[names[1]]
    if stored != after and (done.status == 0 or stored != before):
        counts = collections.Counter(
            part for part in names for line in parts[part] if line in stored
        )
        yield steps.finding(
            Verdict.LOST,
            "a part of what was added, or of "
            "what was there, is lost: " + str(dict(counts)),
            done,
        )
