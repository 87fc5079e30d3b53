// RUN: not grout-opt %s -split-input-file --grout-set-target=name=h200 --scop-split-reductions=blocks-per-processor=0 2>&1 | FileCheck %s --check-prefix=OPTIONS
// RUN: not grout-opt %s -split-input-file --grout-set-target=name=h200 --scop-split-reductions=launch-ns=-2 2>&1 | FileCheck %s --check-prefix=OPTIONS
// OPTIONS: error: blocks-per-processor must be at least 1, processors, min-bytes and min-block-bytes at least 0, and launch-ns at least -1
// RUN: grout-opt %s --convert-linalg-to-scop --grout-set-target=name=h200 --scop-split-reductions --canonicalize \
// RUN:   -split-input-file -verify-diagnostics | FileCheck %s
// RUN: grout-opt %s --convert-linalg-to-scop --grout-set-target=name=h200 --scop-split-reductions --scop-schedule \
// RUN:   --scop-verify-schedule -split-input-file -o /dev/null
// RUN: grout-opt %s --convert-linalg-to-scop --grout-set-target=name=h200 --scop-split-reductions="min-bytes=1000000000 min-block-bytes=1000000000" \
// RUN:   -split-input-file | FileCheck %s --check-prefix=WHOLE
// RUN: grout-opt %s --convert-linalg-to-scop --grout-set-target=name=h200 --scop-split-reductions=launch-ns=10000000 \
// RUN:   -split-input-file | FileCheck %s --check-prefix=WHOLE
// RUN: not grout-opt %s --grout-set-target=name=cpu --scop-split-reductions -split-input-file 2>&1 | FileCheck %s --check-prefix=CPU

// CPU: error: 'cpu' is not a GPU
// WHOLE: scop.stmt
// WHOLE-NOT: _combine

// One result. Two blocks for each of 132 processors are 264; the next divisor is
// 512. What the result starts from is in the second kernel.
// CHECK-LABEL: func.func @total
// CHECK: %[[P:.*]] = scop.kernel ins(%arg0 : tensor<8388608xf32>) outs(%{{.*}} : tensor<512xf32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: memref<8388608xf32>, %[[PA:.*]]: memref<512xf32>):
// CHECK-NEXT: scop.stmt @S1_start domain [512] writes(%[[PA]][(d0) -> (d0)] : memref<512xf32>) {
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant -0.0
// CHECK-NEXT: scop.yield %[[ZERO]]
// CHECK: scop.stmt @S1 domain [512, 16384] reads(%[[X]][(d0, d1) -> (d0 * 16384 + d1)] : memref<8388608xf32>, %[[PA]][(d0, d1) -> (d0)] : memref<512xf32>) writes(%[[PA]][(d0, d1) -> (d0)] : memref<512xf32>) reductions [1] {
// CHECK: %[[R:.*]] = scop.kernel ins(%[[P]] : tensor<512xf32>) outs(%{{.*}} : tensor<f32>)
// CHECK-NEXT: ^bb0(%[[PA:.*]]: memref<512xf32>, %[[Y:.*]]: memref<f32>):
// CHECK-NEXT: scop.stmt @S0 domain [] writes(%[[Y]][() -> ()] : memref<f32>) {
// CHECK-NEXT: arith.constant 0.0
// CHECK: scop.stmt @S1_combine domain [512] reads(%[[Y]][(d0) -> ()] : memref<f32>, %[[PA]][(d0) -> (d0)] : memref<512xf32>) writes(%[[Y]][(d0) -> ()] : memref<f32>) reductions [0] {
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[PE:.*]]: f32):
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[ACC]], %[[PE]]
// CHECK-NEXT: scop.yield %[[SUM]]
// CHECK: return %[[R]]
func.func @total(%x: tensor<8388608xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %y = linalg.reduce ins(%x : tensor<8388608xf32>) outs(%f : tensor<f32>) dimensions = [0]
    (%a: f32, %o: f32) {
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    }
  return %y : tensor<f32>
}

// -----

