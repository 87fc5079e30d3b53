"""Chooses cases and candidates to try, from the lists that `grout-compile
--list-tilings` prints."""

import dataclasses
import math
import statistics

# Modes in which all products of a chain run in one kernel, so that their
# tilings must fit together.
ONE_KERNEL = {"persistent"}

# This many of the fastest tilings of each product are combined for chains.
_BEST_OF_EACH = 3


@dataclasses.dataclass
class Candidate:
    mode: str
    tilings: list
    modelled_us: float
    # Whether it is the model's choice for its mode, and also that for mode
    # auto.
    model: bool = False
    auto: bool = False
    artifact: str = ""

    @property
    def label(self):
        return f"{self.mode} {' '.join(self.tilings)}"


@dataclasses.dataclass
class Case:
    """A product, or a function with several products."""

    kind: str
    key: str
    name: str
    inputs: list
    outputs: list
    flops: float
    # MLIR of the function, without the tilings.
    source: str
    # The first candidate of each mode is the model's choice.
    candidates: list

    def text(self, candidate):
        """Returns a module with the function and a list of its products'
        tilings, as the compiler's pass tgemm-apply-tilings takes it."""
        tilings = ", ".join(
            f"#tgemm.tiling{tiling}" for tiling in candidate.tilings
        )
        return (
            f"module attributes {{tgemm.tilings = [{tilings}]}} {{\n"
            f"{self.source}\n}}\n"
        )

    @property
    def bytes(self):
        width = {"f16": 2, "bf16": 2, "f32": 4, "i32": 4}
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
    """Returns at most `count` candidates of a product. The first is the
    model's choice. The fastest by the model fill two thirds. The last third
    has the fastest of each kind that the model may misjudge as a whole: each
    kind of cluster, each height with either order of operands, and with and
    without tiles in parts."""
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
    """Returns a case for each product that has a choice."""
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
    """Returns the time of each tiling: the measured time, or else the modelled
    time, scaled by the median error of the model for the measured tilings."""
    modelled = {item["tiling"]: item["us"] for item in product["candidates"]}
    known = [
        times[tiling] / us for tiling, us in modelled.items() if tiling in times
    ]
    scale = statistics.median(known) if known else 1.0
    return {
        tiling: times.get(tiling, us * scale) for tiling, us in modelled.items()
    }


def _combine(choices, count):
    """Returns the `count` combinations with the least sums. `choices` has
    pairs of a cost and a tiling for each product."""
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
    """Returns tilings for all products that may be good in `mode`, best first.
    There are at least `count`, if so many exist."""

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
    # The same tilings may have several forms in common.
    costs = {tuple(tilings): cost for cost, tilings in found}
    return sorted(
        ((cost, list(tilings)) for tilings, cost in costs.items()),
        key=lambda item: item[0],
    )


def chain_case(function, name, modes, count, times):
    """Returns the case of a function with several products. `times` has the
    measured times of each product, by tiling. Each mode has at most `count`
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
