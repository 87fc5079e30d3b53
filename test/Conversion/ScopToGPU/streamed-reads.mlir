// What is larger than the cache, and read once by a kernel that writes little,
// need not be kept.
//
// RUN: grout-compile %s --target=h200 --no-reference --emit=ptx -o - \
// RUN:   | FileCheck %s
// RUN: %if ptxas %{ grout-opt %s --grout-pipeline="target=h200 reference=false" \
// RUN:   --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null %}

#full = affine_map<(b, m, n) -> (b, m, n)>
#kept = affine_map<(b, m, n) -> (b, n)>

// 100 MB.
//
// CHECK-LABEL: .entry large_kernel0
// CHECK-COUNT-8: ld.global.L1::no_allocate.v4.b32
// CHECK: st.global.v4.b32
func.func @large(%x: tensor<64x512x768xf32>) -> tensor<64x768xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x768xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x768xf32>) -> tensor<64x768xf32>
  %y = linalg.generic {indexing_maps = [#full, #kept],
      iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x : tensor<64x512x768xf32>) outs(%z : tensor<64x768xf32>) {
  ^bb0(%a: f32, %s: f32):
    %r = arith.addf %a, %s : f32
    linalg.yield %r : f32
  } -> tensor<64x768xf32>
  return %y : tensor<64x768xf32>
}

// 12 MB, which may be of use to others.
//
// CHECK-LABEL: .entry small_kernel0
// CHECK-NOT: no_allocate
// CHECK: st.global
func.func @small(%x: tensor<64x64x768xf32>) -> tensor<64x768xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x768xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x768xf32>) -> tensor<64x768xf32>
  %y = linalg.generic {indexing_maps = [#full, #kept],
      iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x : tensor<64x64x768xf32>) outs(%z : tensor<64x768xf32>) {
  ^bb0(%a: f32, %s: f32):
    %r = arith.addf %a, %s : f32
    linalg.yield %r : f32
  } -> tensor<64x768xf32>
  return %y : tensor<64x768xf32>
}

// One part of the array is read for all others, too.
//
// CHECK-LABEL: .entry twice_kernel0
// CHECK-NOT: no_allocate
// CHECK: st.global
func.func @twice(%x: tensor<64x512x768xf32>) -> tensor<64x768xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x768xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x768xf32>) -> tensor<64x768xf32>
  %y = linalg.generic {indexing_maps = [#full, affine_map<(b, m, n) -> (0, m, n)>, #kept],
      iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x, %x : tensor<64x512x768xf32>, tensor<64x512x768xf32>)
      outs(%z : tensor<64x768xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %p, %s : f32
    linalg.yield %r : f32
  } -> tensor<64x768xf32>
  return %y : tensor<64x768xf32>
}

// As much is written as is read.
//
// CHECK-LABEL: .entry map_kernel0
// CHECK-NOT: no_allocate
// CHECK: st.global.v4.b32
func.func @map(%x: tensor<64x512x768xf32>) -> tensor<64x512x768xf32> {
  %e = tensor.empty() : tensor<64x512x768xf32>
  %y = linalg.exp ins(%x : tensor<64x512x768xf32>)
      outs(%e : tensor<64x512x768xf32>) -> tensor<64x512x768xf32>
  return %y : tensor<64x512x768xf32>
}
