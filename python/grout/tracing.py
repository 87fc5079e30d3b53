"""Traces: when the tiles and blocks of runs began and ended."""

import contextlib
import dataclasses
import json
import pathlib
import threading
from typing import Any, Iterator, Optional, Union

from . import _runtime


@dataclasses.dataclass(frozen=True)
class TraceRecord:
    """When a part of a run began and ended."""

    function: str
    """The name of the module."""
    device: int
    """The number of the GPU; 0 on a CPU."""
    launch: str
    name: str
    """The kernel; on a CPU, the body of the tile."""
    role: str
    """On a GPU "block" or, for the parts of the work on a tile of a GEMM,
    "load", "load after wait", "compute", "store" and "sum ranks". On a CPU
    "tile", or "wait" for a tile's wait."""
    processor: int
    """The number of the SM, or of the worker thread."""
    block: int
    """The number of the block in the grid; 0 on a CPU."""
    tile: tuple[int, int, int, int]
    """The number of the tile's body in its launch, and the tile's coordinates;
    zeros for a block."""
    start: int
    """Nanoseconds, since a moment that is the same for all records of a
    device."""
    end: int


class Trace:
    """What `grout.trace` has recorded."""

    def __init__(self) -> None:
        self.records: tuple[TraceRecord, ...] = ()
        """All records, by when they began. They are there after the `with`
        statement."""
        self.lost = 0
        """The number of records for which there was no room."""
        self._sessions: dict[int, tuple[str, int, _runtime.Session]] = {}
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        lost = f", {self.lost} lost" if self.lost else ""
        return f"<grout.Trace of {len(self.records)} records{lost}>"

    def save(self, path: Union[str, pathlib.Path]) -> None:
        """Writes the records as JSON, which https://ui.perfetto.dev and Chrome's
        tracing page draw, and `grout-compile --timeline-trace` reads. A process
        there is a device. What one SM or worker does in one role is a thread,
        or several threads if it does several things at the same time."""
        events = _Events(self.records).events
        pathlib.Path(path).write_text(json.dumps({"traceEvents": events}))

    def watch(
        self,
        function: str,
        device: int,
        session: _runtime.Session,
        is_new: bool,
    ) -> None:
        """Reads the records of a session, which is about to run, when the trace
        ends."""
        with self._lock:
            if id(session) in self._sessions:
                return
            self._sessions[id(session)] = function, device, session
            if not is_new:
                session.read_trace()  # records of before, such as of a graph

    def finish(self) -> None:
        """Reads all records."""
        records = []
        for function, device, session in self._sessions.values():
            found, lost = session.read_trace()
            self.lost += lost
            records += [TraceRecord(function, device, *one) for one in found]
        self._sessions.clear()
        # A wait is behind the tile that it is a part of.
        self.records = tuple(
            sorted(records, key=lambda one: (one.device, one.start, -one.end))
        )


class _Events:
    """The events of a trace, in the format of Chrome's tracing page."""

    def __init__(self, records: tuple[TraceRecord, ...]):
        self.events: list[dict[str, Any]] = []
        self._lanes: dict[tuple[int, int, str], list[tuple[int, int]]] = {}
        self._threads = 0
        origins: dict[int, int] = {}
        for record in records:
            if record.device not in origins:
                origins[record.device] = record.start
                self._name(
                    "process_name", record.device, 0, f"device {record.device}"
                )
            self._add(record, origins[record.device])

    def _name(self, kind: str, device: int, thread: int, name: str) -> None:
        self.events.append(
            {
                "ph": "M",
                "pid": device,
                "tid": thread,
                "name": kind,
                "args": {"name": name},
            }
        )

    def _thread(self, record: TraceRecord) -> int:
        """Returns a thread of the processor that is free, or a new one."""
        on_cpu = record.role in ("tile", "wait")
        lane = "tile" if on_cpu else record.role
        lanes = self._lanes.setdefault(
            (record.device, record.processor, lane), []
        )
        for number, (thread, end) in enumerate(lanes):
            # Waits are in the thread of their tile.
            if end <= record.start or record.role == "wait":
                lanes[number] = thread, max(end, record.end)
                return thread
        self._threads += 1
        name = (
            f"worker {record.processor}"
            if on_cpu
            else f"SM {record.processor}: {lane}"
        )
        self._name("thread_name", record.device, self._threads, name)
        lanes.append((self._threads, record.end))
        return self._threads

    def _add(self, record: TraceRecord, origin: int) -> None:
        body, *place = record.tile
        what = (
            f"block {record.block}"
            if record.role == "block"
            else f"({', '.join(map(str, place))})"
        )
        self.events.append(
            {
                "ph": "X",
                "pid": record.device,
                "tid": self._thread(record),
                "ts": (record.start - origin) / 1000,
                "dur": (record.end - record.start) / 1000,
                "name": f"{record.name} {what}",
                "cat": record.role,
                "args": {
                    "launch": record.launch,
                    "processor": record.processor,
                    "block": record.block,
                    "body": body,
                    "tile": place,
                },
            }
        )


_lock = threading.Lock()
_active: Optional[Trace] = None


def active() -> Optional[Trace]:
    """Returns the trace that records now."""
    return _active


@contextlib.contextmanager
def trace() -> Iterator[Trace]:
    """Records when the tiles and blocks of all modules that run meanwhile begin
    and end, in all threads:

        with grout.trace() as trace:
            y = module(x)
        trace.save("run.json")

    The modules may be those of torch.compile(backend="grout"). Modules for a
    GPU must have been compiled with the option `trace`; otherwise their calls
    raise RunError. The first call of a module on a stream, with a trace or
    without, loads its code: call it once before.

    The records are there when the `with` statement ends. It waits for the work
    of the device. Raises RuntimeError if another trace records.
    """
    global _active
    found = Trace()
    with _lock:
        if _active is not None:
            raise RuntimeError("another trace records at this time")
        _active = found
    try:
        yield found
    finally:
        _active = None
    found.finish()
