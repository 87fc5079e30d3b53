"""What operands and result the next operator may have, and what each choice
costs.

Operands are told apart by where they are from:
  P  the result just before, which nothing has taken
  d  an earlier result that nothing has taken
  u  a result that something has taken
  I  an input that nothing has read; one out of order costs more
  i  an input that something has read
  =  the left operand once more
  c  a constant, which the table does not show
A cost is about -log2 of how often graphs of AKG's own have the form.
"""

from operators import semantics, shapes
from operators.graph import Constant, Node, Store
from operators.partial import Step
from operators.table import Tensor

_BINARY_COSTS = {
    "Add": {
        "dP": 1.1,
        "PI": 2.1,
        "Pc": 2.9,
        "II": 3.8,
        "Ic": 5,
        "Pu": 6,
        "Pi": 6.5,
        "": 9,
    },
    "Mul": {
        "Ic": 1.9,
        "PI": 2.6,
        "Pc": 2.6,
        "II": 3.2,
        "dP": 3.7,
        "P=": 4.7,
        "Pu": 4.6,
        "Pi": 4.8,
        "uc": 5.7,
        "i=": 6.2,
        "I=": 6.2,
        "uI": 6.6,
        "ui": 7,
        "u=": 7,
        "": 9,
    },
    "Sub": {
        "II": 2.2,
        "IP": 2.7,
        "iP": 3,
        "dP": 3,
        "cP": 3.1,
        "PI": 3.5,
        "iu": 5,
        "uP": 5.1,
        "cI": 5.3,
        "Pu": 5.4,
        "ui": 6.4,
        "ci": 6.4,
        "Pi": 6.4,
        "Pd": 7,
        "Pc": 7.7,
        "Ic": 7.7,
        "": 9,
    },
    "RealDiv": {
        "IP": 2.2,
        "Pc": 2.4,
        "dP": 2.5,
        "PI": 3.1,
        "cP": 2.3,
        "II": 3.6,
        "Ic": 3.8,
        "uP": 5.2,
        "Pi": 5.8,
        "Ii": 6.7,
        "": 9,
    },
    "Maximum": {"Pc": 0.4, "Ic": 3.2, "Pi": 3.9, "PI": 4.2, "dP": 5.6, "": 9},
    "Minimum": {"Pc": 0.8, "ic": 2.5, "uc": 2.6, "dP": 3.6, "": 9},
    "Pow": {"Pc": 0.4, "cP": 3, "cu": 3.5, "": 9},
    "compare": {
        "Ic": 0.6,
        "Pc": 2.2,
        "cP": 3.7,
        "II": 4,
        "PI": 4.5,
        "ic": 5,
        "dI": 5,
        "": 9,
    },
    "logical": {"dP": 0.5, "IP": 1, "": 4},
}
_UNARY_COSTS = {"P": 0.8, "I": 1.6, "d": 4, "i": 4, "u": 5}
_CAST_COSTS = {
    ("float16", "float32"): 0,
    ("float32", "float16"): 0,
    ("bool", "float32"): 0,
    ("bool", "float16"): 0.5,
    ("int32", "float32"): 0,
    ("uint32", "int32"): 0,
    ("int32", "float16"): 3,
    ("bool", "int32"): 2,
    ("int32", "bool"): 3,
    ("float32", "int32"): 5,
    ("float32", "bool"): 6,
    ("float16", "bool"): 6,
}
# More, for a type that no input and no output has.
_UNKNOWN_CAST = {"float32": 0, "float16": 3, "bool": 3}
_SELECT_COSTS = {"P": 0.5, "d": 1, "i": 1, "c": 1.5, "I": 2, "u": 2}

# The result before goes without a use: as an output, or for later.
_LEFT_AS_OUTPUT = 0.5
_LEFT = 1.0
_OUT_OF_ORDER = 1.0
_SQUARE = 4.5  # What a square is likelier where it is summed than elsewhere.
_MASK = 3.0  # A constant beside what a comparison gives.
_NOTHING = 3.0  # A sum of one element each; a transposition of equal extents.
_WIDER = 1.5  # A condition that is broadcast.
_AGAIN = 6.0  # A reshape of a reshape.
_RECENT = 4  # Earlier values of each kind that are looked at.
_SHAPES = 10  # Shapes of a result.


