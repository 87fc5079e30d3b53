"""Makes artifacts that stall: a tile is taken out of the task list, so nobody
computes it, and those that wait for it wait for ever.

The compiler proves that its own artifacts cannot do that, so one is edited.
What is read here of the file is in docs/Artifact.md, Artifact.fbs and the
FlatBuffers format: a table begins with the distance back to its table of field
offsets, a reference is an offset from where it is, and a vector begins with its
length.
"""

import struct

HEADER_SIZE = 64
TASK_SIZE = 16

# Positions of fields in their tables.
ARTIFACT_PLAN = 7
PLAN_LAUNCHES = 1
LAUNCH_TASKS = 4


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
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return value


def drop_task(data):
    """The artifact `data` without the last task of body 0 of its only launch,
    one of the tiles that others wait for."""
    header, payload = data[:HEADER_SIZE], bytearray(data[HEADER_SIZE:])
    plan = find_field(payload, follow(payload, 0), ARTIFACT_PLAN)
    launches = find_field(payload, plan, PLAN_LAUNCHES)
    if read_word(payload, launches) != 1:
        raise ValueError("the artifact has several launches")
    tasks = find_field(payload, follow(payload, launches + 4), LAUNCH_TASKS)
    count, first = read_word(payload, tasks), tasks + 4
    end = first + count * TASK_SIZE
    last = max(at for at in range(first, end, TASK_SIZE)
               if read_word(payload, at) == 0)
    payload[last:end - TASK_SIZE] = payload[last + TASK_SIZE:end]
    struct.pack_into("<I", payload, tasks, count - 1)
    return (header[:24] + struct.pack("<Q", compute_checksum(payload)) +
            header[32:] + bytes(payload))
