"""MLIR text for chains of matrix products with epilogues."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Epilogue:
    """`body` defines %out from %a0, %a1, ..., what the product's addends have
    at the element, %b0, ..., and the constants, all f32."""

    constants: dict
    body: str


@dataclasses.dataclass(frozen=True)
class Product:
    """result = epilogue(lhs * rhs[0], lhs * rhs[1], ...), m x k times k x n.

    Sums are f32. Without an epilogue there is one rhs. Addends are matrices of
    the result's shape and type.
    """

    result: str
    lhs: str
    rhs: tuple
    m: int
    n: int
    k: int
    epilogue: Epilogue = None
    addends: tuple = ()


@dataclasses.dataclass(frozen=True)
class LayerNorm:
    """result = (source - mean) / sqrt(variance + 1e-5), by rows; m x n."""

    result: str
    source: str
    m: int
    n: int


ADD = Epilogue(
    {},
    """    %out = arith.addf %a0, %b0 : f32
""",
)


def tensor(rows, columns, dtype):
    return f"tensor<{rows}x{columns}x{dtype}>"


def function(name, arguments, steps, dtype, tilings=None):
    """A function of (name, type) arguments that returns the last of `steps`,
    which are products and layer norms.

    The products are linalg ops, and the compiler chooses their tiles. With
    `tilings`, one text for each product, they are tgemm ops that have
    `#tgemm.tiling` followed by that text; None leaves that one's to the
    compiler.
    """
    products = [step for step in steps if isinstance(step, Product)]
    if tilings is not None and len(tilings) != len(products):
        raise ValueError(f"{len(tilings)} tilings for {len(products)} products")
    rest = iter(tilings or [])
    body = _constants(products) if tilings is None else ""
    for step in steps:
        if isinstance(step, LayerNorm):
            body += _layer_norm(step, dtype)
        elif tilings is None:
            body += _linalg_product(step, dtype)
        else:
            body += _tgemm_product(step, dtype, next(rest))
    last = products[-1]
    result = tensor(last.m, last.n, dtype)
    signature = ", ".join(f"%{arg}: {type_}" for arg, type_ in arguments)
    return (
        f"func.func @{name}({signature}) -> {result} {{\n{body}"
        f"  return %{last.result} : {result}\n}}\n"
    )


def _constant(name, value, indent):
    return f"{indent}%{name} = arith.constant {value} : f32\n"


def _constants(products):
    constants = {"zero": "0.0"}
    for product in products:
        if product.epilogue:
            constants.update(product.epilogue.constants)
    return "".join(_constant(*item, "  ") for item in constants.items())


def _accumulators(product):
    return [f"a{i}" for i in range(len(product.rhs))]


def _narrowed(product, dtype):
    """Text that defines %narrow, an element of the result."""
    body = "".join(
        f"    %b{i} = arith.extf %e{i} : {dtype} to f32\n"
        for i in range(len(product.addends))
    )
    body += product.epilogue.body if product.epilogue else ""
    wide = "out" if product.epilogue else "a0"
    return f"{body}    %narrow = arith.truncf %{wide} : f32 to {dtype}\n"


def _linalg_product(product, dtype):
    m, n, k = product.m, product.n, product.k
    wide, narrow = tensor(m, n, "f32"), tensor(m, n, dtype)
    text = f"  %{product.result}_wide = tensor.empty() : {wide}\n"
    text += (
        f"  %{product.result}_zero = linalg.fill ins(%zero : f32)"
        f" outs(%{product.result}_wide : {wide}) -> {wide}\n"
    )
    sums = []
    for i, rhs in enumerate(product.rhs):
        sums.append(f"%{product.result}_sum{i}")
        text += (
            f"  {sums[-1]} = linalg.matmul\n"
            f"    ins(%{product.lhs}, %{rhs} : {tensor(m, k, dtype)},"
            f" {tensor(k, n, dtype)})\n"
            f"    outs(%{product.result}_zero : {wide}) -> {wide}\n"
        )
    operands = sums + [f"%{name}" for name in product.addends]
    maps = ", ".join(["affine_map<(i, j) -> (i, j)>"] * (len(operands) + 1))
    types = ", ".join([wide] * len(sums) + [narrow] * len(product.addends))
    accumulators = "".join(f"%{a}: f32, " for a in _accumulators(product))
    accumulators += "".join(
        f"%e{i}: {dtype}, " for i in range(len(product.addends))
    )
    return (
        text
        + f"""\
  %{product.result}_empty = tensor.empty() : {narrow}
  %{product.result} = linalg.generic {{
    indexing_maps = [{maps}], iterator_types = ["parallel", "parallel"]
  }} ins({", ".join(operands)} : {types})
    outs(%{product.result}_empty : {narrow}) {{
  ^bb0({accumulators}%_: {dtype}):
{_narrowed(product, dtype)}    linalg.yield %narrow : {dtype}
  }} -> {narrow}
