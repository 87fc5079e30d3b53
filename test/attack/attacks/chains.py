"""Random chains: the proof against the interpreter and brute force, with huge
constants, too."""

from attack.seeded_tests import SeededTests


class Chains(SeededTests):
    name = "chains"
    tests = "GroutAnalysisTests"
    filters = ("PropertyTest.*", "OverflowTest.*")
