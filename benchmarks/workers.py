"""Runs tasks in processes. A task may crash or hang, as kernels do, without
affecting the other tasks.

`make` is called once in each process. The function that it returns runs tasks
one after another, until a task fails: even an exception may have cost the
process its GPU. `make`, tasks and results are pickled.
"""

import multiprocessing
import multiprocessing.connection
import time
from typing import NamedTuple

from errors import UserError

# The problems that a task may have, beside exceptions.
CRASHED = "the process ended"
OVERDUE = "it took too long"
NOT_BEGUN = "no time was left"


class Outcome(NamedTuple):
    task: object
    result: object = None
    problem: str = ""  # One of the above, or the text of an exception.


def _serve(connection, make):
    try:
        do = make()
    except UserError as error:
        connection.send(error)
        return
    connection.send(None)
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        try:
            connection.send((do(task), ""))
        except Exception as error:
            connection.send((None, f"{type(error).__name__}: {error}"))
            return


class _Worker:
    def __init__(self, context, make):
        self.connection, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other, make))
        self._process.start()
        other.close()
        self.task = None
        self.until = None
        self._ready = False

    def begin(self, task, seconds):
        self.task = task
        self.until = time.monotonic() + seconds
        self.connection.send(task)

    def take(self):
        """Receives a message. Returns None if the worker says that it is ready,
        or else an outcome."""
        try:
            message = self.connection.recv()
        except (EOFError, ConnectionError):
            self._process.join()
            if not self._ready:
                raise UserError(
                    "a process ended before it did anything, with "
                    f"status {self._process.exitcode}"
                ) from None
            return Outcome(
                self.task,
                problem=f"{CRASHED} with status {self._process.exitcode}",
            )
        if isinstance(message, UserError):
            raise message
        if message is None:
            self._ready = True
            return None
        return Outcome(self.task, *message)

    def stop(self):
        self._process.kill()
        self._process.join()
        self.connection.close()


def run(make, tasks, jobs, task_seconds, budget_seconds):
    """Yields an outcome for each task, as they come. Tasks that are not
    finished after `budget_seconds` are given up."""
    context = multiprocessing.get_context("spawn")
    end = time.monotonic() + budget_seconds
    waiting = list(reversed(tasks))
    workers = [_Worker(context, make) for _ in range(min(jobs, len(tasks)))]
    try:
        while workers and time.monotonic() < end:
            yield from _step(context, make, workers, waiting, task_seconds, end)
        for worker in workers:
            if worker.task is not None:
                yield Outcome(worker.task, problem=NOT_BEGUN)
        for task in reversed(waiting):
            yield Outcome(task, problem=NOT_BEGUN)
    finally:
        for worker in workers:
            worker.stop()


def _step(context, make, workers, waiting, task_seconds, end):
    """Waits until something happens, yields outcomes, and gives workers their
    next tasks."""
    until = min([end] + [worker.until for worker in workers if worker.until])
    ready = multiprocessing.connection.wait(
        [worker.connection for worker in workers],
        max(until - time.monotonic(), 0),
    )
    for worker in list(workers):
        if worker.connection in ready:
            outcome = worker.take()
        elif worker.until and time.monotonic() >= worker.until:
            outcome = Outcome(worker.task, problem=OVERDUE)
        else:
            continue
        gone = outcome and outcome.problem
        worker.task = worker.until = None
        if gone or not waiting:
            worker.stop()
            workers.remove(worker)
            if gone and waiting:
                workers.append(_Worker(context, make))
        else:
            worker.begin(waiting.pop(), task_seconds)
        if outcome:
            yield outcome
