"""What shapes an operator of the table may make of others.

The table does not say what axes are reduced, how a tensor is permuted, or what
shape it gets: these functions list what is possible, the likeliest first.
"""

import itertools
import math

# Permutations to prefer: between NCHW and NHWC, then heads of attention.
_PERMUTATIONS = ((0, 3, 1, 2), (0, 2, 3, 1), (0, 2, 1, 3))


def broadcast(a, b):
    """The shape of an elementwise operator as in NumPy, or None."""
    if len(a) < len(b):
        a, b = b, a
    result = list(a)
    for i in range(1, len(b) + 1):
        if b[-i] != 1 and a[-i] != 1 and a[-i] != b[-i]:
            return None
        result[-i] = max(a[-i], b[-i])
    return tuple(result)


def squeeze(shape):
    return tuple(extent for extent in shape if extent != 1)


def permute(shape, permutation):
    return tuple(shape[i] for i in permutation)


def permutations(shape):
    """(result, permutation); the first in this order wins among those with one
    result."""
    rank = len(shape)
    orders = [order for order in _PERMUTATIONS if len(order) == rank]
    orders += [
        order
        for order in itertools.permutations(range(rank))
        if order not in orders and order != tuple(range(rank))
    ]
    found = {}
    for order in orders:
        found.setdefault(permute(shape, order), order)
    return list(found.items())


def _permuted(shape):
    """What a Transpose may make `shape` of."""
    if len(shape) < 4:
        return [result for result, _ in permutations(shape)]
    return [
        permute(shape, order)
        for order in reversed(_PERMUTATIONS)
        if len(order) == len(shape)
    ]


def reductions(shape):
    """(result, axes) of every set of axes, kept as extents of 1 or dropped;
    a sum of everything has shape [1]. Of sets with one result the first wins:
    sets of the last axes, of the first, of all but the second, the others."""
    rank = len(shape)
    sets = [tuple(range(i, rank)) for i in range(rank - 1, -1, -1)]
    sets += [tuple(range(i)) for i in range(1, rank)]
    if rank > 2:
        sets.append((0,) + tuple(range(2, rank)))
    for size in range(1, rank):
        sets += [
            axes
            for axes in itertools.combinations(range(rank), size)
            if axes not in sets
        ]
    found = {}
    for axes in sets:
        dropped = tuple(
            extent for i, extent in enumerate(shape) if i not in axes
        ) or (1,)
        kept = tuple(
            1 if i in axes else extent for i, extent in enumerate(shape)
        )
        found.setdefault(kept, axes)
        found.setdefault(dropped, axes)
    return found.items()


def reshapes(shape, known):
    """(shape, cost) with as many elements that are known, broadcast to a known
    one, flatter than this one, permuted like a known one, or a known one with
    one more axis."""
    count = math.prod(shape)
    found = {}
    for other in known:
        if math.prod(other) == count and other != shape:
            found.setdefault(other, 0)
    for other in known:
        for aligned, farther in _aligned(shape, other):
            if aligned != shape:
                found.setdefault(aligned, 4 if farther else 1)
    rank = len(shape)
    for i in range(1, rank):
        found.setdefault((math.prod(shape[:i]),) + shape[i:], 3)
        found.setdefault(shape[:i] + (math.prod(shape[i:]),), 3)
    found.setdefault((count,), 3)
    found.setdefault((1,) + shape, 5)
    found.setdefault(shape + (1,), 5)
    found.setdefault(squeeze(shape) or (1,), 4)
    for other in known:
        size = math.prod(other)
        if other == shape:
            continue
        if size == count:
            for permuted in _permuted(other):
                if permuted != shape:
                    found.setdefault(permuted, 2.5)
        elif count % size == 0:
            # A sum takes the new axis away.
            for i in range(len(other) - 1, -1, -1):
                found.setdefault(other[:i] + (count // size,) + other[i:], 4)
    found.setdefault(shape, 7)
    return found.items()


def _aligned(shape, other):
    """Shapes of as many elements that broadcast to `other`: ones instead of
    some of its extents. Those with the extents of `shape` come first, of them
    the one along axis 1, the channels of NCHW."""
    count = math.prod(shape)
    found = []
    for size in range(1, len(other) + 1):
        for kept in itertools.combinations(range(len(other)), size):
            if 1 in (other[i] for i in kept) or count != math.prod(
                other[i] for i in kept
            ):
                continue
            first = kept[0]
            result = tuple(
                other[i] if i in kept else 1 for i in range(first, len(other))
            )
            same = squeeze(result) == squeeze(shape)
            found.append(((not same, kept != (1,), kept), result))
    for order, result in sorted(found):
        yield result, order[0]


def regroup(source, target):
    """Pairs of runs of axes of equal product, as few axes in each as can be:
    ([axes of source], [axes of target]). Extents of 1 join their neighbours."""
    groups = []
    i = j = 0
    while i < len(source) or j < len(target):
        left, right = [], []
        a = b = 1
        while True:
            if (
                not left
                and not right
                and i < len(source)
                and j < len(target)
                and source[i] == target[j]
            ):
                left, right = [i], [j]
                i += 1
                j += 1
                break
            if (a <= b and i < len(source)) or j == len(target):
                a *= source[i]
                left.append(i)
                i += 1
            else:
                b *= target[j]
                right.append(j)
                j += 1
            if a == b and left and right:
                break
            if i == len(source) and j == len(target):
                break
        # Trailing ones, unless both sides go on with one.
        while (
            i < len(source)
            and source[i] == 1
            and not (j < len(target) and target[j] == 1)
        ):
            left.append(i)
            i += 1
        while (
            j < len(target)
            and target[j] == 1
            and not (i < len(source) and source[i] == 1)
        ):
            right.append(j)
            j += 1
        groups.append((left, right))
    return groups
