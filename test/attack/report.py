"""What was found: as lines, as a table, and as files."""

import shlex
import time

from attack.reduction import reduce

_EVERY_SECONDS = 10
# Files of more bytes are not made smaller.
_LARGEST = 200_000
# Of an attack, in the table.
_NOTES = 12


class Report:
    """Prints, and writes what is found below `folder`: of each defect the
    first case, which `shrink` seconds are spent to make small."""

    def __init__(self, folder, seed, make_case, shrink, say):
        self.folder = folder
        self.seed = seed
        self.make_case = make_case
        self.shrink = shrink
        self.say = say
        self.keys = {}  # {signature: how often}
        self._started = self._said = time.monotonic()

    def found(self, attack, number, finding):
        key = f"{attack.name}: {finding.key}"
        self.keys[key] = self.keys.get(key, 0) + 1
        if self.keys[key] > 1:
            return
        self.say(
            f"{attack.name} {number}: {finding.verdict.value}: {finding.reason}"
        )
        folder = self.folder / f"{attack.name}-{number}-{finding.verdict.value}"
        for i in range(2, 1000):
            if not folder.exists():
                break
            folder = folder.with_name(
                f"{attack.name}-{number}-{finding.verdict.value}-{i}"
            )
        folder.mkdir(parents=True)
        self._write(folder, attack, number, finding)

    def _write(self, folder, attack, number, finding):
        (folder / "README").write_text(
            f"{key_line(finding)}\n\n"
            f"    scripts/attack --only {attack.name} --seed {self.seed} "
            f"--case {number}\n\n"
            f"    {shlex.join(map(str, finding.command))}\n\n"
            f"{finding.output}\n"
        )
        for name, data in finding.files.items():
            (folder / name).write_bytes(data)
        small = self._minimise(attack, number, finding)
        if small != finding.files:
            minimised = folder / "minimised"
            minimised.mkdir()
            for name, data in attack.test(finding, small).items():
                (minimised / name).write_bytes(data)

    def _minimise(self, attack, number, finding):
        files = dict(finding.files)
        if (
            not files
            or not self.shrink
            or any(len(data) > _LARGEST for data in files.values())
        ):
            return files
        with self.make_case(attack, number) as case:
            if not attack.repeats(case, finding, files):
                return files
            for name in files:
                files[name] = reduce(
                    files[name],
                    lambda data: attack.repeats(
                        case, finding, {**files, name: data}
                    ),
                    self.shrink,
                )
        return files

    def progress(self, counts):
        now = time.monotonic()
        if now < self._said + _EVERY_SECONDS:
            return
        self._said = now
        self.say(
            f"{now - self._started:.0f} s: "
            + ", ".join(
                f"{name} {rate(count)}"
                for name, count in counts.items()
                if count.cases
            )
            + f"; {len(self.keys)} defects"
        )

    def table(self, counts):
        """Lines at the end."""
        rows = [("attack", "cases", "seconds", "cases/s", "findings")]
        rows += [
            (
                name,
                str(count.cases),
                f"{count.seconds:.0f}",
                f"{count.cases / max(count.seconds, 1e-3):.1f}",
                str(count.findings),
            )
            for name, count in counts.items()
        ]
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines = [
            "  ".join(
                cell.ljust(width) for cell, width in zip(row, widths)
            ).rstrip()
            for row in rows
        ]
        lines += [
            f"{name}: "
            + ", ".join(
                f"{times} {note}"
                for note, times in count.notes.most_common(_NOTES)
            )
            for name, count in counts.items()
            if count.notes
        ]
        return lines + [
            f"{times} x {key}"
            for key, times in sorted(
                self.keys.items(), key=lambda item: -item[1]
            )
        ]


def rate(count):
    return f"{count.cases / max(count.seconds, 1e-3):.1f}/s"


def key_line(finding):
    return f"{finding.verdict.value}: {finding.reason}"
