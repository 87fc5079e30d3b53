"""Programs that tests compile."""


def elementwise(shape, dtype="f32", op="arith.addf"):
    """The function f(x, y) of one op."""
    tensor = f"tensor<{'x'.join(map(str, shape))}x{dtype}>"
    dims = ", ".join(f"d{i}" for i in range(len(shape)))
    map_ = f"affine_map<({dims}) -> ({dims})>"
    kinds = ", ".join(['"parallel"'] * len(shape))
    return f"""func.func @f(%x: {tensor}, %y: {tensor}) -> {tensor} {{
  %e = tensor.empty() : {tensor}
  %z = linalg.generic {{indexing_maps = [{map_}, {map_}, {map_}],
      iterator_types = [{kinds}]}}
      ins(%x, %y : {tensor}, {tensor}) outs(%e : {tensor}) {{
  ^bb0(%a: {dtype}, %b: {dtype}, %c: {dtype}):
    %r = {op} %a, %b : {dtype}
    linalg.yield %r : {dtype}
  }} -> {tensor}
  return %z : {tensor}
}}"""