def steps(partial, op, row):
    """(cost, Step) of every way to take `op` next."""
    left = 0.0
    if partial.last in partial.dangling:
        left = (
            _LEFT_AS_OUTPUT
            if partial.type(partial.last) in row.outputs
            else _LEFT
        )
    place = len(partial.nodes) + len(partial.stores) + 1
    summed = row.ops[place : place + 1] == ("ReduceSum",)
    for step in _FAMILIES[op](partial, op, row):
        taken = step.node.operands if step.node else (step.store.value,)
        cost = step.cost + (0.0 if partial.last in taken else left)
        if op == "Mul":
            if summed and taken[0] == taken[1]:
                cost -= _SQUARE
            if isinstance(taken[1], Constant) and _is_mask(partial, taken[0]):
                cost += _MASK
        yield cost, step


def _is_mask(partial, value):
    """A truth value that was cast."""
    if value not in partial.produced:
        return False
    node = partial.nodes[value - len(partial.inputs)]
    return node.op == "Cast" and partial.type(node.operands[0]).dtype == "bool"


def _operands(partial):
    """(kind, value, cost beyond that of the kind)."""
    found = []
    dangling = list(partial.dangling)
    if partial.last in dangling:
        found.append(("P", partial.last, 0.0))
        dangling.remove(partial.last)
    found += [
        ("d", value, 0.4 * age)
        for age, value in enumerate(dangling[: -_RECENT - 1 : -1])
    ]
    seen = set()
    for value in partial.unread:
        if partial.type(value) not in seen:
            seen.add(partial.type(value))
            found.append(("I", value, _OUT_OF_ORDER * (len(seen) > 1)))
    used = [
        value for value in partial.produced if value not in partial.dangling
    ]
    found += [
        ("u", value, 0.6 * age)
        for age, value in enumerate(used[: -_RECENT - 1 : -1])
    ]
    read = [
        value
        for value in range(len(partial.inputs))
        if value not in partial.unread
    ]
    found += [
        ("i", value, 0.6 * age)
        for age, value in enumerate(read[: -_RECENT - 1 : -1])
    ]
    return found


def _uncovered(partial, row):
    """Outputs whose type no result without a use has."""
    left = list(row.outputs)
    for value in partial.dangling:
        if partial.type(value) in left:
            left.remove(partial.type(value))
    return left


def _known(row):
    return list(
        dict.fromkeys(tensor.shape for tensor in row.outputs + row.inputs)
    )


def _form(costs, op, left, right):
    form = costs.get(left + right)
    if op in semantics.COMMUTATIVE:
        other = costs.get(right + left)
        form = min(x for x in (form, other, costs[""]) if x is not None)
    return costs[""] if form is None else form


def _pairs(partial, op, row, family, dtypes, result):
    """Two operands of one of `dtypes`, or one of them a constant."""
    costs = _BINARY_COSTS[family]
    values = [
        item
        for item in _operands(partial)
        if partial.type(item[1]).dtype in dtypes
    ]
    for kind, value, more in values:
        tensor = partial.type(value)
        type_ = Tensor(result or tensor.dtype, tensor.shape)
        if family != "logical":
            yield Step(
                _form(costs, op, kind, "c") + more,
                Node(
                    op,
                    (
                        value,
                        Constant(semantics.constant(op, tensor.dtype, False)),
                    ),
                    type_,
                ),
            )
            if op not in semantics.COMMUTATIVE:
                yield Step(
                    _form(costs, op, "c", kind) + more,
                    Node(
                        op,
                        (
                            Constant(
                                semantics.constant(op, tensor.dtype, True)
                            ),
                            value,
                        ),
                        type_,
                    ),
                )
        for other_kind, other, other_more in values + [("=", value, 0.0)]:
            if other == value and other_kind != "=" and kind != "I":
                continue
            if kind == other_kind == "I" and other == value:
                # The next input of the type.
                rest = [
                    unread
                    for unread in partial.unread
                    if unread != value and partial.type(unread) == tensor
                ]
                if not rest:
                    continue
                other, other_more = rest[0], 0.0
            if op in semantics.COMMUTATIVE and other < value:
                continue
            right = partial.type(other)
            if right.dtype != tensor.dtype:
                continue
            shape = shapes.broadcast(tensor.shape, right.shape)
            if shape is None:
                continue
            cost = _form(costs, op, kind, other_kind) + more + other_more
            if shape not in (tensor.shape, right.shape):
                cost += 1.0 if shape in _known(row) else 4.0
            yield Step(
                cost,
                Node(op, (value, other), Tensor(result or tensor.dtype, shape)),
            )


