// RUN: grout-opt %s --define-integer-division --split-input-file | FileCheck %s

// CHECK-LABEL: func @unsigned(
// CHECK-SAME:    %[[X:.*]]: i32, %[[Y:.*]]: i32)
func.func @unsigned(%x: i32, %y: i32) -> (i32, i32, i32) {
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK: %[[ONE:.*]] = arith.constant 1 : i32
  // CHECK: %[[ALL:.*]] = arith.constant -1 : i32
  // CHECK: %[[IS_ZERO:.*]] = arith.cmpi eq, %[[Y]], %[[ZERO]]
  // CHECK: %[[SAFE:.*]] = arith.select %[[IS_ZERO]], %[[ONE]], %[[Y]]
  // CHECK: %[[Q:.*]] = arith.divui %[[X]], %[[SAFE]]
  // CHECK: %[[RESULT:.*]] = arith.select %[[IS_ZERO]], %[[ALL]], %[[Q]]
  %q = arith.divui %x, %y : i32
  // CHECK: %[[C:.*]] = arith.ceildivui
  // CHECK: arith.select %{{.*}}, %{{.*}}, %[[C]]
  %c = arith.ceildivui %x, %y : i32
  // CHECK: %[[R:.*]] = arith.remui
  // CHECK: %[[REMAINDER:.*]] = arith.select %{{.*}}, %[[X]], %[[R]]
  %r = arith.remui %x, %y : i32
  // CHECK: return %[[RESULT]], %{{.*}}, %[[REMAINDER]]
  return %q, %c, %r : i32, i32, i32
}

// -----

// CHECK-LABEL: func @signed(
// CHECK-SAME:    %[[X:.*]]: i64, %[[Y:.*]]: i64)
func.func @signed(%x: i64, %y: i64) -> (i64, i64, i64, i64) {
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i64
  // CHECK: %[[ONE:.*]] = arith.constant 1 : i64
  // CHECK: %[[ALL:.*]] = arith.constant -1 : i64
  // CHECK: %[[IS_ZERO:.*]] = arith.cmpi eq, %[[Y]], %[[ZERO]]
  // CHECK: %[[IS_MINUS:.*]] = arith.cmpi eq, %[[Y]], %[[ALL]]
  // CHECK: %[[SPECIAL:.*]] = arith.ori %[[IS_ZERO]], %[[IS_MINUS]]
  // CHECK: %[[SAFE:.*]] = arith.select %[[SPECIAL]], %[[ONE]], %[[Y]]
  // CHECK: %[[Q:.*]] = arith.divsi %[[X]], %[[SAFE]]
  // CHECK: %[[NEGATED:.*]] = arith.subi %[[ZERO]], %[[X]]
  // CHECK: %[[SOME:.*]] = arith.select %[[IS_MINUS]], %[[NEGATED]], %[[Q]]
  // CHECK: arith.select %[[IS_ZERO]], %[[ALL]], %[[SOME]]
  %q = arith.divsi %x, %y : i64
  // CHECK: arith.floordivsi
  // CHECK-COUNT-2: arith.select
  %f = arith.floordivsi %x, %y : i64
  // CHECK: arith.ceildivsi
  // CHECK-COUNT-2: arith.select
  %c = arith.ceildivsi %x, %y : i64
  // CHECK: %[[R:.*]] = arith.remsi
  // CHECK-NEXT: arith.select %{{.*}}, %[[X]], %[[R]]
  %r = arith.remsi %x, %y : i64
  return %q, %f, %c, %r : i64, i64, i64, i64
}

// -----

// What has a result stays.

// CHECK-LABEL: func @constants(
// CHECK-NOT: select
// CHECK: return
func.func @constants(%x: i32, %i: index) -> (i32, i32, index) {
  %three = arith.constant 3 : i32
  %minus = arith.constant -1 : i32
  %eight = arith.constant 8 : index
  %q = arith.divsi %x, %three : i32
  %u = arith.remui %x, %minus : i32
  %r = arith.remui %i, %eight : index
  return %q, %u, %r : i32, i32, index
}

// -----

// CHECK-LABEL: func @minus_one(
// CHECK: arith.divsi
// CHECK: arith.subi
func.func @minus_one(%x: i32) -> i32 {
  %minus = arith.constant -1 : i32
  %q = arith.divsi %x, %minus : i32
  return %q : i32
}

// -----

// CHECK-LABEL: func @bits(
// CHECK-DAG: arith.divui
// CHECK-DAG: arith.remui
// CHECK-NOT: si
func.func @bits(%x: i1, %y: i1) -> (i1, i1) {
  %q = arith.divsi %x, %y : i1
  %r = arith.remsi %x, %y : i1
  return %q, %r : i1, i1
}

// -----

// CHECK-LABEL: func @vectors(
// CHECK: arith.constant dense<1> : vector<4xi8>
// CHECK: arith.select {{.*}} : vector<4xi1>, vector<4xi8>
func.func @vectors(%x: vector<4xi8>, %y: vector<4xi8>, %i: index) -> (vector<4xi8>, index) {
  %q = arith.divsi %x, %y : vector<4xi8>
  // CHECK: arith.remui {{.*}} : index
  %r = arith.remui %i, %i : index
  return %q, %r : vector<4xi8>, index
}

// -----

// The bodies of named ops follow from their names: these get others.

// CHECK-LABEL: func @named(
func.func @named(%x: tensor<4xi32>, %y: tensor<4xi32>, %f: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xi32>
  // CHECK: linalg.generic
  // CHECK-SAME: attrs = {grout.tile_sizes = array<i64: 2>}
  // CHECK: arith.divsi
  // CHECK: arith.select
  %q = linalg.div {grout.tile_sizes = array<i64: 2>} ins(%x, %y : tensor<4xi32>, tensor<4xi32>)
    outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %g = tensor.empty() : tensor<4xf32>
  // CHECK: linalg.div
  %d = linalg.div ins(%f, %f : tensor<4xf32>, tensor<4xf32>) outs(%g : tensor<4xf32>) -> tensor<4xf32>
  return %q, %d : tensor<4xi32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func @mapped(
// CHECK: linalg.map
// CHECK: arith.divui
// CHECK: arith.select
func.func @mapped(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %e = tensor.empty() : tensor<4xi32>
  %q = linalg.map {arith.divui} ins(%x, %y : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>)
  return %q : tensor<4xi32>
}
