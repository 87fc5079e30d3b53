"""libFuzzer's targets, of unittests/Fuzz."""

import re

from attack import corpus
from attack.attack import Attack
from attack.attacks.databases import make_line, write_lines
from attack.outcome import Finding, Verdict, classify
from attack.process import run

# The preset `fuzz` builds all of them; scripts/check-sanitized those of the
# runtime.
_BUILDS = ("build-fuzz", "build-address")
_FUZZERS = ("FuzzArtifact", "FuzzNpy", "FuzzAttribute", "FuzzTuningDatabase")
_SECONDS = 5
# Room for a small database.
_LONGEST = 32768
# The address sanitizer reserves more than any limit on addresses.
_NO_LIMIT = 1 << 46


class Fuzzers(Attack):
    """A case is a few seconds of one of them."""

    name = "fuzzers"
    each = 0

    def missing(self, tools):
        if not self._find():
            return (
                "there is no build-fuzz; cmake --preset fuzz && cmake "
                "--build --preset fuzz makes it"
            )
        return None

    @staticmethod
    def _find():
        found = {}
        for build in reversed(_BUILDS):
            for path in (corpus.ROOT / build / "bin").glob("Fuzz*"):
                if path.name in _FUZZERS:
                    found[path.name] = path
        return [found[name] for name in _FUZZERS if name in found]

    def run(self, case):
        found = self._find()
        fuzzer = found[case.number % len(found)]
        (case.folder / "corpus").mkdir()
        options = [
            f"-seed={case.random().randrange(1, 1 << 31)}",
            f"-max_total_time={_SECONDS}",
            f"-max_len={_LONGEST}",
            "-timeout=5",
            "-rss_limit_mb=2048",
            "-print_final_stats=1",
        ]
        if fuzzer.name in _SEEDS:
            options += self._seed(case, _SEEDS[fuzzer.name](case))
        limits = case.tools.limits.slower(_SECONDS).with_memory(_NO_LIMIT)
        done = run([fuzzer, *options, "corpus"], limits, case.folder)
        runs = re.search(
            r"stat::number_of_executed_units:\s*(\d+)", done.stderr
        )
        case.notes[fuzzer.name] += int(runs[1]) if runs else 0
        inputs = {
            path.name: path.read_bytes()
            for path in case.folder.iterdir()
            if re.match(r"(crash|timeout|oom|leak|slow-unit)-", path.name)
        }
        if not done.status and not inputs:
            return []
        verdict, reason = classify(done)
        if verdict.is_fine:
            verdict = Verdict.CRASH
        if any(name.startswith("timeout") for name in inputs):
            verdict, reason = Verdict.HANG, "an input takes more than 5 s"
        return [
            Finding(
                verdict,
                [fuzzer.name, *inputs],
                reason,
                inputs,
                done.output,
                f"{fuzzer.name}: {reason}",
            )
        ]

    @staticmethod
    def _seed(case, texts):
        """Writes texts or bytes for a start, and words of theirs."""
        texts = sorted(
            {text.encode() if isinstance(text, str) else text for text in texts}
        )
        for i, text in enumerate(texts):
            (case.folder / "corpus" / str(i)).write_bytes(text)
        words = sorted(
            {
                word.decode()
                for text in texts
                for word in re.findall(rb"[a-zA-Z_0-9]{3,20}", text)
            }
        )
        (case.folder / "words").write_text(
            "".join(f'"{word}"\n' for word in words)
        )
        return ["-dict=words"]


def _attributes(_):
    """What is between the brackets of Grout's attributes."""
    for text in (module.text for module in corpus.modules()):
        for start in re.finditer(
            r"#(?:tgemm|tsync|scop|launch)\.\w+<|"
            r"\b(?:policy|schedule) *<",
            text,
        ):
            depth, end = 1, start.end()
            while end < len(text) and depth:
                depth += (text[end] == "<") - (
                    text[end] == ">" and text[end - 1] != "-"
                )
                end += 1
            yield text[start.end() : end - 1]


def _databases(case):
    """Lines of JSON, and what grout-tune makes of them."""
    lines, database = case.folder / "lines", case.folder / "database"
    chance = case.random()
    write_lines(
        lines,
        [make_line(chance) for _ in range(6)]
        + [
            {**make_line(chance), "eliminated": True},
            {**make_line(chance), "kind": "chain"},
        ],
    )
    yield lines.read_text()
    yield from lines.read_text().splitlines()
    if case.tools.has("grout-tune"):
        case.tools.run("grout-tune", "import", database, lines)
        if database.exists():
            yield database.read_bytes()


_SEEDS = {"FuzzAttribute": _attributes, "FuzzTuningDatabase": _databases}
