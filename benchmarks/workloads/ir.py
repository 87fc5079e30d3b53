"""MLIR text for chains of matrix products with epilogues."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Epilogue:
    """`body` defines %out from %a0, %a1, ... and the constants, all f32."""
    constants: dict
    body: str


@dataclasses.dataclass(frozen=True)
class Product:
    """result = epilogue(lhs * rhs[0], lhs * rhs[1], ...), m x k times k x n.

    Sums are f32. Without an epilogue there is one rhs.
    """
    result: str
    lhs: str
    rhs: tuple
    m: int
    n: int
    k: int
    epilogue: Epilogue = None


def tensor(rows, columns, dtype):
    return f"tensor<{rows}x{columns}x{dtype}>"


def function(name, arguments, products, dtype, tilings=None):
    """A function of (name, type) arguments that returns the last product.

    The products are linalg ops, and the compiler chooses their tiles. With
    `tilings`, one text for each product, they are tgemm ops that have
    `#tgemm.tiling` followed by that text; None leaves that one's to the
    compiler.
    """
    if tilings is None:
        body = _constants(products) + "".join(
            _linalg_product(product, dtype) for product in products)
    else:
        body = "".join(_tgemm_product(product, dtype, tiling)
                       for product, tiling in zip(products, tilings,
                                                  strict=True))
    last = products[-1]
    result = tensor(last.m, last.n, dtype)
    signature = ", ".join(f"%{arg}: {type_}" for arg, type_ in arguments)
    return (f"func.func @{name}({signature}) -> {result} {{\n{body}"
            f"  return %{last.result} : {result}\n}}\n")


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
    body = product.epilogue.body if product.epilogue else ""
    wide = "out" if product.epilogue else "a0"
    return f"{body}    %narrow = arith.truncf %{wide} : f32 to {dtype}\n"


def _linalg_product(product, dtype):
    m, n, k = product.m, product.n, product.k
    wide, narrow = tensor(m, n, "f32"), tensor(m, n, dtype)
    text = f"  %{product.result}_wide = tensor.empty() : {wide}\n"
    text += (f"  %{product.result}_zero = linalg.fill ins(%zero : f32)"
             f" outs(%{product.result}_wide : {wide}) -> {wide}\n")
    sums = []
    for i, rhs in enumerate(product.rhs):
        sums.append(f"%{product.result}_sum{i}")
        text += (f"  {sums[-1]} = linalg.matmul\n"
                 f"    ins(%{product.lhs}, %{rhs} : {tensor(m, k, dtype)},"
                 f" {tensor(k, n, dtype)})\n"
                 f"    outs(%{product.result}_zero : {wide}) -> {wide}\n")
    maps = ", ".join(["affine_map<(i, j) -> (i, j)>"] * (len(sums) + 1))
    types = ", ".join([wide] * len(sums))
    accumulators = "".join(f"%{a}: f32, " for a in _accumulators(product))
    return text + f"""\
  %{product.result}_empty = tensor.empty() : {narrow}
  %{product.result} = linalg.generic {{
    indexing_maps = [{maps}], iterator_types = ["parallel", "parallel"]
  }} ins({", ".join(sums)} : {types})
    outs(%{product.result}_empty : {narrow}) {{
  ^bb0({accumulators}%_: {dtype}):
{_narrowed(product, dtype)}    linalg.yield %narrow : {dtype}
  }} -> {narrow}
"""


def _tgemm_product(product, dtype, tiling):
    m, n, k = product.m, product.n, product.k
    operands = ", ".join(f"%{name}" for name in (product.lhs, *product.rhs))
    types = ", ".join([tensor(m, k, dtype)] +
                      [tensor(k, n, dtype)] * len(product.rhs))
    attributes = f" {{tiling = #tgemm.tiling{tiling}}}" if tiling else ""
    accumulators = ", ".join(f"%{a}: f32" for a in _accumulators(product))
    constants = product.epilogue.constants if product.epilogue else {}
    constants = "".join(_constant(*item, "    ") for item in constants.items())
    return f"""\
  %{product.result} = tgemm.matmul {operands}{attributes}
    : {types} -> {tensor(m, n, dtype)} {{
  ^bb0({accumulators}):
{constants}{_narrowed(product, dtype)}    tgemm.yield %narrow : {dtype}
  }}
"""
