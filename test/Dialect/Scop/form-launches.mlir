// RUN: grout-opt %s -split-input-file --pass-pipeline='builtin.module(grout-set-target{name=h200},func.func(convert-linalg-to-scop,scop-form-launches))' | FileCheck %s
// RUN: grout-opt %s -split-input-file --pass-pipeline='builtin.module(grout-set-target{name=h200},func.func(convert-linalg-to-scop,scop-form-launches,scop-schedule{tree=auto},scop-verify-schedule))' -o /dev/null
// RUN: grout-opt %s -split-input-file --pass-pipeline='builtin.module(grout-set-target{name=cpu},func.func(convert-linalg-to-scop,scop-form-launches))' | FileCheck %s --check-prefix=CPU
// RUN: not grout-opt %s --grout-set-target=name=none --scop-form-launches 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: unknown target 'none'
// RUN: grout-opt %s -split-input-file --pass-pipeline='builtin.module(grout-set-target{name=h200},func.func(convert-linalg-to-scop,scop-form-launches{max-operations=100}))' 2>&1 | FileCheck %s --check-prefix=WHOLE

// WHOLE: remark: stays one kernel: gave up: the operation budget of the integer set library ran out
// WHOLE-LABEL: func.func @sum_of_squares(
// WHOLE-COUNT-1: scop.kernel
// WHOLE-NOT: scop.kernel
// WHOLE-LABEL: func.func @few(

// One block would sum what all blocks compute: two launches, with a tensor
// between them.

// CHECK-LABEL: func.func @sum_of_squares(
// CHECK: %[[SQUARES:.*]] = scop.kernel
// CHECK: scop.stmt @S0 domain [1024, 1024]
// CHECK: scop.kernel ins(%[[SQUARES]] : tensor<1024x1024xf32>)
// CHECK: scop.stmt @S1 domain []
// CHECK: scop.stmt @S2 domain [1024, 1024]
func.func @sum_of_squares(%x: tensor<1024x1024xf32>) -> (tensor<1024x1024xf32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %s = linalg.square ins(%x : tensor<1024x1024xf32>) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %ez = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%ez : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%s : tensor<1024x1024xf32>) outs(%z : tensor<f32>) dimensions = [0, 1]
  return %s, %r : tensor<1024x1024xf32>, tensor<f32>
}

// -----

// Few data are done by one block at once.

// CHECK-LABEL: func.func @few(
// CHECK-COUNT-1: scop.kernel
// CHECK-NOT: scop.kernel
func.func @few(%x: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %s = linalg.square ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %ez = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%ez : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%s : tensor<16x16xf32>) outs(%z : tensor<f32>) dimensions = [0, 1]
  return %s, %r : tensor<16x16xf32>, tensor<f32>
}

// -----

// What is read transposed is in other threads.