"""
    )


def _tgemm_product(product, dtype, tiling):
    m, n, k = product.m, product.n, product.k
    operands = ", ".join(f"%{name}" for name in (product.lhs, *product.rhs))
    types = ", ".join(
        [tensor(m, k, dtype)] + [tensor(k, n, dtype)] * len(product.rhs)
    )
    attributes = [f"tiling = #tgemm.tiling{tiling}"] if tiling else []
    accumulators = ", ".join(
        [f"%{a}: f32" for a in _accumulators(product)]
        + [f"%e{i}: {dtype}" for i in range(len(product.addends))]
    )
    inputs = ""
    if product.addends:
        names = ", ".join(f"%{name}" for name in product.addends)
        shapes = ", ".join([tensor(m, n, dtype)] * len(product.addends))
        inputs = f" epilogue({names} : {shapes})"
        maps = ", ".join(
            ["affine_map<(i, j) -> (i, j)>"] * len(product.addends)
        )
        attributes.append(f"epilogue_maps = [{maps}]")
    attributes = f" {{{', '.join(attributes)}}}" if attributes else ""
    constants = product.epilogue.constants if product.epilogue else {}
    constants = "".join(_constant(*item, "    ") for item in constants.items())
    return f"""\
  %{product.result} = tgemm.matmul {operands}{inputs}{attributes}
    : {types} -> {tensor(m, n, dtype)} {{
  ^bb0({accumulators}):
{constants}{_narrowed(product, dtype)}    tgemm.yield %narrow : {dtype}
  }}
"""


def _layer_norm(norm, dtype):
    """Sums in f32: of the elements, then of the squares of what is left when
    their mean is subtracted."""
    name, source = norm.result, norm.source
    matrix, rows = tensor(norm.m, norm.n, dtype), f"tensor<{norm.m}xf32>"
    row, point = "affine_map<(i, j) -> (i)>", "affine_map<(i, j) -> (i, j)>"
    centered = f"""    %wide = arith.extf %e : {dtype} to f32
    %mean = arith.mulf %sum, %{name}_share : f32
    %centered = arith.subf %wide, %mean : f32
"""
    return f"""\
  %{name}_nothing = arith.constant 0.0 : f32
  %{name}_share = arith.constant {1 / norm.n!r} : f32
  %{name}_epsilon = arith.constant 1.0e-5 : f32
  %{name}_rows = tensor.empty() : {rows}
  %{name}_start = linalg.fill ins(%{name}_nothing : f32)
    outs(%{name}_rows : {rows}) -> {rows}
  %{name}_sums = linalg.generic {{
    indexing_maps = [{point}, {row}], iterator_types = ["parallel", "reduction"]
  }} ins(%{source} : {matrix}) outs(%{name}_start : {rows}) {{
  ^bb0(%e: {dtype}, %sum: f32):
    %wide = arith.extf %e : {dtype} to f32
    %next = arith.addf %sum, %wide : f32
    linalg.yield %next : f32
  }} -> {rows}
  %{name}_squares = linalg.generic {{
    indexing_maps = [{point}, {row}, {row}],
    iterator_types = ["parallel", "reduction"]
  }} ins(%{source}, %{name}_sums : {matrix}, {rows})
    outs(%{name}_start : {rows}) {{
  ^bb0(%e: {dtype}, %sum: f32, %squares: f32):
{centered}    %square = arith.mulf %centered, %centered : f32
    %next = arith.addf %squares, %square : f32
    linalg.yield %next : f32
  }} -> {rows}
  %{name}_empty = tensor.empty() : {matrix}
  %{name} = linalg.generic {{
    indexing_maps = [{point}, {row}, {row}, {point}],
    iterator_types = ["parallel", "parallel"]
  }} ins(%{source}, %{name}_sums, %{name}_squares : {matrix}, {rows}, {rows})
    outs(%{name}_empty : {matrix}) {{
  ^bb0(%e: {dtype}, %sum: f32, %squares: f32, %_: {dtype}):
{centered}    %variance = arith.mulf %squares, %{name}_share : f32
    %shifted = arith.addf %variance, %{name}_epsilon : f32
    %inverse = math.rsqrt %shifted : f32
    %normal = arith.mulf %centered, %inverse : f32
    %narrow = arith.truncf %normal : f32 to {dtype}
    linalg.yield %narrow : {dtype}
  }} -> {matrix}
"""
