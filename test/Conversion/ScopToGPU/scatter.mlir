// RUN: grout-opt %s --scop-verify-schedule --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels | FileCheck %s
// RUN: grout-compile %s --target=h200 --no-reference --emit=ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ grout-opt %s --grout-pipeline="target=h200 reference=false" \
// RUN:   --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null %}
// RUN: not grout-compile %s --target=cpu -o /dev/null 2>&1 | FileCheck %s --check-prefix=CPU

// Elements at places of the table are written, each thread's own, which are
// neighbours in a row; a place that is outside ends the kernel with a message.

// CHECK-DAG:     llvm.mlir.global private constant @[[TEXT:assertion_text[0-9]+]]("no such row\00")
// CHECK-DAG:     llvm.func @__assertfail(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64) attributes {passthrough = ["noreturn"]}
// CHECK-LABEL:   llvm.func @scatter_kernel0(
// CHECK:           %[[AT:.*]] = llvm.load {{.*}} : !llvm.ptr<1> -> i64
// CHECK:           %[[INSIDE:.*]] = arith.cmpi ult, %{{.*}}, %c100_i64
// CHECK:           scf.if %[[INSIDE]] {
// CHECK:             llvm.store %{{.*}}, %{{.*}} {alignment = 8 : i64} : vector<4xf16>, !llvm.ptr<1>
// CHECK:           } else {
// CHECK:             llvm.mlir.addressof @[[TEXT]]
// CHECK:             llvm.call @__assertfail
// PTX-LABEL:     .entry scatter_kernel0(
// PTX:             ld.global.b64 [[AT:%rd[0-9]+]]
// PTX:             setp.{{lt.u64|gt.u64}} %p{{[0-9]+}}, [[AT]], {{100|99}};
// PTX:             st.global.v2.b32
// PTX-NOT:         st.global.b16
// CPU: error: 'scop.scatter' op cannot be compiled for the CPU: kernels have no assertions there
func.func @scatter(%x: tensor<4x16xf16>, %n: tensor<4xi64>, %t: tensor<100x16xf16> {grout.in_place = 0})
    -> tensor<100x16xf16> {
  %r = scop.kernel ins(%x, %n : tensor<4x16xf16>, tensor<4xi64>) outs(%t : tensor<100x16xf16>)
      schedule <[linear band 0 coincident map thread_y, linear band 0 coincident map thread_x vector 4],
                @S = (d0, d1) -> (d0, d1)> -> tensor<100x16xf16> {
  ^bb0(%X: memref<4x16xf16>, %N: memref<4xi64>, %T: memref<100x16xf16>):
    scop.stmt @S domain [4, 16]
        reads(%N[(d0, d1) -> (d0)] : memref<4xi64>, %X[(d0, d1) -> (d0, d1)] : memref<4x16xf16>) {
    ^bb0(%at: i64, %v: f16):
      %i = arith.index_cast %at : i64 to index
      %j = scop.index 1 : index
      scop.scatter %v into %T[%i, %j] message "no such row" : memref<100x16xf16>
      scop.yield
    }
  }
  return %r : tensor<100x16xf16>
}