def _binary(partial, op, row):
    dtypes = semantics.FLOATS if op in ("RealDiv", "Pow") else semantics.NUMBERS
    yield from _pairs(partial, op, row, op, dtypes, None)


def _compare(partial, op, row):
    yield from _pairs(partial, op, row, "compare", semantics.NUMBERS, "bool")


def _logical(partial, op, row):
    yield from _pairs(partial, op, row, "logical", ("bool",), "bool")


def _complex(partial, op, row):
    for step in _pairs(
        partial, "LogicalOr", row, "logical", ("float32",), "complex64"
    ):
        yield step._replace(node=Node(op, step.node.operands, step.node.type))


def _unaries(partial, dtypes):
    for kind, value, more in _operands(partial):
        if partial.type(value).dtype in dtypes:
            yield value, partial.type(value), _UNARY_COSTS[kind] + more


def _simple(dtypes, result=None):
    def family(partial, op, row):
        for value, tensor, cost in _unaries(partial, dtypes):
            yield Step(
                cost,
                Node(
                    op, (value,), Tensor(result or tensor.dtype, tensor.shape)
                ),
            )

    return family


def _cast(partial, op, row):
    known = {tensor.dtype for tensor in row.inputs + row.outputs}
    for value, tensor, cost in _unaries(partial, semantics.NUMBERS + ("bool",)):
        for dtype in sorted(known.union(_UNKNOWN_CAST)):
            more = _CAST_COSTS.get((tensor.dtype, dtype))
            if more is not None:
                if dtype not in known:
                    more += _UNKNOWN_CAST[dtype]
                yield Step(
                    cost + more, Node(op, (value,), Tensor(dtype, tensor.shape))
                )


def _cheapest(steps_):
    return sorted(steps_, key=lambda step: step.cost)[:_SHAPES]


def _reshape(partial, op, row):
    for value, tensor, cost in _unaries(partial, semantics.NUMBERS + ("bool",)):
        found = []
        if (
            value in partial.produced
            and partial.nodes[value - len(row.inputs)].op == op
        ):
            cost += _AGAIN
        for shape, more in shapes.reshapes(tensor.shape, _known(row)):
            type_ = Tensor(tensor.dtype, shape)
            more += 0.0 if type_ in row.outputs else 0.3
            found.append(Step(cost + more, Node(op, (value,), type_)))
        yield from _cheapest(found)


def _transpose(partial, op, row):
    for value, tensor, cost in _unaries(partial, semantics.NUMBERS):
        found = []
        for shape, order in shapes.permutations(tensor.shape):
            type_ = Tensor(tensor.dtype, shape)
            more = (
                0.0
                if type_ in row.outputs
                else 0.5
                if shape in _known(row)
                else 3.0
            )
            if shape == tensor.shape:
                more += _NOTHING
            found.append(
                Step(
                    cost + more,
                    Node(op, (value,), type_, {"permutation": order}),
                )
            )
        yield from _cheapest(found)


