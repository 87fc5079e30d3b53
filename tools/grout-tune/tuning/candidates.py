"""What is tried: cases with candidates, from the lists that the compiler prints
(`grout-compile --list-tilings`)."""

import dataclasses
import math
import statistics

# Modes in which all products of a chain run in one kernel, so that their
# tilings must go together.
ONE_KERNEL = {"persistent"}

# Of each product, so many of the fastest are combined in chains.
_BEST_OF_EACH = 3


@dataclasses.dataclass
class Candidate:
    mode: str
    tilings: list
    modelled_us: float
    # Whether it is what the model chooses, and mode auto as well.
    model: bool = False
    auto: bool = False
    artifact: str = ""

    @property
    def label(self):
        return f"{self.mode} {' '.join(self.tilings)}"


@dataclasses.dataclass
class Case:
    """A product, or a function with several."""

    kind: str
    key: str
    name: str
    inputs: list
    outputs: list
    flops: float
    # MLIR of the function, without the tilings.
    source: str
    # The model's choice is the first of its mode.
    candidates: list

    def text(self, candidate):
        """A module with the function and a list of its products' tilings, as
        the compiler's pass tgemm-apply-tilings takes it."""
        tilings = ", ".join(
            f"#tgemm.tiling{tiling}" for tiling in candidate.tilings
        )
        return (
            f"module attributes {{tgemm.tilings = [{tilings}]}} {{\n"
            f"{self.source}\n}}\n"
        )

    @property
    def bytes(self):
        width = {"f16": 2, "bf16": 2, "f32": 4}
        return sum(
            math.prod(tensor["shape"]) * width[tensor["type"]]
            for tensor in [*self.inputs, *self.outputs]
        )


def to_json(case):
    return dataclasses.asdict(case)


def from_json(value):
    return Case(
        **{
            **value,
            "candidates": [
                Candidate(**candidate) for candidate in value["candidates"]
            ],
        }
    )


def _by_tiling(product):
    return {item["tiling"]: item for item in product["candidates"]}


def select(product, count):
    """At most `count` candidates of a product: the model's choice, the next
    best, and for a third of them the best of each kind of cluster, of each
    height, with either order of operands, and with tiles in parts, which the
    model may misjudge as a whole."""
    # Python's sort is stable: among equals the compiler's order stays.
    ranked = sorted(product["candidates"], key=lambda item: item["us"])
    chosen = {product["choice"]: _by_tiling(product)[product["choice"]]}

    def add(item):
        if len(chosen) < count:
            chosen.setdefault(item["tiling"], item)

    for item in ranked[: max(1, count * 2 // 3)]:
        add(item)
    kinds = set()
    for item in ranked:
        for kind in (
            ("cluster", *item["cluster"]),
            ("rows", item["rows"], item["swap_ab"]),
            ("parts", item["stream_k"] != 1),
        ):
            if kind not in kinds:
                kinds.add(kind)
                add(item)
    for item in ranked:
        add(item)
    return list(chosen.values())


def product_cases(function, name, count):
    """A case for each product that has a choice."""
    several = len(function["products"]) > 1
    for index, product in enumerate(function["products"]):
        if len(product["candidates"]) < 2:
            continue
        yield Case(
            "product",
            product["key"],
            f"{name} product {index}" if several else name,
            product["inputs"],
            product["outputs"],
            product["flops"],
            product["source"],
            [
                Candidate(
                    "serial",
                    [item["tiling"]],
                    item["us"],
                    model=item["tiling"] == product["choice"],
                )
                for item in select(product, count)
            ],
        )


def _costs(product, times):
    """What each tiling takes: measured, or modelled and as wrong as it is for
    those that were measured."""
    modelled = {item["tiling"]: item["us"] for item in product["candidates"]}
    known = [
        times[tiling] / us for tiling, us in modelled.items() if tiling in times
    ]
    scale = statistics.median(known) if known else 1.0
    return {
        tiling: times.get(tiling, us * scale) for tiling, us in modelled.items()
    }


def _combine(choices, count):
    """The `count` combinations with the least sums; `choices` has pairs of a
    cost and a tiling for each product."""
    best = [(0.0, [])]
    for options in choices:
        best = sorted(
            (
                (total + cost, [*tilings, tiling])
                for total, tilings in best
                for cost, tiling in options
            ),
            key=lambda item: item[0],
        )[:count]
    return best


def _combinations(function, mode, costs, count):
    """Tilings for all products that may be good in `mode`, best first: at least
    `count`, if there are so many."""

    def fastest(allowed):
        return [
            sorted(
                (
                    (cost[item["tiling"]], item["tiling"])
                    for item in product["candidates"]
                    if allowed(item)
                ),
                key=lambda pair: pair[0],
            )[:_BEST_OF_EACH]
            for product, cost in zip(function["products"], costs)
        ]

    if mode not in ONE_KERNEL:
        return _combine(fastest(lambda item: True), count)
    forms = sorted(
        {
            form
            for product in function["products"]
            for item in product["candidates"]
            for form in item["forms"]
        }
    )
    found = [
        pair
        for form in forms
        for pair in _combine(
            fastest(lambda item, form=form: form in item["forms"]), count
        )
    ]
    # Tilings may have several forms in common.
    costs = {tuple(tilings): cost for cost, tilings in found}
    return sorted(
        ((cost, list(tilings)) for tilings, cost in costs.items()),
        key=lambda item: item[0],
    )


def chain_case(function, name, modes, count, times):
    """The case of a function with several products; `times` has what was
    measured of each, by tiling. In each mode there are at most `count`
    candidates."""
    products = function["products"]
    costs = [
        _costs(product, measured) for product, measured in zip(products, times)
    ]
    modelled = [
        {item["tiling"]: item["us"] for item in product["candidates"]}
        for product in products
    ]
    candidates = []
    for mode in modes:
        choice = function["choices"][mode]
        tried = [choice]
        for _, tilings in _combinations(function, mode, costs, count):
            if tilings not in tried and len(tried) < count:
                tried.append(tilings)
        for tilings in tried:
            is_choice = tilings == choice
            us = sum(model[tiling] for model, tiling in zip(modelled, tilings))
            candidates.append(
                Candidate(
                    mode,
                    tilings,
                    us,
                    model=is_choice,
                    auto=is_choice and mode == function["auto"],
                )
            )
    return Case(
        "chain",
        function["key"],
        name,
        function["inputs"],
        function["outputs"],
        function["flops"],
        function["source"],
        candidates,
    )
