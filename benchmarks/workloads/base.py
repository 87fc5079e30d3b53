"""What every kind of workload has."""

import abc
import dataclasses

import json_files

from workloads import ir


@dataclasses.dataclass(frozen=True)
class Workload(abc.ABC):
    """One case: a model's operator at one M, which is rows of its input.

    Every tensor is a row-major matrix of `dtype`. The input and the weights
    come first to last as arguments of the compiled function.
    """

    name: str
    dtype: str
    M: int

    @classmethod
    def cases(cls, entry):
        """The cases of an entry of a configuration, whose M is a list. Raises
        ValueError or TypeError if its fields are not those of a case."""
        known = {field.name for field in dataclasses.fields(cls)}
        if set(entry) != known:
            raise ValueError(
                f"{cls.__name__} '{entry.get('name')}' has the fields "
                f"{sorted(entry)}, and should have {sorted(known)}"
            )
        types = {field.name: field.type for field in dataclasses.fields(cls)}
        cases = [{**entry, "M": m} for m in entry["M"]]
        for case in cases:
            json_files.check_types(case, types)
        return [cls(**case) for case in cases]

    def fields(self):
        return dataclasses.asdict(self)

    @property
    def id(self):
        """Unique in a configuration; names files."""
        return f"{self.name}-m{self.M}"

    @property
    def model(self):
        """Equal for cases that can share weights."""
        return dataclasses.replace(self, M=0)

    @property
    def flops(self):
        """Floating-point operations of the products."""
        return 2 * self.M * sum(k * n for k, n in self.weight_shapes)

    @property
    def bytes(self):
        """Bytes of input, weights and output, each once; both types take 2."""
        shapes = [self.input_shape, self.output_shape, *self.weight_shapes]
        return 2 * sum(rows * columns for rows, columns in shapes)

    @property
    @abc.abstractmethod
    def input_shape(self):
        pass

    @property
    @abc.abstractmethod
    def weight_shapes(self):
        pass

    @property
    @abc.abstractmethod
    def output_shape(self):
        pass

    @property
    @abc.abstractmethod
    def num_products(self):
        """How many tilings `ir` takes: one for each kernel."""

    @abc.abstractmethod
    def ir(self, tilings=None):
        """The function as MLIR text; see ir.function."""

    def arguments(self, weights):
        """Of `ir`, where the weights have these names."""
        shapes = [self.input_shape, *self.weight_shapes]
        return [
            (name, ir.tensor(*shape, self.dtype))
            for name, shape in zip(["x", *weights], shapes, strict=True)
        ]

    @abc.abstractmethod
    def plain(self, torch, x, weights):
        """The result, by PyTorch's ops: the peer `cublas`, and the reference
        when the tensors are f32."""

    def special_peers(self, torch, x, weights):
        """Functions by name that make further peers: a call takes no argument
        and returns a function that computes the result, also without."""
        return {}


@dataclasses.dataclass(frozen=True)
class TransformerWorkload(Workload):
    """From `hidden` columns to as many, by way of `inner` ones."""

    hidden: int
    inner: int

    @property
    def input_shape(self):
        return (self.M, self.hidden)

    @property
    def output_shape(self):
        return self.input_shape
