// RUN: grout-opt %s --scop-verify-schedule --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels | FileCheck %s
// RUN: grout-compile %s --target=h200 --no-reference --emit=ptx -o - \
// RUN:   | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ grout-opt %s --grout-pipeline="target=h200 reference=false" \
// RUN:   --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null %}

// Truth values have a byte each: sixteen are a vector of 16 bytes.

// CHECK-LABEL: llvm.func @mask_kernel0(
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK-COUNT-16: arith.trunci %{{.*}} : i8 to i1
// CHECK: arith.extui %{{.*}} : i1 to i8
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<16xi8>, !llvm.ptr<1>
// PTX-LABEL: .entry mask_kernel0
// PTX-DAG: ld.global.v4.b32
// PTX: st.global.v4.b32
func.func @mask(%x: tensor<64x256xi1>, %y: tensor<64x256xf32>) -> (tensor<64x256xi1>, tensor<64x256xi32>) {
  %e = tensor.empty() : tensor<64x256xi1>
  %f = tensor.empty() : tensor<64x256xi32>
  %r:2 = scop.kernel ins(%x, %y : tensor<64x256xi1>, tensor<64x256xf32>) outs(%e, %f : tensor<64x256xi1>, tensor<64x256xi32>)
      schedule <[linear band 0 coincident, linear band 0 coincident map thread_x vector 16],
                @S = (d0, d1) -> (d0, d1)> -> tensor<64x256xi1>, tensor<64x256xi32> {
  ^bb0(%X: memref<64x256xi1>, %Y: memref<64x256xf32>, %Z: memref<64x256xi1>, %W: memref<64x256xi32>):
    scop.stmt @S domain [64, 256]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<64x256xi1>, %Y[(d0, d1) -> (d0, d1)] : memref<64x256xf32>)
        writes(%Z[(d0, d1) -> (d0, d1)] : memref<64x256xi1>, %W[(d0, d1) -> (d0, d1)] : memref<64x256xi32>) {
    ^bb0(%a: i1, %b: f32):
      %zero = arith.constant 0.0 : f32
      %positive = arith.cmpf ogt, %b, %zero : f32
      %both = arith.andi %a, %positive : i1
      %number = arith.extui %both : i1 to i32
      scop.yield %both, %number : i1, i32
    }
  }
  return %r#0, %r#1 : tensor<64x256xi1>, tensor<64x256xi32>
}

// Whether any of a row is: across warps, through shared memory.

// CHECK-LABEL: llvm.func @any_kernel0(
// CHECK: llvm.load {{.*}} -> vector<4xi32>
// CHECK: nvvm.shfl.sync bfly
// CHECK: llvm.store %{{.*}} : i8, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i8
// CHECK: llvm.store %{{.*}} : i8, !llvm.ptr<1>
// PTX-LABEL: .entry any_kernel0
// PTX: ld.global.v4.b32
// PTX: st.shared.b8
// PTX: ld.shared
// PTX: st.global.b8
func.func @any(%x: tensor<4x4096xi1>, %start: tensor<4xi1>) -> tensor<4xi1> {
  %r = scop.kernel ins(%x : tensor<4x4096xi1>) outs(%start : tensor<4xi1>)
      schedule <[linear band 0 coincident, linear band 0 reduction map thread_x vector 16],
                @S = (d0, d1) -> (d0, d1)> -> tensor<4xi1> {
  ^bb0(%X: memref<4x4096xi1>, %Y: memref<4xi1>):
    scop.stmt @S domain [4, 4096]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<4x4096xi1>, %Y[(d0, d1) -> (d0)] : memref<4xi1>)
        writes(%Y[(d0, d1) -> (d0)] : memref<4xi1>) reductions [1] {
    ^bb0(%a: i1, %s: i1):
      %0 = arith.ori %a, %s : i1
      scop.yield %0 : i1
    }
  }
  return %r : tensor<4xi1>
}

// Through a tile.

// CHECK-LABEL: llvm.func @turned_kernel0(
// CHECK: llvm.load {{.*}} : !llvm.ptr<1> -> vector<4xi32>
// CHECK: llvm.store %{{.*}} : i8, !llvm.ptr<3>
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i8
// CHECK: llvm.store {{.*}} : vector<16xi8>, !llvm.ptr<1>
// PTX-LABEL: .entry turned_kernel0
func.func @turned(%x: tensor<512x512xi1>) -> tensor<512x512xi1> {
  %e = tensor.empty() : tensor<512x512xi1>
  %y = scop.kernel ins(%x : tensor<512x512xi1>) outs(%e : tensor<512x512xi1>)
      schedule <[linear band 0 coincident map thread_y, linear band 0 coincident map thread_x vector 16],
                @S = (d0, d1) -> (d0, d1)> -> tensor<512x512xi1> {
  ^bb0(%X: memref<512x512xi1>, %Y: memref<512x512xi1>):
    scop.stmt @S domain [512, 512] reads(%X[(d0, d1) -> (d1, d0)] : memref<512x512xi1>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<512x512xi1>) {
    ^bb0(%a: i1):
      scop.yield %a : i1
    }
  }
  return %y : tensor<512x512xi1>
}
