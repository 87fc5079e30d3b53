"""Calls that may crash, or never end."""

import multiprocessing

_SECONDS = 120


class Failure(Exception):
    """Of what runs: a fault, or what it reports itself."""


def call(function):
    """What `function` gives in a process of its own."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(function, sender))
    process.start()
    sender.close()
    try:
        if not receiver.poll(_SECONDS):
            raise Failure(f"it took more than {_SECONDS} s")
        result, failure = receiver.recv()
    except EOFError:
        process.join()
        raise Failure(f"it ended with {process.exitcode}") from None
    finally:
        process.kill()
        process.join()
    if failure is not None:
        raise failure
    return result


def _send(function, sender):
    try:
        sender.send((function(), None))
    except Exception as error:
        sender.send((None, error))