// Columns: rows are split, and what the sums are added to is an operand of the
// second kernel. The combiner's operands keep their places.
// CHECK-LABEL: func.func @columns
// CHECK: %[[P:.*]] = scop.kernel ins(%arg0 : tensor<4096x768xf32>) outs(%{{.*}} : tensor<16x768xf32>)
// CHECK: scop.stmt @S0 domain [16, 256, 768] reads(%{{.*}}[(d0, d1, d2) -> (d0 * 256 + d1, d2)] : memref<4096x768xf32>, %{{.*}}[(d0, d1, d2) -> (d0, d2)] : memref<16x768xf32>) writes(%{{.*}}[(d0, d1, d2) -> (d0, d2)] : memref<16x768xf32>) reductions [1] {
// CHECK: scop.kernel ins(%[[P]] : tensor<16x768xf32>) outs(%arg1 : tensor<768xf32>)
// CHECK: scop.stmt @S0_combine domain [16, 768] reads(%{{.*}}[(d0, d1) -> (d1)] : memref<768xf32>, %{{.*}}[(d0, d1) -> (d0, d1)] : memref<16x768xf32>) writes(%{{.*}}[(d0, d1) -> (d1)] : memref<768xf32>) reductions [0] {
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[PE:.*]]: f32):
// CHECK-NEXT: arith.addf %[[PE]], %[[ACC]]
func.func @columns(%x: tensor<4096x768xf32>, %init: tensor<768xf32>) -> tensor<768xf32> {
  %y = linalg.reduce ins(%x : tensor<4096x768xf32>) outs(%init : tensor<768xf32>) dimensions = [0]
    (%a: f32, %o: f32) {
      %s = arith.addf %a, %o : f32
      linalg.yield %s : f32
    }
  return %y : tensor<768xf32>
}

// -----

// Maxima of channels, in f16: the images are split, and what widens elements
// with them, so that both run in one loop. Rows of images stay whole.
// CHECK-LABEL: func.func @channels
// CHECK: scop.kernel ins(%arg0 : tensor<64x64x3136xf16>) outs(%{{.*}} : tensor<8x64xf16>)
// CHECK: %[[L:.*]] = scop.local : memref<64x64x3136xf16>
// CHECK: scop.stmt @S0 domain [8, 8, 64, 3136] reads(%{{.*}}[(d0, d1, d2, d3) -> (d0 * 8 + d1, d2, d3)] : memref<64x64x3136xf16>) writes(%[[L]][(d0, d1, d2, d3) -> (d0 * 8 + d1, d2, d3)] : memref<64x64x3136xf16>)
// CHECK: scop.stmt @S2_start domain [8, 64]
// CHECK-NEXT: arith.constant 0xFC00 : f16
// CHECK: scop.stmt @S2 domain [8, 8, 64, 3136] reads(%[[L]][(d0, d1, d2, d3) -> (d0 * 8 + d1, d2, d3)] : memref<64x64x3136xf16>, %{{.*}}[(d0, d1, d2, d3) -> (d0, d2)] : memref<8x64xf16>) writes(%{{.*}}[(d0, d1, d2, d3) -> (d0, d2)] : memref<8x64xf16>) reductions [1, 3]
// CHECK: scop.kernel
// CHECK: scop.stmt @S2_combine domain [8, 64]
func.func @channels(%x: tensor<64x64x3136xf16>) -> tensor<64xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<64xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<64xf16>) -> tensor<64xf16>
  %w0 = tensor.empty() : tensor<64x64x3136xf16>
  %w = linalg.abs ins(%x : tensor<64x64x3136xf16>) outs(%w0 : tensor<64x64x3136xf16>) -> tensor<64x64x3136xf16>
  %y = linalg.reduce ins(%w : tensor<64x64x3136xf16>) outs(%f : tensor<64xf16>) dimensions = [0, 2]
    (%a: f16, %o: f16) {
      %s = arith.maximumf %o, %a : f16
      linalg.yield %s : f16
    }
  return %y : tensor<64xf16>
}

// -----

