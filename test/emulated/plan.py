"""The launches of an artifact, read from the text of grout-compile
--emit=mlir."""

import ast
import dataclasses
import math
import re

import numpy as np

from emulated import elements


class Unsupported(Exception):
    """What the emulator does not know."""


@dataclasses.dataclass(frozen=True)
class Buffer:
    """Memory of an array, which starts as `value` if there is one."""

    name: str
    shape: tuple
    dtype: str
    value: object = None
    place: object = None
    """The byte of the workspace, or of an output, at which it starts; None for
    arguments of the plan and constants."""
    output: object = None
    """The name of the output that it is in; None in the workspace."""

    @property
    def bytes(self):
        return (
            int(np.prod(self.shape, dtype=np.int64))
            * elements.array_type(self.dtype).itemsize
        )

    def shares_bytes_with(self, other):
        return (
            None not in (self.place, other.place)
            and self.output == other.output
            and self.place < other.place + other.bytes
            and other.place < self.place + self.bytes
        )


@dataclasses.dataclass(frozen=True)
class Exchange:
    """What a launch has of the symmetric memory."""

    ranks: int
    bytes: int
    offset: int


@dataclasses.dataclass(frozen=True)
class TensorMap:
    """`stride` is in bytes, the sizes and the box in elements, and rows of the
    box in shared memory have `row_bytes` bytes."""

    buffer: str
    sizes: tuple
    stride: int
    box: tuple
    row_bytes: int


@dataclasses.dataclass(frozen=True)
class Launch:
    """`arguments` are pairs: a buffer's name, and an offset in bytes. If it
    exchanges data with other ranks, also ("sync_state", 0), ("rank", 0),
    ("peer", number of a rank), ("tensor_map", TensorMap), and what kernels with
    fixed tasks need, ("task_list", 0) and ("task_count", number)."""

    kernel: str
    arguments: tuple
    blocks: int
    threads: int
    token: str
    after: tuple  # the tokens of launches before it
    branch: int = 0
    exchange: object = None
    shared: int = 0
    """Bytes of dynamic shared memory."""


@dataclasses.dataclass(frozen=True)
class Plan:
    inputs: tuple  # of Buffer, as all below but the launches
    outputs: tuple
    buffers: tuple
    launches: tuple

    def places(self):
        """The buffers and the outputs, these at byte 0 of themselves."""
        return self.buffers + tuple(
            dataclasses.replace(output, place=0, output=output.name)
            for output in self.outputs
        )

    def order(self, chance):
        """The launches, one after another, in any order that edges and branches
        allow."""
        left, ordered = list(self.launches), []
        while left:
            waited_for = {launch.token for launch in left}
            heads = {launch.branch: launch for launch in reversed(left)}
            launch = chance.choice(
                [
                    head
                    for _, head in sorted(heads.items())
                    if waited_for.isdisjoint(head.after)
                ]
            )
            left.remove(launch)
            ordered.append(launch)
        return ordered


def parse(text):
    found = re.search(
        r"launch\.plan @\S+ inputs (\d+) \{\n"
        r"\s*\^bb0\((.*)\):\n(.*?)\n  \}",
        text,
        re.S,
    )
    if not found:
        raise Unsupported(_first(text, "launch.plan"))
    arguments = tuple(
        _buffer(name, of)
        for name, of in re.findall(r"(%\w+): memref<([^>]*)>", found[2])
    )
    buffers, launches = [], []
    for line in map(str.strip, found[3].splitlines()):
        buffer = re.fullmatch(
            r'(%\w+) = launch\.buffer "[^"]*"'
            r"(?: value dense<(.*)> : tensor<[^>]*>)?"
            r"(?: at (\d+)(?: of argument (\d+))?)? : memref<([^>]*)>",
            line,
        )
        if buffer:
            name, value, place, argument, of = buffer.groups()
            buffers.append(
                dataclasses.replace(
                    _buffer(name, of, value),
                    place=None if place is None else int(place),
                    output=argument and arguments[int(argument)].name,
                )
            )
        elif not re.fullmatch(r"%\w+ = launch\.start", line):
            launches.append(_launch(line))
    count = int(found[1])
    return Plan(
        arguments[:count], arguments[count:], tuple(buffers), tuple(launches)
    )


