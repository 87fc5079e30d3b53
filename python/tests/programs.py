"""Programs that tests compile."""


def product(rows, columns, depth):
    """The function f(x, y) of a matrix product of f16, summed in f32."""
    x, y, z = (
        f"tensor<{m}x{n}xf16>"
        for m, n in ((rows, depth), (depth, columns), (rows, columns))
    )
    sums = f"tensor<{rows}x{columns}xf32>"
    same = "affine_map<(d0, d1) -> (d0, d1)>"
    return f"""func.func @f(%x: {x}, %y: {y}) -> {z} {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : {sums}
  %start = linalg.fill ins(%zero : f32) outs(%e : {sums}) -> {sums}
  %sums = linalg.matmul ins(%x, %y : {x}, {y}) outs(%start : {sums}) -> {sums}
  %narrow = tensor.empty() : {z}
  %z = linalg.generic {{indexing_maps = [{same}, {same}],
      iterator_types = ["parallel", "parallel"]}}
      ins(%sums : {sums}) outs(%narrow : {z}) {{
  ^bb0(%a: f32, %b: f16):
    %r = arith.truncf %a : f32 to f16
    linalg.yield %r : f16
  }} -> {z}
  return %z : {z}
}}"""


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


def branches():
    """The function f(x, w, u) of a product, and of what two kernels that need
    nothing of each other make of it."""
    return """
func.func @f(%x: tensor<256x512xf16>, %w: tensor<512x512xf16>,
    %u: tensor<512x512xf16>) -> (tensor<256x512xf16>, tensor<512xf16>) {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<256x512xf16>
  %start = linalg.fill ins(%zero : f16) outs(%e : tensor<256x512xf16>) -> tensor<256x512xf16>
  %h = linalg.matmul ins(%x, %w : tensor<256x512xf16>, tensor<512x512xf16>)
      outs(%start : tensor<256x512xf16>) -> tensor<256x512xf16>
  %y = linalg.matmul ins(%h, %u : tensor<256x512xf16>, tensor<512x512xf16>)
      outs(%start : tensor<256x512xf16>) -> tensor<256x512xf16>
  %row = tensor.empty() : tensor<512xf16>
  %least = linalg.fill ins(%zero : f16) outs(%row : tensor<512xf16>) -> tensor<512xf16>
  %z = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
      iterator_types = ["reduction", "parallel"]}
      ins(%h : tensor<256x512xf16>) outs(%least : tensor<512xf16>) {
  ^bb0(%a: f16, %b: f16):
    %r = arith.maximumf %a, %b : f16
    linalg.yield %r : f16
  } -> tensor<512xf16>
  return %y, %z : tensor<256x512xf16>, tensor<512xf16>
}"""
