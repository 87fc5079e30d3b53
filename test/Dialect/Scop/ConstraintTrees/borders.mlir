// RUN: grout-opt %s --pass-pipeline='builtin.module(grout-set-target{name=h200},func.func(convert-linalg-to-scop,scop-inline-producers,scop-collapse-loops,scop-form-launches,scop-inline-producers,scop-schedule{tree=auto},scop-verify-schedule,scop-explain))' -o /dev/null | FileCheck %s

// A convolution of each channel by itself, whose image gets a border. The border
// makes remainders of the indices of pixels. Neighbouring threads still go along
// channels, where elements of the image are neighbours, although the filters
// have their neighbours elsewhere.

// CHECK:      memory-bound kernel 0
// CHECK-NEXT: loop 0 83, blocks
// CHECK-NEXT: loop 1 83, blocks
// CHECK-NEXT: loop 2 42, neighbouring threads, 2 at once
// CHECK-NEXT: loop 3 7, in each thread
// CHECK-NEXT: loop 4 7, in each thread
// CHECK:      reads     input 0, f16, by quotients or remainders
#nhwc = affine_map<(h, w, c, i, j) -> (h, w, c)>
func.func @border(%x: tensor<83x83x42xf16>, %f: tensor<42x7x7xf16>) -> tensor<83x83x42xf16> {
  %zero16 = arith.constant 0.0 : f16
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[3, 3, 0] high[3, 3, 0] {
  ^bb0(%h: index, %w: index, %c: index):
    tensor.yield %zero16 : f16
  } : tensor<83x83x42xf16> to tensor<89x89x42xf16>
  %e = tensor.empty() : tensor<83x83x42xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<83x83x42xf32>) -> tensor<83x83x42xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(h, w, c, i, j) -> (h + i, w + j, c)>, affine_map<(h, w, c, i, j) -> (c, i, j)>, #nhwc],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %f : tensor<89x89x42xf16>, tensor<42x7x7xf16>) outs(%z : tensor<83x83x42xf32>) {
  ^bb0(%a: f16, %b: f16, %sum: f32):
    %wide = arith.extf %a : f16 to f32
    %factor = arith.extf %b : f16 to f32
    %m = arith.mulf %wide, %factor : f32
    %next = arith.addf %sum, %m : f32
    linalg.yield %next : f32
  } -> tensor<83x83x42xf32>
  %e16 = tensor.empty() : tensor<83x83x42xf16>
  %r = linalg.generic {
      indexing_maps = [affine_map<(h, w, c) -> (h, w, c)>, affine_map<(h, w, c) -> (h, w, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<83x83x42xf32>) outs(%e16 : tensor<83x83x42xf16>) {
  ^bb0(%a: f32, %o: f16):
    %c = arith.truncf %a : f32 to f16
    linalg.yield %c : f16
  } -> tensor<83x83x42xf16>
  return %r : tensor<83x83x42xf16>
}
