// REQUIRES: grout-compile
// RUN: split-file %s %t
// RUN: grout-compile %t/mlp.mlir --target=h200 --list-tilings=2 > %t/list.json
// RUN: FileCheck %t/mlp.mlir --input-file=%t/list.json
// RUN: %python %S/Inputs/check-list.py %t/list.json %t/again grout-compile
// RUN: grout-compile %t/mlp.mlir --target=h200 --list-tilings=1 -o %t/one.json
// RUN: %python -c "import json; assert all(len(p['candidates']) == 1 for f in json.load(open(r'%t/one.json'))['functions'] for p in f['products'])"
// RUN: grout-compile %t/groups.mlir --target=h200 --list-tilings=2 | FileCheck %t/groups.mlir
// RUN: not grout-compile %t/none.mlir --target=h200 --list-tilings=2 2>&1 | FileCheck %t/none.mlir
// RUN: not grout-compile %t/f32.mlir --target=h200 --f32-products=exact --list-tilings=2 2>&1 | FileCheck %t/f32.mlir
// RUN: not grout-compile %t/scalar.mlir --target=h200 --list-tilings=2 2>&1 | FileCheck %t/scalar.mlir

// Keys do not change by being printed and parsed, and what is printed compiles
// with every tiling that is listed (check-list.py).

