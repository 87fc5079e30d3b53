// RUN: grout-opt %s --grout-set-target=name=cpu --convert-linalg-to-reference | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: grout-opt %s --grout-set-target=name=h200 --convert-linalg-to-reference | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: grout-opt %s --grout-set-target=name=cpu --convert-linalg-to-reference --verify-diagnostics -o /dev/null

// What is read at computed places is the nearest element that there is.

// CHECK-LABEL: @rows_reference_kernel0
// CHECK:         %[[NUMBER:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK:         %[[AT:.*]] = arith.index_cast %[[NUMBER]] : i64 to index
// CHECK:         %[[ABOVE:.*]] = arith.maxsi %[[AT]], %{{.*}} : index
// CHECK:         %[[ROW:.*]] = arith.minsi %[[ABOVE]], %{{.*}} : index
// CHECK:         %[[ADDRESS:.*]] = llvm.getelementptr inbounds|nuw %{{.*}}
// CPU:           llvm.load %[[ADDRESS]] : !llvm.ptr -> f64
// GPU:           llvm.load %[[ADDRESS]] : !llvm.ptr -> f32
func.func @rows(%table: tensor<100x48xf16>, %numbers: tensor<7xi64>) -> tensor<7x48xf16> {
  %e = tensor.empty() : tensor<7x48xf16>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%numbers : tensor<7xi64>) outs(%e : tensor<7x48xf16>) {
  ^bb0(%number: i64, %_: f16):
    %i = arith.index_cast %number : i64 to index
    %j = linalg.index 1 : index
    %x = tensor.extract %table[%i, %j] : tensor<100x48xf16>
    linalg.yield %x : f16
  } -> tensor<7x48xf16>
  return %0 : tensor<7x48xf16>
}

func.func @nothing(%numbers: tensor<7xi64>) -> tensor<7xf16> {
  %table = tensor.empty() : tensor<100xf16>
  %e = tensor.empty() : tensor<7xf16>
  // expected-remark @+1 {{there will be no reference to check 'nothing' against: it gathers from a tensor that nothing has written}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%numbers : tensor<7xi64>) outs(%e : tensor<7xf16>) {
  ^bb0(%number: i64, %_: f16):
    %i = arith.index_cast %number : i64 to index
    %x = tensor.extract %table[%i] : tensor<100xf16>
    linalg.yield %x : f16
  } -> tensor<7xf16>
  return %0 : tensor<7xf16>
}
