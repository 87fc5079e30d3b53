"""MLIR text for operators: functions of linalg on tensors."""


def tensor(shape, dtype):
    return "tensor<" + "".join(f"{extent}x" for extent in shape) + f"{dtype}>"


def identity(rank):
    return [f"d{dim}" for dim in range(rank)]


def _map(rank, results):
    return (
        f"affine_map<({', '.join(identity(rank))}) -> ({', '.join(results)})>"
    )


class Function:
    """A function under construction. Values have the names that they are given;
    arguments come as (name, shape, dtype)."""

    def __init__(self, arguments):
        self._types = {name: (shape, dtype) for name, shape, dtype in arguments}
        self._arguments = list(self._types)
        self._lines = []

    def type(self, name):
        return tensor(*self._types[name])

    def _add(self, name, shape, dtype, line):
        self._types[name] = (shape, dtype)
        self._lines.append(f"  %{name} = {line}")

    def fill(self, name, shape, dtype, value):
        """A tensor of one value."""
        self._add(
            f"{name}_value", (), dtype, f"arith.constant {value} : {dtype}"
        )
        self._add(
            f"{name}_init",
            shape,
            dtype,
            f"tensor.empty() : {tensor(shape, dtype)}",
        )
        type_ = tensor(shape, dtype)
        self._add(
            name,
            shape,
            dtype,
            f"linalg.fill ins(%{name}_value : {dtype}) "
            f"outs(%{name}_init : {type_}) -> {type_}",
        )

    def compute(
        self, names, inputs, dtypes, body, extents, start=None, reduced=()
    ):
        """Applies `body`, lines of scalar code that yield the results, at every
        point of loops of `extents`. `inputs` are (value, index results); the
        results have all loops but those of `reduced`, and begin as `start`, or
        undefined."""
        rank = len(extents)
        kept = [dim for dim in range(rank) if dim not in reduced]
        shape = [extents[dim] for dim in kept]
        maps = [_map(rank, results) for _, results in inputs]
        maps += [_map(rank, [f"d{dim}" for dim in kept])] * len(names)
        kinds = ", ".join(
            '"reduction"' if dim in reduced else '"parallel"'
            for dim in range(rank)
        )
        outs = [start or f"{name}_init" for name in names]
        if not start:
            for out, dtype in zip(outs, dtypes):
                self._add(
                    out,
                    shape,
                    dtype,
                    f"tensor.empty() : {tensor(shape, dtype)}",
                )
        scalars = [
            f"%x{i}: {self._types[value][1]}"
            for i, (value, _) in enumerate(inputs)
        ]
        scalars += [f"%o{i}: {dtype}" for i, dtype in enumerate(dtypes)]
        types = ", ".join(tensor(shape, dtype) for dtype in dtypes)
        group = "_".join(names)
        many = len(names) > 1
        self._lines.append(
            f"  %{group}{f':{len(names)}' if many else ''} = linalg.generic "
            f"{{indexing_maps = [{', '.join(maps)}], "
            f"iterator_types = [{kinds}]}} "
            f"ins({', '.join('%' + value for value, _ in inputs)} : "
            f"{', '.join(self.type(value) for value, _ in inputs)}) "
            f"outs({', '.join('%' + out for out in outs)} : {types}) {{\n"
            f"  ^bb0({', '.join(scalars)}):\n"
            + "".join(
                f"    {line.strip()}\n" for line in body.strip().splitlines()
            )
            + f"  }} -> {f'({types})' if many else types}"
        )
        for i, (name, dtype) in enumerate(zip(names, dtypes)):
            key = f"{group}#{i}" if many else name
            self._types[key] = (shape, dtype)

    def text(self, results):
        types = ", ".join(self.type(result) for result in results)
        arguments = ", ".join(
            f"%{name}: {self.type(name)}" for name in self._arguments
        )
        values = ", ".join("%" + result for result in results)
        return (
            f"func.func @operator({arguments}) -> ({types}) {{\n"
            + "\n".join(self._lines)
            + f"\n  return {values} : {types}\n}}\n"
        )
