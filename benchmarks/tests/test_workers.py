"""Tasks in processes that go wrong in every way."""

import os
import time
import unittest

import workers
from errors import UserError


class Doing:
    """Does what the task says. A process knows what it has done before."""

    def __init__(self):
        self._done = []

    def __call__(self, task):
        self._done.append(task)
        if task == "crash":
            os._exit(7)
        if task == "raise":
            raise ValueError("no")
        if task == "hang":
            time.sleep(600)
        return list(self._done)


def refuse():
    raise UserError("nothing to work with")


def end():
    os._exit(5)


def run(tasks, jobs=1, task_seconds=60, budget_seconds=60, make=Doing):
    return {
        outcome.task: outcome
        for outcome in workers.run(
            make, tasks, jobs, task_seconds, budget_seconds
        )
    }


class Workers(unittest.TestCase):
    def test_a_process_does_one_task_after_another(self):
        outcomes = run(["a", "b", "c"])
        self.assertEqual(outcomes["c"].result, ["a", "b", "c"])
        self.assertEqual(
            [outcome.problem for outcome in outcomes.values()], [""] * 3
        )

    def test_all_tasks_are_done_by_several(self):
        tasks = [str(i) for i in range(7)]
        self.assertEqual(sorted(run(tasks, jobs=3)), tasks)

    def test_what_goes_wrong_spoils_no_other(self):
        outcomes = run(["crash", "a", "raise", "b"])
        self.assertEqual(
            outcomes["crash"].problem, "the process ended with status 7"
        )
        self.assertEqual(outcomes["raise"].problem, "ValueError: no")
        # Another process each time: this one may have lost its GPU.
        self.assertEqual(outcomes["a"].result, ["a"])
        self.assertEqual(outcomes["b"].result, ["b"])

    def test_a_task_that_hangs_is_given_up(self):
        outcomes = run(["hang", "a"], task_seconds=0.5)
        self.assertEqual(outcomes["hang"].problem, workers.OVERDUE)
        self.assertEqual(outcomes["a"].result, ["a"])

    def test_what_is_not_done_in_time_is_named(self):
        start = time.monotonic()
        outcomes = run(["hang", "a", "b"], budget_seconds=1)
        self.assertLess(time.monotonic() - start, 30)
        self.assertEqual(
            [outcome.problem for outcome in outcomes.values()],
            [workers.NOT_BEGUN] * 3,
        )

    def test_no_tasks_are_none(self):
        self.assertEqual(run([]), {})

    def test_processes_that_cannot_begin_are_an_error(self):
        with self.assertRaisesRegex(UserError, "nothing to work with"):
            run(["a"], make=refuse)
        with self.assertRaisesRegex(UserError, "status 5"):
            run(["a"], make=end)


if __name__ == "__main__":
    unittest.main()