// What depends on the sum is in the second kernel, which computes %t again: that
// is no more to read. %y, which the caller gets, comes from the first.
// CHECK-LABEL: func.func @uses
// CHECK: %[[K:.*]]:2 = scop.kernel ins(%arg0 : tensor<8388608xf32>) outs(%{{.*}}, %{{.*}} : tensor<8388608xf32>, tensor<512xf32>)
// CHECK: scop.stmt @S0 domain [512, 16384]
// CHECK: scop.stmt @S1 domain [512, 16384]
// CHECK: scop.stmt @S3_start
// CHECK: scop.stmt @S3 domain [512, 16384]
// CHECK: %[[K2:.*]] = scop.kernel ins(%arg0, %[[K]]#1 : tensor<8388608xf32>, tensor<512xf32>)
// CHECK: scop.stmt @S0 domain [8388608]
// CHECK: scop.stmt @S2 domain []
// CHECK: scop.stmt @S3_combine
// CHECK: scop.stmt @S4 domain [8388608]
// CHECK-NOT: scop.stmt
// CHECK: return %[[K]]#0, %[[K2]]
func.func @uses(%x: tensor<8388608xf32>) -> (tensor<8388608xf32>, tensor<8388608xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8388608xf32>
  %t = linalg.exp ins(%x : tensor<8388608xf32>) outs(%e : tensor<8388608xf32>) -> tensor<8388608xf32>
  %y = linalg.sqrt ins(%t : tensor<8388608xf32>) outs(%e : tensor<8388608xf32>) -> tensor<8388608xf32>
  %s0 = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%s0 : tensor<f32>) -> tensor<f32>
  %s = linalg.reduce ins(%t : tensor<8388608xf32>) outs(%f : tensor<f32>) dimensions = [0]
    (%a: f32, %o: f32) {
      %0 = arith.addf %o, %a : f32
      linalg.yield %0 : f32
    }
  %z = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%t, %s : tensor<8388608xf32>, tensor<f32>) outs(%e : tensor<8388608xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8388608xf32>
  return %y, %z : tensor<8388608xf32>, tensor<8388608xf32>
}

// -----

// A sum of sums of rows: what the first kernel has combined, and both need, is
// a result of it.
// CHECK-LABEL: func.func @passed
// CHECK: %[[K:.*]]:2 = scop.kernel ins(%arg0 : tensor<16384x512xf32>) outs(%{{.*}}, %{{.*}} : tensor<512xf32>, tensor<16384xf32>)
// CHECK: scop.kernel ins(%[[K]]#0, %[[K]]#1 :
// CHECK: scop.stmt @S5 domain [16384] reads
func.func @passed(%x: tensor<16384x512xf32>) -> (tensor<16384xf32>) {
  %zero = arith.constant 0.0 : f32
  %r0 = tensor.empty() : tensor<16384xf32>
  %rf = linalg.fill ins(%zero : f32) outs(%r0 : tensor<16384xf32>) -> tensor<16384xf32>
  %r = linalg.reduce ins(%x : tensor<16384x512xf32>) outs(%rf : tensor<16384xf32>) dimensions = [1]
    (%a: f32, %o: f32) {
      %0 = arith.addf %o, %a : f32
      linalg.yield %0 : f32
    }
  %t0 = tensor.empty() : tensor<16384x512xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %r : tensor<16384x512xf32>, tensor<16384xf32>) outs(%t0 : tensor<16384x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<16384x512xf32>
  %s0 = tensor.empty() : tensor<f32>
  %sf = linalg.fill ins(%zero : f32) outs(%s0 : tensor<f32>) -> tensor<f32>
  %s = linalg.reduce ins(%t : tensor<16384x512xf32>) outs(%sf : tensor<f32>) dimensions = [0, 1]
    (%a: f32, %o: f32) {
      %0 = arith.addf %o, %a : f32
      linalg.yield %0 : f32
    }
  %z = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%r, %s : tensor<16384xf32>, tensor<f32>) outs(%r0 : tensor<16384xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<16384xf32>
  return %z : tensor<16384xf32>
}

// -----