def _first(text, part):
    return next(
        (line.strip() for line in text.splitlines() if part in line),
        f"there is no {part}",
    )


def _buffer(name, of, value=None):
    *shape, dtype = of.split("x")
    # A layout or a memory space would follow the type.
    if dtype not in elements.FLOATS + elements.INTEGERS + ("i1",):
        raise Unsupported(f"memref<{of}>")
    shape = tuple(map(int, shape))
    if value is not None:
        value = _dense(value, shape, dtype)
    return Buffer(name, shape, dtype, value)


def _dense(text, shape, dtype):
    if "0x" in text:
        raise Unsupported(f"dense<{text[:40]}>")
    text = text.replace("true", "1").replace("false", "0")
    return elements.encode(
        np.broadcast_to(np.array(ast.literal_eval(text)), shape), dtype
    )


def _launch(line):
    found = re.fullmatch(
        r'(?P<token>%\w+) = launch\.kernel "[^"]*" @\S+ \[@(?P<kernel>[^\]]*)\]'
        r"\((?P<buffers>[^)]*)\)(?: writes \[[^\]]*\])?"
        r"(?: after (?P<after>[^\[]*?))?(?: early \[[^\]]*\])?"
        r"(?: branch (?P<branch>\d+))?"
        r" args \[(?P<args>.*?)\] grids \[\[(?P<blocks>[\d, ]+)\]\] "
        r"(?:order \[#map\d*\] )?(?:exchange <(?P<exchange>[^>]*)> )?"
        r"\{(?P<properties>.*)\} : .*",
        line,
    )
    if not found:
        raise Unsupported(line)
    # Blocks of kernels that are one launch tell by their number whose they are.
    properties = dict(
        re.findall(r"(\w+) = ([^=]*)(?:, |$)", found["properties"])
    )
    exchange = found["exchange"] and Exchange(
        *map(int, re.findall(r"\d+", found["exchange"]))
    )
    known = {"block", "parts"}
    if exchange:
        known |= {"residents", "shared_memory", "debug_sync_milliseconds"}
    for name in properties.keys() - known:
        raise Unsupported(f"launch.kernel with {name}")
    operands = re.findall(r"%\w+", found["buffers"])
    blocks = math.prod(map(int, found["blocks"].split(",")))
    arguments = tuple(
        _argument(text, operands, exchange, blocks)
        for text in re.findall(r"#launch\.arg<(.*?)>", found["args"])
    )
    return Launch(
        found["kernel"],
        arguments,
        blocks,
        int(properties["block"].removesuffix(" : i64")),
        found["token"],
        tuple(re.findall(r"%\w+", found["after"] or "")),
        int(found["branch"] or 0),
        exchange,
        int(properties.get("shared_memory", "0").removesuffix(" : i64")),
    )


def _argument(text, operands, exchange, tasks):
    buffer = re.fullmatch(r"buffer, operand = (\d+)(?:, offset = (\d+))?", text)
    if buffer:
        return operands[int(buffer[1])], int(buffer[2] or 0)
    other = re.fullmatch(
        r"(sync_state|rank|peer|task_list|task_count)(?:, rank = (\d+))?", text
    )
    map_ = re.fullmatch(
        r"tensor_map, operand = (\d+), sizes = \[(\d+), (\d+)\], "
        r"strides = \[(\d+)\], box = \[(\d+), (\d+)\], swizzle = b(\d+)",
        text,
    )
    if not exchange or not (other or map_):
        raise Unsupported(f"#launch.arg<{text}>")
    if other:
        number = tasks if other[1] == "task_count" else int(other[2] or 0)
        return other[1], number
    operand, *numbers = map(int, map_.groups())
    return "tensor_map", TensorMap(
        operands[operand],
        tuple(numbers[:2]),
        numbers[2],
        tuple(numbers[3:5]),
        numbers[5],
    )