//--- mlp.mlir
// CHECK:      "version": 2,
// CHECK-NEXT: "target": "h200",
// CHECK:      "name": "mlp",
// CHECK-NEXT: "key": "64x3072x768 f16->f16 epilogue={{[0-9a-f]+}}; 64x768x3072 f16->f16 rhs^T epilogue=[[SUM:[0-9a-f]+]] 0<-0; 64x768x768 f16->f16 2==0 epilogue=[[SUM]] 1<-0 1<-1"
// CHECK-NEXT: "flops":
// CHECK:      "source": "{{.*}}func.func @mlp(
// CHECK-NOT:    tiling =
// CHECK-SAME:   tiling = #tgemm.tiling<m = 64, n = 32, k = 64, stages = 4>
// CHECK-NEXT: "auto": "pdl",
// CHECK-NEXT: "choices": {
// CHECK-NEXT:   "serial": [
// CHECK-NEXT:     "<m =
// CHECK-NEXT:     "<m =
// CHECK-NEXT:     "<m = 64, n = 32, k = 64, stages = 4>"
// CHECK:        "pdl": [
// CHECK:        "persistent": [
// CHECK:      "products": [
// CHECK:        "name": "mlp_product0",
// CHECK-NEXT:   "key": "64x3072x768 f16->f16 epilogue={{[0-9a-f]+}}"
// One that a kernel without other products takes, and what it refines.
// CHECK:        "choice": "<m = [[SIZE:.*]], k = 128, stages = 6
// CHECK-NEXT:   "candidates": [
// CHECK-NEXT:     {
// CHECK-NEXT:       "tiling": "<m = [[SIZE]], k = 128, stages = 6
// CHECK-NEXT:       "refines": "<m = [[SIZE]], k = 64, stages = 12
// CHECK-NEXT:       "us": {{[0-9.]+}},
// CHECK-NEXT:       "bound": "{{[a-z]+}}",
// CHECK-NEXT:       "parts": {
// CHECK-NEXT:         "products": {{[0-9.]+}},
// CHECK:              "waves": {{[0-9.]+}}
// CHECK:            "rows": 64,
// CHECK-NEXT:       "cluster": [
// CHECK:            "stream_k": {{[0-9]}},
// CHECK-NEXT:       "swap_ab": {{true|false}},
// CHECK-NEXT:       "forms": [
// CHECK:        "name": "mlp_product1",
// CHECK:        "name": "mlp_product2",
// An operand that is there twice is one argument.
// CHECK:        "source": "{{.*}}func.func @mlp_product2(%arg0: tensor<64x768xf16>, %arg1: tensor<768x768xf16>)
// A tiling that is given is the only one.
// CHECK:        "choice": "<m = 64, n = 32, k = 64, stages = 4>",
// CHECK-NEXT:   "candidates": [
// CHECK-NOT:    "tiling":
// CHECK:          "tiling": "<m = 64, n = 32, k = 64, stages = 4>",
// CHECK-NOT:    "tiling":
func.func @mlp(%x: tensor<64x768xf16>, %w1: tensor<768x3072xf16>, %w2: tensor<768x3072xf16>) -> tensor<64x768xf16> {
  %h = tgemm.matmul %x, %w1 : tensor<64x768xf16>, tensor<768x3072xf16> -> tensor<64x3072xf16> {
  ^bb0(%a: f32):
    %t = math.tanh %a : f32
    %o = arith.truncf %t : f32 to f16
    tgemm.yield %o : f16
  }
  %y = tgemm.matmul %h, %w2 epilogue(%x : tensor<64x768xf16>) {
    transpose_rhs, epilogue_maps = [affine_map<(m, n) -> (m, n)>]
  } : tensor<64x3072xf16>, tensor<768x3072xf16> -> tensor<64x768xf16> {
  ^bb0(%a: f32, %b: f16):
    %b32 = arith.extf %b : f16 to f32
    %s = arith.addf %a, %b32 : f32
    %o = arith.truncf %s : f32 to f16
    tgemm.yield %o : f16
  }
  %slice = tensor.extract_slice %h[0, 0] [64, 768] [1, 1] : tensor<64x3072xf16> to tensor<64x768xf16>
  %rows = tensor.empty() : tensor<768x768xf16>
  %one = tensor.insert_slice %slice into %rows[0, 0] [64, 768] [1, 1] : tensor<64x768xf16> into tensor<768x768xf16>
  %both = tensor.insert_slice %y into %one[64, 0] [64, 768] [1, 1] : tensor<64x768xf16> into tensor<768x768xf16>
  %z = tgemm.matmul %x, %both epilogue(%x : tensor<64x768xf16>) {
    epilogue_maps = [affine_map<(m, n) -> (m, n)>],
    tiling = #tgemm.tiling<m = 64, n = 32, k = 64, stages = 4>
  } : tensor<64x768xf16>, tensor<768x768xf16> -> tensor<64x768xf16> {
  ^bb0(%acc: f32, %in: f16):
    %wide = arith.extf %in : f16 to f32
    %sum = arith.addf %acc, %wide : f32
    %out = arith.truncf %sum : f32 to f16
    tgemm.yield %out : f16
  }
  return %z : tensor<64x768xf16>
}
//--- groups.mlir
// Ends of groups have values with which the product can be measured.
// CHECK:      "inputs": [
// CHECK:        "type": "i32",
// CHECK-NEXT:   "values": [
// CHECK-NEXT:     3,
// CHECK-NEXT:     58,
// CHECK-NEXT:     84,
// CHECK-NEXT:     96
// CHECK-NEXT:   ]
// CHECK:      "outputs": [
func.func @groups(%x: tensor<96x64xbf16>, %w: tensor<4x64x128xbf16>, %ends: tensor<4xi32>) -> tensor<96x128xbf16> {
  %y = tgemm.grouped_matmul %x, %w ends(%ends : tensor<4xi32>) : tensor<96x64xbf16>, tensor<4x64x128xbf16> -> tensor<96x128xbf16>
  return %y : tensor<96x128xbf16>
}

//--- none.mlir
// CHECK: none.mlir:1:1: error: the module has no matrix product or convolution to list tilings of: attention and memory-bound kernels are not tuned
func.func @f(%x: tensor<1x4x64x64xf16>) -> tensor<1x4x64x64xf16> {
  %y = tgemm.attention %x, %x, %x {scale = 0.125 : f32} : tensor<1x4x64x64xf16>, tensor<1x4x64x64xf16>, tensor<1x4x64x64xf16> -> tensor<1x4x64x64xf16>
  return %y : tensor<1x4x64x64xf16>
}
//--- f32.mlir
func.func @f(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // CHECK: f32.mlir:3:8: error: {{.*}}multiplies f32, but h200 has
  %y = tgemm.matmul %x, %x : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
//--- scalar.mlir
// CHECK: scalar.mlir:2:1: error: the function has an argument or result of 'f32'; only functions of static tensors can be tuned
func.func @f(%x: tensor<64x64xf16>, %scale: f32) -> tensor<64x64xf16> {
  %y = tgemm.matmul %x, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  return %y : tensor<64x64xf16>
}