def _reduce(partial, op, row):
    wanted = _uncovered(partial, row)
    unread = {partial.type(value) for value in partial.unread}
    for value, tensor, cost in _unaries(partial, semantics.FLOATS):
        found = []
        for rank, (shape, axes) in enumerate(shapes.reductions(tensor.shape)):
            type_ = Tensor(tensor.dtype, shape)
            if type_ in wanted or type_ in unread:
                more = 0.0
            elif shape in _known(row):
                more = 1.0
            else:
                more = 2.5 + 0.5 * min(rank, 4)
            if type_.elements == tensor.elements:
                more += _NOTHING
            found.append(
                Step(cost + more, Node(op, (value,), type_, {"axes": axes}))
            )
        yield from _cheapest(found)


def _broadcast_to(partial, op, row):
    wanted = _uncovered(partial, row)
    for i, type_ in enumerate(dict.fromkeys(wanted)):
        if type_.dtype in semantics.NUMBERS:
            yield Step(0.2 + 0.8 * (i > 0), Node(op, (Constant(0.0),), type_))
    known = _known(row)
    for shape in known:
        for dtype in sorted(
            {
                tensor.dtype
                for tensor in row.inputs + row.outputs
                if tensor.dtype in semantics.NUMBERS
            }
        ):
            yield Step(2.5, Node(op, (Constant(0.0),), Tensor(dtype, shape)))
    for value, tensor, cost in _unaries(partial, semantics.NUMBERS + ("bool",)):
        for shape in known:
            if (
                shape != tensor.shape
                and shapes.broadcast(tensor.shape, shape) == shape
            ):
                yield Step(
                    cost + 1.5, Node(op, (value,), Tensor(tensor.dtype, shape))
                )


def _conditions(partial):
    """As _operands(), but truth values alone, however long ago they were."""
    found = []
    for value, tensor in enumerate(partial.types):
        if tensor.dtype == "bool":
            if value in partial.produced:
                kind = (
                    "P"
                    if value == partial.last
                    else "d"
                    if value in partial.dangling
                    else "u"
                )
            else:
                kind = "I" if value in partial.unread else "i"
            found.append((kind, value))
    return [
        (kind, value, 0.3 * age)
        for age, (kind, value) in enumerate(found[: -_RECENT - 1 : -1])
    ]


def _select(partial, op, row):
    values = _operands(partial)
    conditions = _conditions(partial)
    others = [
        item
        for item in values
        if partial.type(item[1]).dtype in semantics.NUMBERS
    ]
    for condition_kind, condition, more in conditions:
        more += _SELECT_COSTS[condition_kind]
        for kind, value, left_more in others + [("c", None, 0.0)]:
            for other_kind, other, right_more in others + [("c", None, 0.0)]:
                if value is None or (other == value and kind != "I"):
                    continue
                if kind == other_kind == "I" and other == value:
                    rest = [
                        unread
                        for unread in partial.unread
                        if unread != value
                        and partial.type(unread) == partial.type(value)
                    ]
                    if not rest:
                        continue
                    other = rest[0]
                tensor = partial.type(value)
                shape = shapes.broadcast(
                    partial.type(condition).shape, tensor.shape
                )
                right = Constant(semantics.constant(op, tensor.dtype, False))
                if other is not None:
                    if partial.type(other).dtype != tensor.dtype:
                        continue
                    right = other
                    shape = shape and shapes.broadcast(
                        shape, partial.type(other).shape
                    )
                if shape is None:
                    continue
                cost = (
                    more
                    + left_more
                    + right_more
                    + _SELECT_COSTS[kind]
                    + _SELECT_COSTS[other_kind]
                )
                if shape != partial.type(condition).shape:
                    cost += _WIDER
                type_ = Tensor(tensor.dtype, shape)
                yield Step(cost, Node(op, (condition, value, right), type_))
                if other is None:
                    yield Step(
                        cost + 1.0, Node(op, (condition, right, value), type_)
                    )


