"""Runs plans of several ranks on this machine, all ranks at once.

Each rank has buffers and synchronisation states of its own, and symmetric
memory that all ranks reach. ranks.c says how they run. After each launch, the
places in the symmetric memory that it read must be 0 again: other ranks may be
a run ahead, but that run uses the other set of places.
"""

import ctypes
import dataclasses

import numpy as np

from emulated import emulator, native
from emulated.isolation import Failure, call
from emulated.plan import Unsupported

# The words of a synchronisation state without semaphores, and what of them are
# the epoch and the record of a wait that gave up: see DeviceABI.h.
_STATE_WORDS = 32
_EPOCH_WORD = 2
_RECORD_WORD = 16


def run(tools, compiled, folder, inputs, seed):
    """The results of all runs, results[run][rank], of inputs[run][rank]: lists
    of arrays. A Failure says what the kernels may not do."""
    module, output = emulator.build(tools, compiled, folder)
    if (
        module.shared
        or compiled.plan.buffers
        or not all(launch.exchange for launch in compiled.plan.launches)
    ):
        raise Unsupported("more than collectives of arguments")
    return call(lambda: _Ranks(tools, output, compiled.plan, inputs).run(seed))


def trace(tools, compiled, folder, inputs, seed, capacity):
    """The same results of kernels that record their times, and the records that
    all ranks and runs have written."""
    _, output = emulator.build(tools, compiled, folder)

    def run_():
        ranks = _Ranks(tools, output, compiled.plan, inputs)
        traces = ranks.trace(capacity)
        return ranks.run(seed), emulator.written(traces)

    return call(run_)


def records(tools, compiled, folder, inputs, absent):
    """What the waits of each rank say that give up, if rank `absent` does not
    come: the words of WatchdogRecord in DeviceABI.h."""
    _, output = emulator.build(tools, compiled, folder)

    def words():
        ranks = _Ranks(tools, output, compiled.plan, inputs, absent)
        ranks.run(seed=0)
        return ranks.records()

    return call(words)


@dataclasses.dataclass
class _Rank:
    buffers: dict  # The bytes of each buffer.
    states: list  # The words of each launch.
    symmetric: np.ndarray  # Bytes.


class _Ranks:
    """Whose memory the kernels have. If a rank is absent, what the others write
    is undefined, and not checked."""

    def __init__(self, tools, library, plan, inputs, absent=None):
        self._support = native.load(tools)
        self._library = ctypes.CDLL(str(library))
        self._plan, self._inputs = plan, inputs
        count = plan.launches[0].exchange.ranks
        self._ranks = [self._rank() for _ in range(count)]
        self._results = [[None] * count for _ in inputs]
        self._absent = absent
        self._failure = None
        self._maps = []

    def run(self, seed):
        for number in range(len(self._ranks)):
            self._prepare(number, 0)
        launches = [
            self._launch(number, place)
            for number in range(len(self._ranks))
            for _ in self._inputs
            for place in range(len(self._plan.launches))
        ]
        ended = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint32, ctypes.c_uint32)
        failure = self._support.emulated_ranks(
            (native.Launch * len(launches))(*launches),
            ctypes.c_uint32(len(self._ranks)),
            ctypes.c_uint32(-1 if self._absent is None else self._absent),
            ctypes.c_uint32(len(launches) // len(self._ranks)),
            ctypes.c_uint32(seed),
            ended(self._ended),
        )
        if failure:
            raise self._failure or Failure(failure.decode())
        return self._results

    def trace(self, capacity):
        return emulator.allocate_traces(self._library, capacity, self._plan)

    def records(self):
        return [rank.states[0][_RECORD_WORD:].copy() for rank in self._ranks]

    def _rank(self):
        symmetric = native.allocate(
            self._support,
            max(
                launch.exchange.offset + launch.exchange.bytes
                for launch in self._plan.launches
            ),
        )
        symmetric.fill(0)
        return _Rank(
            {
                buffer.name: native.allocate(self._support, buffer.bytes)
                for buffer in self._plan.inputs + self._plan.outputs
            },
            [np.zeros(_STATE_WORDS, np.uint32) for _ in self._plan.launches],
            symmetric,
        )

    def _prepare(self, number, run_):
        """Makes a rank ready for a run."""
        buffers = self._ranks[number].buffers
        for buffer, array in zip(self._plan.inputs, self._inputs[run_][number]):
            buffers[buffer.name][: buffer.bytes] = np.frombuffer(
                array.tobytes(), np.uint8
            )
        for buffer in self._plan.outputs:
            buffers[buffer.name].fill(0xFF)

    def _launch(self, number, place):
        launch, rank = self._plan.launches[place], self._ranks[number]

        def value(kind, index):
            if kind == "sync_state":
                return rank.states[place].ctypes.data
            if kind == "rank":
                return number
            if kind in ("task_list", "task_count"):
                return index
            if kind == "tensor_map":
                return self._tensor_map(rank, index)
            if kind == "peer":
                symmetric = self._ranks[index].symmetric
                return symmetric.ctypes.data + launch.exchange.offset
            return rank.buffers[kind].ctypes.data + index

        return native.Launch.of(
            launch,
            self._library,
            [value(*argument) for argument in launch.arguments],
        )

    def _tensor_map(self, rank, map_):
        """The address of what hopper.c has as a TensorMap."""
        words = np.array(
            [
                rank.buffers[map_.buffer].ctypes.data,
                *map_.sizes,
                map_.stride,
                *map_.box,
                map_.row_bytes,
            ],
            np.uint64,
        )
        self._maps.append(words)
        return words.ctypes.data

    def _ended(self, number, index):
        if self._absent is not None:
            return False
        try:
            self._check(number, *divmod(index, len(self._plan.launches)))
        except Failure as failure:
            self._failure = failure
        return self._failure is not None

    def _check(self, number, run_, place):
        """Launch `place` of a run of a rank has ended."""
        rank, exchange = (
            self._ranks[number],
            self._plan.launches[place].exchange,
        )
        # A plan with one launch has two sets of places, which runs use in turn.
        sets = 2 if len(self._plan.launches) == 1 else 1
        size = exchange.bytes // sets
        first = exchange.offset + run_ % sets * size
        if rank.symmetric[first : first + size].any():
            raise Failure(f"rank {number} leaves words in run {run_}")
        state = np.zeros(_STATE_WORDS, np.uint32)
        state[_EPOCH_WORD] = run_ + 1
        if (rank.states[place] != state).any():
            raise Failure(f"rank {number} leaves its state as it was")
        if place + 1 != len(self._plan.launches):
            return
        self._results[run_][number] = [
            emulator.read(rank.buffers[buffer.name], buffer)
            for buffer in self._plan.outputs
        ]
        if run_ + 1 != len(self._inputs):
            self._prepare(number, run_ + 1)
