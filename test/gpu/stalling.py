"""Makes artifacts that stall: tiles are taken out of the task loops, so nobody
computes them, and those that wait for them wait for ever.

The compiler proves that its own artifacts cannot do that, so one is edited.
What is read here of the file is in docs/Artifact.md, Artifact.fbs and the
FlatBuffers format: a table begins with the distance back to its table of field
offsets, a reference is an offset from where it is, and a vector begins with its
length.
"""

import struct

HEADER_SIZE = 64

# Positions of fields in their tables.
ARTIFACT_PLAN = 7
PLAN_LAUNCHES = 1
LAUNCH_TASK_LOOPS = 17
TASK_LOOPS_GRID = 1


def read_word(data, at):
    return struct.unpack_from("<I", data, at)[0]


def follow(data, at):
    """Where the reference at `at` points to."""
    return at + read_word(data, at)


def find_field(data, table, position):
    """Where the reference in a table's field is."""
    offsets = table - struct.unpack_from("<i", data, table)[0]
    size, entry = struct.unpack_from("<H", data, offsets)[0], 4 + 2 * position
    offset = entry < size and struct.unpack_from("<H", data, offsets + entry)[0]
    if not offset:
        raise ValueError(f"a table of the artifact has no field {position}")
    return follow(data, table + offset)


def compute_checksum(data):
    """64-bit FNV-1a."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def drop_tiles(data):
    """The artifact `data` without the last tiles, along some dimension, of the
    first body of its only launch, for some of which others wait."""
    header, payload = data[:HEADER_SIZE], bytearray(data[HEADER_SIZE:])
    plan = find_field(payload, follow(payload, 0), ARTIFACT_PLAN)
    launches = find_field(payload, plan, PLAN_LAUNCHES)
    if read_word(payload, launches) != 1:
        raise ValueError("the artifact has several launches")
    nests = find_field(
        payload, follow(payload, launches + 4), LAUNCH_TASK_LOOPS
    )
    grid = find_field(payload, follow(payload, nests + 4), TASK_LOOPS_GRID)
    extents = range(grid + 4, grid + 4 + 4 * read_word(payload, grid), 4)
    at = next(at for at in extents if read_word(payload, at) > 1)
    struct.pack_into("<I", payload, at, read_word(payload, at) - 1)
    return (
        header[:24]
        + struct.pack("<Q", compute_checksum(payload))
        + header[32:]
        + bytes(payload)
    )
