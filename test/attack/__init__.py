"""Attacks on Grout: what is random or damaged, through all of its tools.

An attack makes cases, each of which follows from a seed and a number, and says
of each what should not have happened: a crash, a hang, a wrong result, a
failure without a reason, an artifact that is invalid. scripts/attack runs them;
docs/Testing.md says what each looks for.
"""
