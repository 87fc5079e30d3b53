"""Ops, code, policies, trees and targets from outside, each of which may be
wrong: there is an error that blames one which is, or results are right."""

from attack.seeded_tests import SeededTests


class Outsiders(SeededTests):
    name = "outsiders"
    tests = "GroutOutsiderTests"
    filters = ("*RefusedOr*",)
    seeds = 4