// CHECK-LABEL: func.func @symmetric(
// CHECK: scop.kernel
// CHECK: scop.stmt @S0 domain [512, 512]
// CHECK: scop.kernel
// CHECK: scop.stmt @S1 domain [512, 512]
func.func @symmetric(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %e = tensor.empty() : tensor<512x512xf32>
  %s = linalg.exp ins(%x : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%s, %s : tensor<512x512xf32>, tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}

// -----

// A table that needs nothing of the product can be there before it, so that
// neither of the two that read it, one of them rounded, waits for the other.
// With the one that has more points it would be one kernel, of which the other
// reads the table.

// CHECK-LABEL: func.func @table(
// CHECK: %[[TABLE:.*]] = scop.kernel outs(
// CHECK: math.cos
// CHECK-NOT: scop.stmt
// CHECK: scop.kernel ins(%{{.*}}, %[[TABLE]] :
// CHECK: scop.stmt @S1 domain [64, 128]
// CHECK: scop.stmt @S3 domain [8, 64, 128]
// CHECK: scop.kernel ins(%{{.*}}, %[[TABLE]] :
// CHECK: scop.stmt @S2 domain [32, 64, 128]

// Where all of it needs only arguments, no launch comes before the kernel.

// CHECK-LABEL: func.func @table_of_arguments(
// CHECK: scop.kernel
// CHECK: math.cos
// CHECK: scop.stmt @S1 domain [32, 64, 128]
// CHECK: scop.kernel
// CHECK-NOT: math.cos
// CHECK: scop.stmt @S2 domain [8, 64, 128]
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#table = affine_map<(d0, d1, d2) -> (d1, d2)>
func.func @table(%x: tensor<2560x32xf32>, %w: tensor<32x128xf32>) -> (tensor<32x64x128xf32>, tensor<8x64x128xf32>) {
  %ep = tensor.empty() : tensor<2560x128xf32>
  %p = linalg.matmul ins(%x, %w : tensor<2560x32xf32>, tensor<32x128xf32>) outs(%ep : tensor<2560x128xf32>) -> tensor<2560x128xf32>
  %xq = tensor.extract_slice %p[0, 0] [2048, 128] [1, 1] : tensor<2560x128xf32> to tensor<2048x128xf32>
  %xk = tensor.extract_slice %p[2048, 0] [512, 128] [1, 1] : tensor<2560x128xf32> to tensor<512x128xf32>
  %q = tensor.expand_shape %xq [[0, 1], [2]] output_shape [32, 64, 128] : tensor<2048x128xf32> into tensor<32x64x128xf32>
  %k = tensor.expand_shape %xk [[0, 1], [2]] output_shape [8, 64, 128] : tensor<512x128xf32> into tensor<8x64x128xf32>
  %et = tensor.empty() : tensor<64x128xf32>
  %t = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%et : tensor<64x128xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %c = math.cos %f : f32
    linalg.yield %c : f32
  } -> tensor<64x128xf32>
  %et16 = tensor.empty() : tensor<64x128xf16>
  %t16 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<64x128xf32>) outs(%et16 : tensor<64x128xf16>) {
  ^bb0(%a: f32, %o: f16):
    %c = arith.truncf %a : f32 to f16
    linalg.yield %c : f16
  } -> tensor<64x128xf16>
  %eq = tensor.empty() : tensor<32x64x128xf32>
  %rq = linalg.generic {indexing_maps = [#id3, #table, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q, %t : tensor<32x64x128xf32>, tensor<64x128xf32>) outs(%eq : tensor<32x64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.mulf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<32x64x128xf32>
  %ek = tensor.empty() : tensor<8x64x128xf32>
  %rk = linalg.generic {indexing_maps = [#id3, #table, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%k, %t16 : tensor<8x64x128xf32>, tensor<64x128xf16>) outs(%ek : tensor<8x64x128xf32>) {
  ^bb0(%a: f32, %b16: f16, %o: f32):
    %b = arith.extf %b16 : f16 to f32
    %c = arith.mulf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<8x64x128xf32>
  return %rq, %rk : tensor<32x64x128xf32>, tensor<8x64x128xf32>
}

func.func @table_of_arguments(%q: tensor<32x64x128xf32>, %k: tensor<8x64x128xf32>) -> (tensor<32x64x128xf32>, tensor<8x64x128xf32>) {
  %et = tensor.empty() : tensor<64x128xf32>
  %t = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%et : tensor<64x128xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %c = math.cos %f : f32
    linalg.yield %c : f32
  } -> tensor<64x128xf32>
  %eq = tensor.empty() : tensor<32x64x128xf32>
  %rq = linalg.generic {indexing_maps = [#id3, #table, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q, %t : tensor<32x64x128xf32>, tensor<64x128xf32>) outs(%eq : tensor<32x64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.mulf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<32x64x128xf32>
  %ek = tensor.empty() : tensor<8x64x128xf32>
  %rk = linalg.generic {indexing_maps = [#id3, #table, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%k, %t : tensor<8x64x128xf32>, tensor<64x128xf32>) outs(%ek : tensor<8x64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.mulf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<8x64x128xf32>
  return %rq, %rk : tensor<32x64x128xf32>, tensor<8x64x128xf32>
}

// -----

// The norm of groups of channels, with channels first. A result with channels
// last has its neighbours along other loops than the input. So the sums are a
// launch, and the result is another one, where tiles of it are transposed.

// CHECK-LABEL: func.func @channels_last(
// CHECK: %[[SUMS:.*]] = scop.kernel
// CHECK: scop.stmt @S0 domain [8, 32]
// CHECK: scop.stmt @S1 domain [8, 32, 20, 4096]
// CHECK: scop.kernel ins(%{{.*}}, %[[SUMS]] :
// CHECK: scop.stmt @S2 domain [8, 4096, 32, 20]

// On a CPU there are no warps, and one launch stays one.

// CPU-LABEL: func.func @channels_last(
// CPU-COUNT-1: scop.kernel
// CPU-NOT: scop.kernel
// CPU-LABEL: func.func @channels_first(

// A result with channels first goes through memory in the same order.

// CHECK-LABEL: func.func @channels_first(
// CHECK-COUNT-1: scop.kernel
// CHECK-NOT: scop.kernel
// CHECK-LABEL: func.func @few_channels_last(

// The traffic of a small norm costs less than a launch.

// CHECK-COUNT-1: scop.kernel
// CHECK-NOT: scop.kernel
func.func @channels_last(%x: tensor<8x32x20x4096xf16>) -> tensor<8x4096x32x20xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(n, g, c, p) -> (n, g, c, p)>, affine_map<(n, g, c, p) -> (n, g)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x : tensor<8x32x20x4096xf16>) outs(%z : tensor<8x32xf32>) {
  ^bb0(%a: f16, %o: f32):
    %f = arith.extf %a : f16 to f32
    %q = arith.mulf %f, %f : f32
    %c = arith.addf %o, %q : f32
    linalg.yield %c : f32
  } -> tensor<8x32xf32>
  %er = tensor.empty() : tensor<8x4096x32x20xf16>
  %r = linalg.generic {
      indexing_maps = [affine_map<(n, p, g, c) -> (n, g, c, p)>, affine_map<(n, p, g, c) -> (n, g)>, affine_map<(n, p, g, c) -> (n, p, g, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<8x32x20x4096xf16>, tensor<8x32xf32>) outs(%er : tensor<8x4096x32x20xf16>) {
  ^bb0(%a: f16, %b: f32, %o: f16):
    %f = arith.extf %a : f16 to f32
    %q = math.rsqrt %b : f32
    %m = arith.mulf %f, %q : f32
    %c = arith.truncf %m : f32 to f16
    linalg.yield %c : f16
  } -> tensor<8x4096x32x20xf16>
  return %r : tensor<8x4096x32x20xf16>
}

func.func @channels_first(%x: tensor<8x32x20x4096xf16>) -> tensor<8x32x20x4096xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(n, g, c, p) -> (n, g, c, p)>, affine_map<(n, g, c, p) -> (n, g)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x : tensor<8x32x20x4096xf16>) outs(%z : tensor<8x32xf32>) {
  ^bb0(%a: f16, %o: f32):
    %f = arith.extf %a : f16 to f32
    %q = arith.mulf %f, %f : f32
    %c = arith.addf %o, %q : f32
    linalg.yield %c : f32
  } -> tensor<8x32xf32>
  %er = tensor.empty() : tensor<8x32x20x4096xf16>
  %r = linalg.generic {
      indexing_maps = [affine_map<(n, g, c, p) -> (n, g, c, p)>, affine_map<(n, g, c, p) -> (n, g)>, affine_map<(n, g, c, p) -> (n, g, c, p)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<8x32x20x4096xf16>, tensor<8x32xf32>) outs(%er : tensor<8x32x20x4096xf16>) {
  ^bb0(%a: f16, %b: f32, %o: f16):
    %f = arith.extf %a : f16 to f32
    %q = math.rsqrt %b : f32
    %m = arith.mulf %f, %q : f32
    %c = arith.truncf %m : f32 to f16
    linalg.yield %c : f16
  } -> tensor<8x32x20x4096xf16>
  return %r : tensor<8x32x20x4096xf16>
}

func.func @few_channels_last(%x: tensor<8x4x20x64xf16>) -> tensor<8x64x4x20xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(n, g, c, p) -> (n, g, c, p)>, affine_map<(n, g, c, p) -> (n, g)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x : tensor<8x4x20x64xf16>) outs(%z : tensor<8x4xf32>) {
  ^bb0(%a: f16, %o: f32):
    %f = arith.extf %a : f16 to f32
    %q = arith.mulf %f, %f : f32
    %c = arith.addf %o, %q : f32
    linalg.yield %c : f32
  } -> tensor<8x4xf32>
  %er = tensor.empty() : tensor<8x64x4x20xf16>
  %r = linalg.generic {
      indexing_maps = [affine_map<(n, p, g, c) -> (n, g, c, p)>, affine_map<(n, p, g, c) -> (n, g)>, affine_map<(n, p, g, c) -> (n, p, g, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<8x4x20x64xf16>, tensor<8x4xf32>) outs(%er : tensor<8x64x4x20xf16>) {
  ^bb0(%a: f16, %b: f32, %o: f16):
    %f = arith.extf %a : f16 to f32
    %q = math.rsqrt %b : f32
    %m = arith.mulf %f, %q : f32
    %c = arith.truncf %m : f32 to f16
    linalg.yield %c : f16
  } -> tensor<8x64x4x20xf16>
  return %r : tensor<8x64x4x20xf16>
}
