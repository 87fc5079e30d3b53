"""What an attack is."""

import collections
import dataclasses
import pathlib
import random

from attack.process import Tools


@dataclasses.dataclass(frozen=True)
class Case:
    """One of an attack's, which follows from `seed` and `number`. `folder` is
    empty, and its own."""

    attack: str
    seed: int
    number: int
    tools: Tools
    folder: pathlib.Path
    shrinks: bool = True  # Whether what it finds is made small.
    # How often what happened, to see that cases test something.
    notes: collections.Counter = dataclasses.field(
        default_factory=collections.Counter
    )

    def random(self):
        return random.Random(f"{self.attack} {self.seed} {self.number}")

    @property
    def hypothesis_seed(self):
        return self.random().getrandbits(64)


class Attack:
    """Made anew in every process. `needs` are the tools without which it can't
    run; `weight` is its share of time, and `each` how many of its cases make
    one where cases are counted, as they take unequally long: none of those that
    run for a time themselves."""

    name = ""
    needs = ()
    weight = 1
    each = 1

    def missing(self, tools):
        """What it lacks, or None."""
        absent = [name for name in self.needs if not tools.has(name)]
        return f"there is no {absent[0]}" if absent else None

    def run(self, case):
        """The findings of a case."""
        raise NotImplementedError

    def repeats(self, case, finding, files):
        """Whether `files`, of the same names as the finding's, show the same.
        What can't say so is not made smaller."""
        return False

    def test(self, finding, files):
        """Text files as a test of what was found."""
        return dict(files)
