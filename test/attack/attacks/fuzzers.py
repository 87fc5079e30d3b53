"""libFuzzer's targets, of unittests/Fuzz."""

import re

from attack import corpus
from attack.attack import Attack
from attack.outcome import Finding, Verdict, classify
from attack.process import run

# The preset `fuzz` builds all of them; scripts/check-sanitized those of the
# runtime.
_BUILDS = ("build-fuzz", "build-address")
_FUZZERS = ("FuzzArtifact", "FuzzNpy", "FuzzProblemText", "FuzzModule")
_SECONDS = 5
# The address sanitizer reserves more than any limit on addresses.
_NO_LIMIT = 1 << 46


class Fuzzers(Attack):
    """A case is a few seconds of one of them."""
    name = "fuzzers"
    each = 0

    def missing(self, tools):
        if not self._find():
            return ("there is no build-fuzz; cmake --preset fuzz && cmake "
                    "--build --preset fuzz makes it")
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
        options = [f"-seed={case.random().randrange(1, 1 << 31)}",
                   f"-max_total_time={_SECONDS}", "-max_len=16384",
                   "-timeout=5", "-rss_limit_mb=2048",
                   "-print_final_stats=1"]
        if fuzzer.name in ("FuzzModule", "FuzzProblemText"):
            options += self._text(case, fuzzer)
        limits = case.tools.limits.slower(_SECONDS).with_memory(_NO_LIMIT)
        done = run([fuzzer, *options, "corpus"], limits, case.folder)
        runs = re.search(r"stat::number_of_executed_units:\s*(\d+)",
                         done.stderr)
        case.notes[fuzzer.name] += int(runs[1]) if runs else 0
        inputs = {path.name: path.read_bytes() for path in case.folder.iterdir()
                  if re.match(r"(crash|timeout|oom|leak|slow-unit)-",
                              path.name)}
        if not done.status and not inputs:
            return []
        verdict, reason = classify(done)
        if verdict.is_fine:
            verdict = Verdict.CRASH
        if any(name.startswith("timeout") for name in inputs):
            verdict, reason = Verdict.HANG, "an input takes more than 5 s"
        return [Finding(verdict, [fuzzer.name, *inputs], reason, inputs,
                        done.output, f"{fuzzer.name}: {reason}")]

    @staticmethod
    def _text(case, fuzzer):
        """Seeds: modules of the tests, and words of which they are made."""
        chance = case.random()
        modules = corpus.modules()
        if fuzzer.name == "FuzzModule":
            for i, module in enumerate(chance.sample(modules, 40)):
                (case.folder / "corpus" / f"{i}.mlir").write_text(module.text)
        else:
            texts = [text for module in modules for text in re.findall(
                r"(?:statement|flow|anti|output) .*\{.*\}.*", module.text)]
            for i, text in enumerate(chance.sample(texts,
                                                   min(30, len(texts)))):
                (case.folder / "corpus" / f"{i}").write_text(text)
        words = sorted({word for module in chance.sample(modules, 60)
                        for word in re.findall(r"[#!%@]?[a-z_][\w.]{2,20}",
                                               module.text)})
        (case.folder / "words").write_text(
            "".join(f'"{word}"\n' for word in words))
        return ["-dict=words"]