// Two results of one statement, and the value of the iterator that is split.
// CHECK-LABEL: func.func @two
// CHECK: scop.stmt @S0_start domain [512] writes(%{{.*}}[(d0) -> (d0)] : memref<512xf32>, %{{.*}}[(d0) -> (d0)] : memref<512xi64>)
// CHECK-DAG: %[[F:.*]] = arith.constant 0x7F800000 : f32
// CHECK-DAG: %[[I:.*]] = arith.constant -9223372036854775808 : i64
// CHECK: scop.yield %[[F]], %[[I]]
// CHECK: scop.stmt @S0 domain [512, 16384]
// CHECK: %[[OUTER:.*]] = scop.index 0
// CHECK: %[[START:.*]] = arith.muli %[[OUTER]], %c16384
// CHECK: %[[INNER:.*]] = scop.index 1
// CHECK: %[[K:.*]] = arith.addi %[[START]], %[[INNER]]
// CHECK: arith.index_cast %[[K]]
// CHECK: scop.stmt @S0_combine domain [512]
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[AP:.*]]: f32, %[[B:.*]]: i64, %[[BP:.*]]: i64):
// CHECK-NEXT: %[[MIN:.*]] = arith.minimumf %[[A]], %[[AP]]
// CHECK-NEXT: %[[MAX:.*]] = arith.maxsi %[[B]], %[[BP]]
// CHECK-NEXT: scop.yield %[[MIN]], %[[MAX]]
func.func @two(%x: tensor<8388608xf32>, %a: tensor<f32>, %b: tensor<i64>) -> (tensor<f32>, tensor<i64>) {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8388608xf32>) outs(%a, %b : tensor<f32>, tensor<i64>) {
  ^bb0(%e: f32, %p: f32, %q: i64):
    %0 = arith.minimumf %p, %e : f32
    %k = linalg.index 0 : index
    %1 = arith.index_cast %k : index to i64
    %2 = arith.fptosi %e : f32 to i64
    %3 = arith.addi %1, %2 : i64
    %4 = arith.maxsi %q, %3 : i64
    linalg.yield %0, %4 : f32, i64
  } -> (tensor<f32>, tensor<i64>)
  return %r#0, %r#1 : tensor<f32>, tensor<i64>
}

// -----

// A prime number of elements.
// CHECK-LABEL: func.func @prime
// CHECK: scop.stmt @S0 domain [8388593]
// CHECK-NOT: scop.kernel
func.func @prime(%x: tensor<8388593xf32>, %init: tensor<f32>) -> tensor<f32> {
  // expected-remark @below {{combines for 1 results, which leaves processors idle, but none of its loops has a divisor to split it by}}
  %y = linalg.reduce ins(%x : tensor<8388593xf32>) outs(%init : tensor<f32>) dimensions = [0]
    (%a: f32, %o: f32) {
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    }
  return %y : tensor<f32>
}

// -----

// Enough rows; and a softmax of few, which would read its elements again.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: _combine
func.func @rows(%x: tensor<4096x2048xf32>, %init: tensor<4096xf32>, %few: tensor<160x30522xf32>) -> (tensor<4096xf32>, tensor<160x30522xf32>) {
  %y = linalg.reduce ins(%x : tensor<4096x2048xf32>) outs(%init : tensor<4096xf32>) dimensions = [1]
    (%a: f32, %o: f32) {
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    }
  %e = tensor.empty() : tensor<160x30522xf32>
  %z = linalg.softmax dimension(1) ins(%few : tensor<160x30522xf32>) outs(%e : tensor<160x30522xf32>) -> tensor<160x30522xf32>
  return %y, %z : tensor<4096xf32>, tensor<160x30522xf32>
}

// -----

