// RUN: grout-opt %s --convert-linalg-to-scop | FileCheck %s

// Broadcast, elementwise and transpose in one kernel; what is between them is
// local, and what is used elsewhere a result.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>, %[[B:[a-z0-9]+]]: tensor<8xf32>
func.func @chain(%x: tensor<4x8xf32>, %b: tensor<8xf32>) -> (tensor<8x4xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  // CHECK: %[[R:.*]]:2 = scop.kernel ins(%[[B]], %[[X]] : tensor<8xf32>, tensor<4x8xf32>)
  // CHECK-SAME: outs(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x8xf32>, tensor<8x4xf32> {
  // CHECK-NEXT: ^bb0(%[[BA:.*]]: memref<8xf32>, %[[XA:.*]]: memref<4x8xf32>, %[[YA:.*]]: memref<4x8xf32>, %[[TA:.*]]: memref<8x4xf32>):
  // CHECK-NEXT: %[[L:.*]] = scop.local : memref<4x8xf32>
  // CHECK-NEXT: scop.stmt @S0 domain [4, 8] reads(%[[BA]][(d0, d1) -> (d1)] : memref<8xf32>) writes(%[[L]][(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
  // CHECK-NEXT: ^bb0(%[[E:.*]]: f32):
  // CHECK-NEXT: scop.yield %[[E]] : f32
  %bb = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  // CHECK: scop.stmt @S1 domain [4, 8] reads(%[[XA]][(d0, d1) -> (d0, d1)] : memref<4x8xf32>, %[[L]][(d0, d1) -> (d0, d1)] : memref<4x8xf32>) writes(%[[YA]][(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
  // CHECK: arith.addf
  %y = linalg.add ins(%x, %bb : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %et = tensor.empty() : tensor<8x4xf32>
  // CHECK: scop.stmt @S2 domain [8, 4] reads(%[[YA]][(d0, d1) -> (d1, d0)] : memref<4x8xf32>) writes(%[[TA]][(d0, d1) -> (d0, d1)] : memref<8x4xf32>) {
  %t = linalg.transpose ins(%y : tensor<4x8xf32>) outs(%et : tensor<8x4xf32>) permutation = [1, 0]
  // CHECK: return %[[R]]#1, %[[R]]#0
  return %t, %y : tensor<8x4xf32>, tensor<4x8xf32>
}

// Iterators, scalars, constants, and a constant tensor.
// CHECK-LABEL: func.func @scalars
func.func @scalars(%x: tensor<4xf32>, %alpha: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %c = arith.constant dense<3.0> : tensor<4xf32>
  %two = arith.constant 2.0 : f32
  // CHECK: scop.kernel ins(%{{.*}}, %{{.*}} : tensor<4xf32>, f32) outs(%{{.*}} : tensor<4xf32>)
  // CHECK-NEXT: ^bb0(%{{.*}}: memref<4xf32>, %[[ALPHA:.*]]: f32, %{{.*}}: memref<4xf32>):
  // CHECK: ^bb0(%[[A:.*]]: f32):
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %c : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %three: f32, %o: f32):
    // CHECK-DAG: %[[THREE:.*]] = arith.constant 3.0
    // CHECK-DAG: %[[TWO:.*]] = arith.constant 2.0
    // CHECK-DAG: %[[I:.*]] = scop.index 0 : index
    %i = linalg.index 0 : index
    // CHECK: arith.index_cast %[[I]]
    %w = arith.index_cast %i : index to i32
    %f = arith.sitofp %w : i32 to f32
    // CHECK: arith.mulf %[[A]], %[[ALPHA]]
    %0 = arith.mulf %a, %alpha : f32
    // CHECK: arith.mulf %{{.*}}, %[[TWO]]
    %1 = arith.mulf %0, %two : f32
    // CHECK: arith.addf %{{.*}}, %[[THREE]]
    %2 = arith.addf %1, %three : f32
    %3 = arith.addf %2, %f : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// A reduction that starts from zero, in the array of the result.
// CHECK-LABEL: func.func @reduce
func.func @reduce(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: ^bb0(%[[XA:.*]]: memref<4x8xf32>, %[[YA:.*]]: memref<4xf32>):
  // CHECK-NEXT: scop.stmt @S0 domain [4] writes(%[[YA]][(d0) -> (d0)] : memref<4xf32>) {
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.0
  // CHECK-NEXT: scop.yield %[[ZERO]] : f32
  // CHECK: scop.stmt @S1 domain [4, 8] reads(%[[XA]][(d0, d1) -> (d0, d1)] : memref<4x8xf32>, %[[YA]][(d0, d1) -> (d0)] : memref<4xf32>) writes(%[[YA]][(d0, d1) -> (d0)] : memref<4xf32>) reductions [1] {
  %y = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  return %y : tensor<4xf32>
}

// One that starts from a tensor's values has it as the kernel's init.
// CHECK-LABEL: func.func @reduce_onto
// CHECK-SAME: %{{.*}}: tensor<4x8xf32>, %[[START:[a-z0-9]+]]: tensor<8xf32>
func.func @reduce_onto(%x: tensor<4x8xf32>, %start: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: scop.kernel ins(%{{.*}} : tensor<4x8xf32>) outs(%[[START]] : tensor<8xf32>)
  // CHECK: scop.stmt @S0 domain [8, 4] {{.*}} reductions [1] {
  // CHECK: arith.maximumf
  %y = linalg.generic {indexing_maps = [affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (j)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%start : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %m = arith.maximumf %acc, %a : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// A local copy is made where the tensor is used elsewhere, and its result not.
// CHECK-LABEL: func.func @reduce_copy
func.func @reduce_copy(%x: tensor<4x8xf32>, %start: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: ^bb0(%[[SA:.*]]: memref<8xf32>, %[[XA:.*]]: memref<4x8xf32>, %[[YA:.*]]: memref<8xf32>):
  // CHECK-NEXT: %[[L:.*]] = scop.local
  // CHECK-NEXT: scop.stmt @S0 domain [8] reads(%[[SA]][(d0) -> (d0)] : memref<8xf32>) writes(%[[L]][(d0) -> (d0)] : memref<8xf32>) {
  // CHECK: scop.stmt @S1 domain [4, 8] reads(%[[XA]]{{.*}}, %[[L]][(d0, d1) -> (d1)] : memref<8xf32>) writes(%[[L]][(d0, d1) -> (d1)] : memref<8xf32>) reductions [0] {
  %y = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%start : tensor<8xf32>) dimensions = [0]
  %e = tensor.empty() : tensor<8xf32>
  %z = linalg.mul ins(%y, %start : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %z : tensor<8xf32>
}

// More than one operation between the old value and the new: the order stays.
// CHECK-LABEL: func.func @ordered
func.func @ordered(%x: tensor<4x8xf16>, %start: tensor<4xf16>) -> tensor<4xf16> {
  // CHECK: scop.stmt @S0 domain [4, 8]
  // CHECK-NOT: reductions
  // CHECK: scop.yield
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf16>) outs(%start : tensor<4xf16>) {
  ^bb0(%a: f16, %acc: f16):
    %a32 = arith.extf %a : f16 to f32
    %acc32 = arith.extf %acc : f16 to f32
    %s = arith.addf %acc32, %a32 : f32
    %t = arith.truncf %s : f32 to f16
    linalg.yield %t : f16
  } -> tensor<4xf16>
  return %y : tensor<4xf16>
}

// Two ops that update one tensor share its memory, whoever starts.
// CHECK-LABEL: func.func @in_place
// CHECK-SAME: %{{.*}}: tensor<4x8xf32>, %[[START:[a-z0-9]+]]: tensor<4xf32>
func.func @in_place(%x: tensor<4x8xf32>, %start: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: outs(%[[START]] : tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: ^bb0(%[[XA:.*]]: memref<4x8xf32>, %[[YA:.*]]: memref<4xf32>):
  // CHECK-NEXT: scop.stmt @S0 {{.*}} writes(%[[YA]][
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%start : tensor<4xf32>) dimensions = [1]
  // CHECK: scop.stmt @S1 {{.*}} writes(%[[YA]][
  %1 = linalg.reduce { arith.maximumf } ins(%x : tensor<4x8xf32>) outs(%0 : tensor<4xf32>) dimensions = [1]
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @softmax
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  // CHECK-COUNT-1: scop.kernel
  // CHECK: reductions [1] {
  // CHECK: arith.maxnumf
  // CHECK: math.exp
  // CHECK: reductions [1] {
  // CHECK: arith.addf
  // CHECK: arith.divf
  // CHECK-NOT: linalg.
  %y = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Windows that overlap; the operand that only has the window's shape is not read.
// CHECK-LABEL: func.func @pooling
func.func @pooling(%x: tensor<1x9x9x3xf32>, %start: tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32> {
  %window = tensor.empty() : tensor<3x3xf32>
  // CHECK: scop.stmt @S0 domain [1, 4, 4, 3, 3, 3]
  // CHECK-SAME: reads(%{{.*}}[(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d3)] : memref<1x9x9x3xf32>, %{{.*}}[(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)] : memref<1x4x4x3xf32>) writes
  // CHECK-SAME: reductions [4, 5] {
  %y = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%x, %window : tensor<1x9x9x3xf32>, tensor<3x3xf32>) outs(%start : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  return %y : tensor<1x4x4x3xf32>
}

// A result that starts from a constant of one value is read while it is summed.

// CHECK-LABEL: func.func @start_from_constant
// CHECK:         scop.kernel ins(%{{.*}} : tensor<4x8xi64>)
// CHECK:         ^bb0(%{{.*}}: memref<4x8xi64>, %[[SUM:.*]]: memref<4xi64>):
// CHECK:           scop.stmt @S0 domain [4] writes(%[[SUM]][(d0) -> (d0)]
// CHECK:             arith.constant 3 : i64
// CHECK:           scop.stmt @S1 domain [4, 8] reads(%{{.*}}[(d0, d1) -> (d0, d1)] : memref<4x8xi64>, %[[SUM]][(d0, d1) -> (d0)] : memref<4xi64>) writes(%[[SUM]][(d0, d1) -> (d0)] : memref<4xi64>) reductions [1]
func.func @start_from_constant(%x: tensor<4x8xi64>) -> tensor<4xi64> {
  %three = arith.constant dense<3> : tensor<4xi64>
  %0 = linalg.reduce {arith.addi} ins(%x : tensor<4x8xi64>) outs(%three : tensor<4xi64>) dimensions = [1]
  return %0 : tensor<4xi64>
}

// What an op does not write keeps what its output started as, though its region
// does not read that.

// CHECK-LABEL: func.func @diagonal
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[START:.*]]: tensor<4x4xf32>
func.func @diagonal(%x: tensor<4xf32>, %start: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: scop.kernel ins(%[[X]] : tensor<4xf32>) outs(%[[START]] : tensor<4x4xf32>)
  // CHECK: scop.stmt @S0 domain [4] reads({{.*}}) writes(%{{.*}}[(d0) -> (d0, d0)] : memref<4x4xf32>)
  // CHECK-NOT: scop.stmt
  // CHECK: return
  %y = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i, i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%start : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @every_second
func.func @every_second(%x: tensor<4xf32>) -> tensor<8xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  // CHECK: %[[LOCAL:.*]] = scop.local : memref<8xf32>
  // CHECK: scop.stmt @S0 domain [8] writes(%[[LOCAL]][(d0) -> (d0)]
  // CHECK: scop.stmt @S1 domain [4] reads({{.*}}) writes(%[[LOCAL]][(d0) -> (d0 * 2)]
  // CHECK: scop.stmt @S2 domain [8] reads(%[[LOCAL]][(d0) -> (d0)]
  %ones = linalg.fill ins(%one : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (2 * i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%ones : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  %z = linalg.exp ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %z : tensor<8xf32>
}
