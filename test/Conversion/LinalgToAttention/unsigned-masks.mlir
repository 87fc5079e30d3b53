// DEFINE: %{condition} = ule, %%j, %%i
// DEFINE: %{convert} = sed "s/CONDITION/%{condition}/" %s | grout-opt -grout-set-target=name=cpu -convert-linalg-to-attention | FileCheck %s --check-prefix

// Comparisons without a sign are as good as those with one, if neither side can
// be negative.

// RUN: %{convert}=ZERO
// REDEFINE: %{condition} = uge, %%i, %%j
// RUN: %{convert}=ZERO
// REDEFINE: %{condition} = ult, %%j, %%i
// RUN: %{convert}=BEFORE
// REDEFINE: %{condition} = ugt, %%later, %%j
// RUN: %{convert}=AFTER
// REDEFINE: %{condition} = ule, %%wide, %%i
// RUN: %{convert}=ZERO

// A negative number is larger than all that are not.

// REDEFINE: %{condition} = ule, %%j, %%earlier
// RUN: %{convert}=MASK
// REDEFINE: %{condition} = sle, %%large, %%i
// RUN: %{convert}=MASK

// ZERO:       tgemm.attention {{.*}} {causal = 0 : i64, scale
// BEFORE:     tgemm.attention {{.*}} {causal = -1 : i64, scale
// AFTER:      tgemm.attention {{.*}} {causal = 2 : i64, scale
// MASK:       tgemm.attention {{.*}} bias(%{{.*}} : tensor<16x16xf32>) {bias_map = #{{[^,]*}}, scale

#id = affine_map<(b, i, j) -> (b, i, j)>
#q = affine_map<(b, i, j, d) -> (b, i, d)>
#k = affine_map<(b, i, j, d) -> (b, j, d)>
#s = affine_map<(b, i, j, d) -> (b, i, j)>
func.func @f(%q: tensor<3x16x8xf16>, %k: tensor<3x16x8xf16>, %v: tensor<3x16x8xf16>) -> tensor<3x16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %three = arith.constant 3 : index
  %e = tensor.empty() : tensor<3x16x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x16x16xf32>) -> tensor<3x16x16xf32>
  %s = linalg.batch_matmul indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<3x16x8xf16>, tensor<3x16x8xf16>) outs(%z : tensor<3x16x16xf32>) -> tensor<3x16x16xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<3x16x16xf32>) outs(%e : tensor<3x16x16xf32>) {
  ^bb0(%x: f32, %out: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %later = arith.addi %i, %three : index
    %earlier = arith.subi %i, %three : index
    %narrow = arith.index_cast %j : index to i32
    %wide = arith.index_castui %narrow : i32 to index
    %sooner = arith.subi %j, %three : index
    %negative = arith.index_cast %sooner : index to i32
    %large = arith.index_castui %negative : i32 to index
    %c = arith.cmpi CONDITION : index
    %r = arith.select %c, %x, %lowest : f32
    linalg.yield %r : f32
  } -> tensor<3x16x16xf32>
  %p = linalg.softmax dimension(2) ins(%m : tensor<3x16x16xf32>) outs(%e : tensor<3x16x16xf32>) -> tensor<3x16x16xf32>
  %ne = tensor.empty() : tensor<3x16x16xf16>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<3x16x16xf32>) outs(%ne : tensor<3x16x16xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<3x16x16xf16>
  %oe = tensor.empty() : tensor<3x16x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<3x16x8xf32>) -> tensor<3x16x8xf32>
  %o = linalg.batch_matmul ins(%n, %v : tensor<3x16x16xf16>, tensor<3x16x8xf16>) outs(%oz : tensor<3x16x8xf32>) -> tensor<3x16x8xf32>
  return %o : tensor<3x16x8xf32>
}