// A small array in two launches; a smaller one, and one that blocks split,
// whole.
// CHECK-LABEL: func.func @small
// CHECK: scop.stmt @S1_combine
func.func @small(%x: tensor<384x384xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %y = linalg.reduce { arith.addf } ins(%x : tensor<384x384xf32>) outs(%f : tensor<f32>) dimensions = [0, 1]
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @smaller
// CHECK-NOT: _combine
// CHECK: return
func.func @smaller(%x: tensor<192x192xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %y = linalg.reduce { arith.addf } ins(%x : tensor<192x192xf32>) outs(%f : tensor<f32>) dimensions = [0, 1]
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @shared
// CHECK-NOT: _combine
// CHECK: return
func.func @shared(%x: tensor<2048x64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %y = linalg.reduce { arith.addf } ins(%x : tensor<2048x64xf32>) outs(%f : tensor<64xf32>) dimensions = [0]
  return %y : tensor<64xf32>
}

// -----

// A variance: the sum of squared differences from a mean is split with the sum
// for the mean. Each part subtracts its own mean, and S5_combine adds what that
// leaves out.
// CHECK-LABEL: func.func @variance
// CHECK: %[[K:.*]]:2 = scop.kernel ins(%arg0 : tensor<2x1048576xf32>)
// CHECK: %[[MEAN:.*]] = scop.local : memref<2x[[P:[0-9]+]]xf32>
// CHECK: scop.stmt @S1 domain [2, [[P]], [[N:[0-9]+]]]
// CHECK: scop.stmt @S5_mean domain [2, [[P]]]
// CHECK: scop.stmt @S5 domain [2, [[P]], [[N]]] reads({{.*}}%[[MEAN]][(d0, d1, d2) -> (d0, d1)]
// CHECK: arith.subf
// CHECK: math.fpowi
// CHECK: arith.addf
// CHECK: scop.kernel ins(%[[K]]#0, %[[K]]#1 :
// CHECK: scop.stmt @S1_combine domain [2, [[P]]]
// CHECK: scop.stmt @S2 domain [2]
// CHECK: scop.stmt @S5_combine domain [2, [[P]]]
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[PART:.*]]: f32, %[[OWN:.*]]: f32, %[[MEAN2:.*]]: f32):
// CHECK: %[[D:.*]] = arith.subf %[[OWN]], %[[MEAN2]]
// CHECK: %[[S:.*]] = arith.mulf %[[D]], %[[D]]
// CHECK: %[[ALL:.*]] = arith.mulf %[[S]], %{{.*}}
// CHECK: %[[SUM:.*]] = arith.addf %[[PART]], %[[ALL]]
// CHECK: arith.addf %[[SUM]], %[[ACC]]
// CHECK-NOT: scop.kernel
// CHECK: return
#all = affine_map<(r, i) -> (r, i)>
#row = affine_map<(r, i) -> (r)>
#r = affine_map<(r) -> (r)>
func.func @variance(%x: tensor<2x1048576xf32>) -> tensor<2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %t = tensor.empty() : tensor<2x1048576xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x1048576xf32>) outs(%f : tensor<2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<2xf32>
  %mean = linalg.generic {indexing_maps = [#r, #r], iterator_types = ["parallel"]}
      ins(%sum : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.constant 1048576.0 : f32
    %0 = arith.divf %a, %n : f32
    linalg.yield %0 : f32
  } -> tensor<2xf32>
  %d = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %mean : tensor<2x1048576xf32>, tensor<2xf32>) outs(%t : tensor<2x1048576xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %0 = arith.subf %a, %m : f32
    linalg.yield %0 : f32
  } -> tensor<2x1048576xf32>
  %squares = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%d : tensor<2x1048576xf32>) outs(%f : tensor<2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %two = arith.constant 2 : i32
    %0 = math.fpowi %a, %two : f32, i32
    %1 = arith.addf %0, %o : f32
    linalg.yield %1 : f32
  } -> tensor<2xf32>
  return %squares : tensor<2xf32>
}

// -----

// No mean: the sum is divided by another number. The second kernel splits its
// own sum.
// CHECK-LABEL: func.func @almost_variance
// CHECK-COUNT-3: scop.kernel
// CHECK-NOT: scop.kernel
// CHECK: return
#all = affine_map<(r, i) -> (r, i)>
#row = affine_map<(r, i) -> (r)>
#r = affine_map<(r) -> (r)>
func.func @almost_variance(%x: tensor<2x1048576xf32>) -> tensor<2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x1048576xf32>) outs(%f : tensor<2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<2xf32>
  %mean = linalg.generic {indexing_maps = [#r, #r], iterator_types = ["parallel"]}
      ins(%sum : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.constant 1048575.0 : f32
    %0 = arith.divf %a, %n : f32
    linalg.yield %0 : f32
  } -> tensor<2xf32>
  %squares = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %mean : tensor<2x1048576xf32>, tensor<2xf32>) outs(%f : tensor<2xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %0 = arith.subf %a, %m : f32
    %1 = arith.mulf %0, %0 : f32
    %2 = arith.addf %1, %o : f32
    linalg.yield %2 : f32
  } -> tensor<2xf32>
  return %squares : tensor<2xf32>
}
