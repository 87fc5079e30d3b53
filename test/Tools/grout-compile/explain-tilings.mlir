// REQUIRES: grout-compile
// RUN: grout-compile %s --target=h200 --mode=serial --no-reference --explain -o %t.grout | FileCheck %s
// RUN: grout-compile %s --target=h200 --mode=persistent --no-reference --explain -o %t.grout | FileCheck %s --check-prefix=TOGETHER
// RUN: grout-compile %s --target=cpu --no-reference --explain -o %t.grout | FileCheck %s --check-prefix=CPU --implicit-check-not=instead --implicit-check-not=bound
// RUN: echo '{"version": 1, "target": "h200", "kind": "product", "key": "64x4096x1024 f16->f16", "mode": "serial", "tilings": ["<m = 64, n = 96, k = 64, stages = 5>"], "us": 7.125}' > %t.jsonl
// RUN: grout-compile %s --target=h200 --mode=serial --no-reference --tuning=%t.jsonl --explain -o %t.grout | FileCheck %s --check-prefix=PRODUCT
// RUN: echo '{"version": 1, "target": "h200", "kind": "chain", "key": "64x4096x1024 f16->f16; 64x1024x4096 f16->f16 0<-0", "mode": "pdl", "tilings": ["<m = 64, n = 64, k = 64, stages = 5>", "<m = 64, n = 32, k = 64, stages = 4>"], "us": 14}' >> %t.jsonl
// RUN: grout-compile %s --target=h200 --mode=auto --no-reference --tuning=%t.jsonl --explain -o %t.grout | FileCheck %s --check-prefix=CHAIN
// RUN: not grout-compile %s --target=h200 --tuning=%t.none -o %t.none.grout 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: cannot read the tuning database '{{.*}}.none'
// RUN: not ls %t.none.grout

// CHECK: kernel matmul0
// CHECK:      tile time
// CHECK-NEXT: choice      modelled, for this product alone (the simplest within 0.5 %)
// CHECK-NEXT: model       [[US:[0-9.]+]] us, bound by {{products|cache|entry|latency|memory|epilogue|exchange|sums|clusters|early|waves}}
// CHECK-NEXT: each alone  products {{[0-9.]+}}, cache {{[0-9.]+}}, entry {{[0-9.]+}}, latency {{[0-9.]+}}, memory {{[0-9.]+}}, epilogue {{[0-9.]+}}, exchange {{[0-9.]+}}, sums {{[0-9.]+}}, ranks {{[0-9.]+}}, clusters {{[0-9.]+}}, early {{[0-9.]+}}, waves {{[0-9.]+}}, hidden 0.00{{$}}
// CHECK-NEXT: instead     {{[0-9.]+}} us, bound by {{[a-z]+}}: <m = {{.*}}>
// CHECK-NEXT: instead     {{[0-9.]+}} us, bound by {{[a-z]+}}: <m = {{.*}}>
// CHECK-NEXT: instead     {{[0-9.]+}} us, bound by {{[a-z]+}}: <m = {{.*}}>
// CHECK-NOT:  instead
// CHECK: kernel matmul1

// TOGETHER: choice      modelled, for all products of the kernel together
// TOGETHER: choice      modelled, for all products of the kernel together

// CPU: choice      the same for all products on cpu

// PRODUCT: tile        64 x 96, steps of 64, 5 stages
// PRODUCT: choice      measured, 7.12 us for this product alone ({{.*}}.jsonl:1)
// PRODUCT: model       {{[0-9.]+}} us
// PRODUCT: choice      modelled

// CHAIN: chain 0, mode pdl
// CHAIN: tile        64 x 64, steps of 64, 5 stages
// CHAIN: choice      measured, 14.00 us for all products together ({{.*}}.jsonl:2)
// CHAIN: tile        64 x 32, steps of 64, 4 stages
// CHAIN: choice      measured, 14.00 us for all products together ({{.*}}.jsonl:2)
func.func @mlp(%x: tensor<64x1024xf16>, %w1: tensor<1024x4096xf16>, %w2: tensor<4096x1024xf16>) -> tensor<64x1024xf16> {
  %h = tgemm.matmul %x, %w1 : tensor<64x1024xf16>, tensor<1024x4096xf16> -> tensor<64x4096xf16>
  %y = tgemm.matmul %h, %w2 : tensor<64x4096xf16>, tensor<4096x1024xf16> -> tensor<64x1024xf16>
  return %y : tensor<64x1024xf16>
}
