"""`fit`: finds constants of the model of products that suit measured times."""

import concurrent.futures
import json
import math
import statistics
import subprocess

import compiler
from errors import UserError

from tuning.artifacts import ALL_TILINGS

# Constants of a table that do not affect the time of a product alone.
_OTHERS = ("launchTime", "earlyIdleMemoryLoss", "hiddenShare", "earlyReaders")

# With fewer tilings, a product says little about their order.
_FEWEST_TILINGS = 4

# The factors that the search tries, from the first to the last.
_LARGEST_STEP, _SMALLEST_STEP = 1.3, 1.02

# Beside the mean of chosen / fastest time, the score has these parts: the
# share of choices that are more than 5 % slower; scatter and level of modelled
# / measured; and how far constants are from those at the start of the search,
# as the logarithm of a factor.
_CLOSE = 1.05
_FAR_WEIGHT, _SCATTER_WEIGHT, _LEVEL_WEIGHT, _CHANGE_WEIGHT = (
    0.05,
    0.25,
    0.1,
    0.0005,
)


def products_of(functions, target, database):
    """Returns, for each key, the product with its measured times by tiling, if
    it is a product of the (name, function) pairs that has been measured."""
    products = {}
    for _, function in functions:
        for product in function["products"]:
            times = {
                line["tilings"][0]: line["us"]
                for line in database.lines(target, "product", product["key"])
            }
            if len(times) >= _FEWEST_TILINGS:
                products.setdefault(product["key"], (product, times))
    if not products:
        raise UserError(
            "the database has no product of the inputs, in "
            f"{_FEWEST_TILINGS} tilings at least, for {target}"
        )
    return products


def module_of(products):
    """Returns a module with a function for each product."""
    functions = []
    for number, (product, _) in enumerate(products.values()):
        functions.append(
            product["source"].replace(f"@{product['name']}(", f"@p{number}(", 1)
        )
    return "module {\n" + "\n".join(functions) + "\n}\n"


class Model:
    """Models products with other constants, by means of the compiler."""

    def __init__(self, program, target, products):
        self._command = [
            program,
            "-",
            f"--target={target}",
            f"--list-tilings={ALL_TILINGS}",
        ]
        self._module = module_of(products)
        self._times = [times for _, times in products.values()]

    def _list(self, constants):
        values = ",".join(
            f"{name}={value!r}" for name, value in constants.items()
        )
        options = [f"--constants={values}"] if values else []
        done = subprocess.run(
            [*self._command, *options],
            input=self._module,
            capture_output=True,
            text=True,
            errors="replace",
        )
        if done.returncode != 0:
            raise UserError(compiler.headline(done.stderr.strip()))
        return json.loads(done.stdout)

    def constants(self):
        """Returns the constants in the target's table."""
        found = self._list({}).get("constants")
        if not found:
            raise UserError("the target has no fitted constants")
        return found

    def judge(self, constants):
        """Returns a Judgement of the model with these constants."""
        pairs = []
        functions = self._list(constants)["functions"]
        for function, measured in zip(functions, self._times):
            modelled = {
                item["tiling"]: item["us"]
                for item in function["products"][0]["candidates"]
            }
            pairs.append(
                [
                    (modelled[tiling], us)
                    for tiling, us in measured.items()
                    if tiling in modelled
                ]
            )
        return Judgement([pair for pair in pairs if len(pair) > 1])


class Judgement:
    """Judges (modelled, measured) times of each product's tilings."""

    def __init__(self, products):
        if not products:
            raise UserError("the model lists none of the measured tilings")
        self.ratios = [
            min(times)[1] / min(us for _, us in times) for times in products
        ]
        logs = [
            [math.log(modelled / us) for modelled, us in times]
            for times in products
        ]
        self.scatter = statistics.mean(map(statistics.pstdev, logs))
        self.level = statistics.mean(abs(statistics.mean(one)) for one in logs)

    @property
    def slower(self):
        return statistics.mean(self.ratios) - 1

    @property
    def close(self):
        return sum(ratio <= _CLOSE for ratio in self.ratios)

    @property
    def score(self):
        far = 1 - self.close / len(self.ratios)
        return (
            self.slower
            + _FAR_WEIGHT * far
            + _LEVEL_WEIGHT * self.level
            + _SCATTER_WEIGHT * self.scatter
        )

    def __str__(self):
        return (
            f"within 5 % of the fastest for {self.close} of "
            f"{len(self.ratios)} products, {self.slower:.1%} slower on "
            f"average; scatter {self.scatter:.1%}, level {self.level:.1%}"
        )


class Search:
    """Changes one constant after the other by a factor, as long as that helps,
    and then by a smaller factor."""

    def __init__(self, judge, start, names, jobs, say):
        self._judge, self._start, self._names = judge, start, names
        self._jobs, self._say = jobs, say
        self.best = dict(start)
        self._score = self._score_of(self.best)

    def _score_of(self, constants):
        change = sum(
            abs(math.log(constants[name] / self._start[name]))
            for name in self._names
        )
        return self._judge(constants).score + _CHANGE_WEIGHT * change

    def run(self):
        step = _LARGEST_STEP
        with concurrent.futures.ThreadPoolExecutor(self._jobs) as pool:
            while step >= _SMALLEST_STEP:
                if not self._round(pool, step):
                    step = math.sqrt(step)
        return self.best

    def _round(self, pool, step):
        """Changes each constant by `step` if that is better. Returns whether
        it changed any."""
        before = self._score
        for name in self._names:
            tried = [
                {**self.best, name: self.best[name] * factor}
                for factor in (step, 1 / step)
            ]
            score, number = min(zip(pool.map(self._score_of, tried), (0, 1)))
            if score < self._score:
                self._score, self.best = score, tried[number]
        self._say(f"steps of {step - 1:.0%}: score {self._score:.4f}")
        return self._score < before


def names_to_fit(constants):
    """Returns the constants that affect the time of a product alone. A
    constant that is 0 has no part in the model, and a factor does not change
    it."""
    return [
        name
        for name, value in constants.items()
        if value and name not in _OTHERS and not name.startswith("chain.")
    ]


def table(constants, probed):
    """Returns lines for a target's file."""
    lines = []
    for name in (
        "processors",
        "processorThreads",
        "sharedMemory",
        "peakMemoryRate",
        "cacheBytes",
    ):
        if name in probed:
            lines.append(f"  spec.{name} = {_number(probed[name])};")
    lines += [
        f"  spec.clusters[{index}] = {count};"
        for index, count in enumerate(probed.get("clusters", ()))
    ]
    for name, value in constants.items():
        owner = "spec" if name in _OF_SPEC else "constants"
        lines.append(f"  {owner}.{name} = {_number(value)};")
    return "\n".join(lines) + "\n"


_OF_SPEC = ("matrixRate", "memoryRate", "cacheRate", "keptShare", "launchTime")


def _number(value):
    return f"{value:.4g}" if isinstance(value, float) else str(value)
