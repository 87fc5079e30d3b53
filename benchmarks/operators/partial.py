"""A graph in the making: one state of the search."""

from dataclasses import dataclass
from typing import NamedTuple, Optional

from operators.graph import Constant, Node, Store

# What it costs that an output is used by something, and that outputs are not
# in the order of the program.
_USED_OUTPUT = 0.5
_OUT_OF_ORDER = 1.5
# How far the search for values of outputs goes.
_MATCHES = 2000


class Step(NamedTuple):
    """One way to take the next operator: a node, or a store."""

    cost: float
    node: Optional[Node] = None
    store: Optional[Store] = None

    @property
    def taken(self):
        if self.store:
            return self.store.target, self.store.value
        return tuple(
            operand
            for operand in self.node.operands
            if not isinstance(operand, Constant)
        )


@dataclass(frozen=True)
class Partial:
    cost: float
    inputs: tuple
    types: tuple  # Of inputs and results.
    nodes: tuple
    stores: tuple
    unread: tuple  # Inputs without a use, in order.
    dangling: tuple  # Results without a use, in order.
    last: Optional[int]

    @staticmethod
    def start(row):
        return Partial(
            0.0,
            row.inputs,
            row.inputs,
            (),
            (),
            tuple(range(len(row.inputs))),
            (),
            None,
        )

    def type(self, value):
        return self.types[value]

    @property
    def produced(self):
        return range(len(self.inputs), len(self.types))

    def take(self, cost, step):
        """Costs `cost` more."""
        taken = step.taken
        unread = tuple(value for value in self.unread if value not in taken)
        dangling = tuple(value for value in self.dangling if value not in taken)
        cost += self.cost
        if step.store:
            return Partial(
                cost,
                self.inputs,
                self.types,
                self.nodes,
                self.stores + (step.store,),
                unread,
                dangling,
                self.last,
            )
        last = len(self.types)
        return Partial(
            cost,
            self.inputs,
            self.types + (step.node.type,),
            self.nodes + (step.node,),
            self.stores,
            unread,
            dangling + (last,),
            last,
        )

    def match(self, outputs):
        """(cost, value of each output), or None. Values without a use are all
        outputs."""
        if self.unread or len(self.dangling) > len(outputs):
            return None
        stored = {store.value for store in self.stores}
        options = []
        for tensor in outputs:
            # The earliest first, those that are nothing else before others.
            fit = [
                value for value in self.produced if self.types[value] == tensor
            ]
            fit.sort(
                key=lambda value: (
                    value not in self.dangling,
                    value not in stored,
                    value,
                )
            )
            if not fit:
                return None
            options.append(fit)
        tried = 0
        best = None

        def extend(cost, chosen):
            nonlocal tried, best
            tried += 1
            if (best and cost >= best[0]) or tried > _MATCHES:
                return
            left = len(outputs) - len(chosen)
            if len(set(self.dangling) - set(chosen)) > left:
                return
            if not left:
                best = cost, tuple(chosen)
                return
            for value in options[len(chosen)]:
                if value in chosen:
                    continue
                more = (
                    0.0
                    if value in self.dangling or value in stored
                    else _USED_OUTPUT
                )
                if chosen and value < chosen[-1]:
                    more += _OUT_OF_ORDER
                extend(cost + more, chosen + [value])

        extend(0.0, [])
        return best
