"""linalg for the MLPs of transformers: plain (GELU) and gated (SwiGLU)."""


def _matmul(name, lhs, rhs, m, n, k, dtype):
    return f"""
  %{name}_empty = tensor.empty() : tensor<{m}x{n}xf32>
  %{name}_init = linalg.fill ins(%zero : f32) outs(%{name}_empty : tensor<{m}x{n}xf32>)
    -> tensor<{m}x{n}xf32>
  %{name} = linalg.matmul
    ins(%{lhs}, %{rhs} : tensor<{m}x{k}x{dtype}>, tensor<{k}x{n}x{dtype}>)
    outs(%{name}_init : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
"""


def _elementwise(name, operands, m, n, dtype, body):
    """`body` defines %out, in f32, from %a0, %a1, ..."""
    maps = ", ".join(["affine_map<(i, j) -> (i, j)>"] * (len(operands) + 1))
    types = ", ".join([f"tensor<{m}x{n}xf32>"] * len(operands))
    inputs = ", ".join(f"%{operand}" for operand in operands)
    arguments = ", ".join(f"%a{i}: f32" for i in range(len(operands)))
    return f"""
  %{name}_empty = tensor.empty() : tensor<{m}x{n}x{dtype}>
  %{name} = linalg.generic {{
    indexing_maps = [{maps}], iterator_types = ["parallel", "parallel"]
  }} ins({inputs} : {types}) outs(%{name}_empty : tensor<{m}x{n}x{dtype}>) {{
  ^bb0({arguments}, %_: {dtype}):
{body}    %cast = arith.truncf %out : f32 to {dtype}
    linalg.yield %cast : {dtype}
  }} -> tensor<{m}x{n}x{dtype}>
"""


_GELU_TANH = """    %v2 = arith.mulf %a0, %a0 : f32
    %v3 = arith.mulf %v2, %a0 : f32
    %c3 = arith.mulf %v3, %cubic : f32
    %inner = arith.addf %a0, %c3 : f32
    %scaled = arith.mulf %inner, %root : f32
    %tanh = math.tanh %scaled : f32
    %sum = arith.addf %tanh, %one : f32
    %halved = arith.mulf %a0, %half : f32
    %out = arith.mulf %halved, %sum : f32
"""

_SWIGLU = """    %negated = arith.negf %a0 : f32
    %exp = math.exp %negated : f32
    %denominator = arith.addf %exp, %one : f32
    %silu = arith.divf %a0, %denominator : f32
    %out = arith.mulf %silu, %a1 : f32
"""

_CONSTANTS = """  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %cubic = arith.constant 0.044715 : f32
  %root = arith.constant 0.7978845608 : f32
"""


def mlp(m, hidden, inner, gated, dtype="f16"):
    """y = act(x w1) w2, or y = (silu(x w_gate) * (x w_up)) w_down.

    x is m x hidden; weights are row-major. Products accumulate in f32.
    """
    x = f"%x: tensor<{m}x{hidden}x{dtype}>"
    narrow = f"tensor<{hidden}x{inner}x{dtype}>"
    wide = f"tensor<{inner}x{hidden}x{dtype}>"
    result = f"tensor<{m}x{hidden}x{dtype}>"
    if gated:
        arguments = f"{x}, %wg: {narrow}, %wu: {narrow}, %wd: {wide}"
        body = _matmul("gate", "x", "wg", m, inner, hidden, dtype)
        body += _matmul("up", "x", "wu", m, inner, hidden, dtype)
        body += _elementwise("h", ["gate", "up"], m, inner, dtype, _SWIGLU)
        body += _matmul("acc", "h", "wd", m, hidden, inner, dtype)
    else:
        arguments = f"{x}, %w1: {narrow}, %w2: {wide}"
        body = _matmul("product", "x", "w1", m, inner, hidden, dtype)
        body += _elementwise("h", ["product"], m, inner, dtype, _GELU_TANH)
        body += _matmul("acc", "h", "w2", m, hidden, inner, dtype)
    body += _elementwise("y", ["acc"], m, hidden, dtype,
                         "    %out = arith.addf %a0, %zero : f32\n")
    return (f"func.func @mlp({arguments}) -> {result} {{\n{_CONSTANTS}{body}"
            f"  return %y : {result}\n}}\n")