def _add_n(partial, op, row):
    for type_ in dict.fromkeys(partial.type(value) for value in partial.unread):
        run = [
            value for value in partial.unread if partial.type(value) == type_
        ]
        free = [
            value for value in partial.dangling if partial.type(value) == type_
        ]
        out_of_order = _OUT_OF_ORDER * (run[0] != partial.unread[0])
        for count in range(len(run), max(0, len(run) - 4), -1):
            cost = 0.5 * (len(run) - count) + out_of_order
            for extra in {tuple(free), ()}:
                if count + len(extra) > 1:
                    yield Step(
                        cost + (free != [] and not extra),
                        Node(op, extra + tuple(run[:count]), type_),
                    )
    for type_ in dict.fromkeys(
        partial.type(value) for value in partial.dangling
    ):
        free = tuple(
            value for value in partial.dangling if partial.type(value) == type_
        )
        if len(free) > 1:
            yield Step(0.5, Node(op, free, type_))


def _store(partial, op, row):
    targets = [("I", value) for value in partial.unread]
    targets += [
        ("i", value)
        for value in range(len(partial.inputs))
        if value not in partial.unread
    ]
    stored = {store.target for store in partial.stores}
    for kind, value, more in _operands(partial):
        if kind in "Ii":
            continue
        cost = more + {"P": 0.5, "d": 1.5, "u": 2.5}[kind]
        seen = set()
        for target_kind, target in targets:
            if (
                partial.type(target) != partial.type(value)
                or target in stored
                or target_kind in seen
            ):
                continue
            seen.add(target_kind)
            yield Step(
                cost + 2.0 * (target_kind == "i"), store=Store(target, value)
            )


def _one_hot(partial, op, row):
    for value, tensor, cost in _unaries(partial, semantics.INTEGERS):
        for shape in _known(row):
            if shape[:-1] == tensor.shape:
                yield Step(cost, Node(op, (value,), Tensor("float32", shape)))


def _pad(partial, op, row):
    """Pads, or what pads takes away, are at the ends."""
    grows = op == "PadAkg"
    for value, tensor, cost in _unaries(partial, semantics.NUMBERS):
        for type_ in dict.fromkeys(row.outputs + row.inputs):
            if (
                type_.dtype == tensor.dtype
                and type_ != tensor
                and len(type_.shape) == len(tensor.shape)
                and all(
                    a <= b if grows else a >= b
                    for a, b in zip(tensor.shape, type_.shape)
                )
            ):
                yield Step(cost, Node(op, (value,), type_))


def _elem_any(partial, op, row):
    for value, _tensor, cost in _unaries(partial, ("bool",)):
        yield Step(cost, Node(op, (value,), Tensor("float32", (1,))))


def _gather(partial, op, row):
    values = [item for item in _operands(partial) if item[0] in "Ii"]
    for _kind, table, more in values:
        for index_kind, index, index_more in values:
            rows = partial.type(index)
            if rows.dtype == "int32" and index != table:
                tensor = partial.type(table)
                yield Step(
                    more + index_more + 2.0 * (index_kind == "i"),
                    Node(
                        op,
                        (table, index),
                        Tensor(tensor.dtype, rows.shape + tensor.shape[1:]),
                    ),
                )


_FAMILIES = {
    **dict.fromkeys(semantics.BINARY, _binary),
    **dict.fromkeys(semantics.COMPARE, _compare),
    **dict.fromkeys(semantics.LOGICAL, _logical),
    **dict.fromkeys(semantics.UNARY, _simple(semantics.FLOATS)),
    **dict.fromkeys(("Neg", "Abs"), _simple(semantics.FLOATS + ("int32",))),
    **dict.fromkeys(semantics.CLASSIFY, _simple(semantics.FLOATS, "bool")),
    **dict.fromkeys(semantics.REDUCE, _reduce),
    **dict.fromkeys(semantics.STORE, _store),
    "AddN": _add_n,
    "BroadcastTo": _broadcast_to,
    "Cast": _cast,
    "Complex": _complex,
    "CReal": _simple(("complex64",), "float32"),
    "CImag": _simple(("complex64",), "float32"),
    "ElemAny": _elem_any,
    "Gather": _gather,
    "LogicalNot": _simple(("bool",)),
    "OneHot": _one_hot,
    "PadAkg": _pad,
    "UnPadAkg": _pad,
    "Reshape": _reshape,
    "Select": _select,
    "Transpose": _transpose,
}
