"""Makes what shows a defect small."""

import re
import time

_TOKENS = re.compile(rb"\s+|[%@#!]?[\w.$-]+|\"[^\"\n]*\"|->|.", re.S)


class _Budget:
    def __init__(self, test, seconds):
        self._test = test
        self._end = time.monotonic() + seconds

    def is_spent(self):
        return time.monotonic() > self._end

    def holds(self, parts):
        return not self.is_spent() and self._test(b"".join(parts))


def reduce(data, test, seconds=60):
    """The least of `data` for which test(data) is found to hold: indented
    blocks, then lines, then tokens are left out, and values take the place of
    those that are made of them.

    mlir-reduce does less: it knows upstream's dialects, and valid IR, only."""
    budget = _Budget(test, seconds)
    data = _forward(data, budget)
    for split in (_functions, _lines, _TOKENS.findall):
        before = None
        while before != data and not budget.is_spent():
            before = data
            data = b"".join(_without(split(data), budget))
    return data


def _forward(data, budget):
    """Without ops whose users can do with one of their operands instead."""
    lines = _lines(data)
    for i in reversed(range(len(lines))):
        made = re.match(rb"\s*(%[\w]+) = (.*)", lines[i], re.S)
        if not made:
            continue
        for operand in dict.fromkeys(re.findall(rb"%\w+", made[2])):
            rest = lines[:i] + [
                re.sub(made[1] + rb"\b", operand, line)
                for line in lines[i + 1 :]
            ]
            if budget.holds(rest):
                lines = rest
                break
    return b"".join(lines)


def _lines(data):
    return data.splitlines(keepends=True)


def _functions(data):
    """Lines of one indented block are one part."""
    parts = []
    for line in _lines(data):
        if parts and line[:1] in (b" ", b"\t", b"}"):
            parts[-1] += line
        else:
            parts.append(line)
    return parts


def _without(parts, budget):
    """Delta debugging: ever smaller runs of parts are left out."""
    size = len(parts) // 2
    while size:
        start = 0
        while start < len(parts) and not budget.is_spent():
            rest = parts[:start] + parts[start + size :]
            if budget.holds(rest):
                parts = rest
            else:
                start += size
        size //= 2
    return parts
