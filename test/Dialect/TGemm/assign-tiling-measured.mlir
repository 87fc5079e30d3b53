// RUN: split-file %s %t
// RUN: grout-opt %t/two.mlir --grout-set-target=name=h200 --tgemm-assign-tiling="mode=serial tuning=%t/products.jsonl record-origins" | FileCheck %s --check-prefix=PRODUCTS
// RUN: grout-opt %t/two.mlir --grout-set-target=name=h200 --tgemm-assign-tiling="mode=persistent tuning=%t/products.jsonl record-origins" | FileCheck %s --check-prefix=TOGETHER
// RUN: grout-opt %t/two.mlir --grout-set-target=name=h200 --tgemm-assign-tiling="mode=auto tuning=%t/products.jsonl record-origins" | FileCheck %s --check-prefix=AUTO
// RUN: grout-opt %t/two.mlir --grout-set-target=name=cpu --tgemm-assign-tiling="mode=serial tuning=%t/products.jsonl record-origins" | FileCheck %s --check-prefix=CPU
// RUN: cat %t/products.jsonl %t/chains.jsonl > %t/all.jsonl
// RUN: grout-opt %t/two.mlir --grout-set-target=name=h200 --tgemm-assign-tiling="mode=persistent tuning=%t/all.jsonl record-origins" | FileCheck %s --check-prefix=CHAIN
// RUN: grout-opt %t/two.mlir --grout-set-target=name=h200 --tgemm-assign-tiling="mode=auto tuning=%t/all.jsonl" | FileCheck %s --check-prefix=CHAIN-AUTO
// RUN: grout-opt %t/two.mlir --grout-set-target=name=h200 --tgemm-assign-tiling="mode=pdl tuning=%t/all.jsonl record-origins" | FileCheck %s --check-prefix=PRODUCTS
// RUN: grout-opt %t/one.mlir --grout-set-target=name=h200 --tgemm-assign-tiling="mode=persistent tuning=%t/products.jsonl record-origins" | FileCheck %s --check-prefix=ONE
// RUN: grout-opt %t/given.mlir --grout-set-target=name=h200 --tgemm-assign-tiling="mode=serial tuning=%t/all.jsonl record-origins" | FileCheck %s --check-prefix=GIVEN
// RUN: grout-opt %t/two.mlir --grout-set-target=name=h200 --tgemm-assign-tiling="mode=serial" | FileCheck %s --check-prefix=NONE

// The fastest entry of a product wins: neither one of another target, nor one
// that was given up early, nor the older of two that are of the same tiling,
// though the newer was given up early.
// What has no entry gets the model's tiling.
// PRODUCTS: tgemm.matmul {{.*}}{grout.tiling_origin = {kind = "measured_product", place = "{{.*}}.jsonl:3", us = 9.000000e+00 : f64},
// PRODUCTS-SAME: tiling = #tgemm.tiling<m = 64, n = 128, k = 64, stages = 4>}
// PRODUCTS: tgemm.matmul {{.*}}{grout.tiling_origin = {kind = "modelled"}, tiling =

// For one kernel, tilings that were measured one by one do not count.
// TOGETHER: tgemm.matmul {{.*}}{kind = "modelled_together"}
// TOGETHER: tgemm.matmul {{.*}}{kind = "modelled_together"}

// In mode auto they do, if it becomes pdl.
// AUTO: tsync.execution = #tsync.execution<pdl>
// AUTO: tgemm.matmul {{.*}}{kind = "measured_product"

// Entries of another target do not count.
// CPU: tgemm.matmul {{.*}}{kind = "modelled"}, tiling = #tgemm.tiling<m = 32, n = 64, k = 64>

// The fastest of a chain's in the mode wins over products', and in mode auto
// the fastest of all modes.
// CHAIN: tgemm.matmul {{.*}}{kind = "measured_chain", place = "{{.*}}all.jsonl:9", us = 2.000000e+01 : f64}, tiling = #tgemm.tiling<m = 64, n = 96, k = 64, stages = 5>
// CHAIN: tgemm.matmul {{.*}}{kind = "measured_chain", {{.*}}tiling = #tgemm.tiling<m = 64, n = 32, k = 64, stages = 5>
// CHAIN-AUTO: tsync.execution = #tsync.execution<serial>
// CHAIN-AUTO: tiling = #tgemm.tiling<m = 64, n = 160, k = 64, stages = 4>
// CHAIN-AUTO: tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 4, split_k = 2>

// One product goes together with itself.
// ONE: tgemm.matmul {{.*}}{kind = "measured_product"

// What is given stays, and an entry with another tiling does not count.
// GIVEN: tgemm.matmul {{.*}}{kind = "given"}, tiling = #tgemm.tiling<m = 64, n = 256, k = 64>
// GIVEN: tgemm.matmul {{.*}}{kind = "modelled"}

// NONE-NOT: tiling_origin
// NONE: tgemm.matmul {{.*}}tiling = #tgemm.tiling<
// NONE-NOT: tiling_origin

//--- two.mlir
func.func @two(%x: tensor<64x768xf16>, %w1: tensor<768x3072xf16>, %w2: tensor<3072x768xf16>) -> tensor<64x768xf16> {
  %h = tgemm.matmul %x, %w1 : tensor<64x768xf16>, tensor<768x3072xf16> -> tensor<64x3072xf16>
  %y = tgemm.matmul %h, %w2 : tensor<64x3072xf16>, tensor<3072x768xf16> -> tensor<64x768xf16>
  return %y : tensor<64x768xf16>
}
//--- one.mlir
func.func @one(%x: tensor<64x768xf16>, %w1: tensor<768x3072xf16>) -> tensor<64x3072xf16> {
  %h = tgemm.matmul %x, %w1 : tensor<64x768xf16>, tensor<768x3072xf16> -> tensor<64x3072xf16>
  return %h : tensor<64x3072xf16>
}
//--- given.mlir
func.func @given(%x: tensor<64x768xf16>, %w1: tensor<768x3072xf16>, %w2: tensor<3072x768xf16>) -> tensor<64x768xf16> {
  %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 256, k = 64>} : tensor<64x768xf16>, tensor<768x3072xf16> -> tensor<64x3072xf16>
  %y = tgemm.matmul %h, %w2 : tensor<64x3072xf16>, tensor<3072x768xf16> -> tensor<64x768xf16>
  return %y : tensor<64x768xf16>
}
//--- products.jsonl
{"version": 1, "target": "h200", "kind": "product", "key": "64x3072x768 f16->f16", "mode": "serial", "tilings": ["<m = 64, n = 64, k = 64, stages = 4>"], "us": 8.0}
{"version": 1, "target": "h100", "kind": "product", "key": "64x3072x768 f16->f16", "mode": "serial", "tilings": ["<m = 64, n = 32, k = 64, stages = 4>"], "us": 1.0}
{"version": 1, "target": "h200", "kind": "product", "key": "64x3072x768 f16->f16", "mode": "serial", "tilings": ["<m = 64, n = 128, k = 64, stages = 4>"], "us": 9, "spread": 0.1, "samples": 7}
{"version": 1, "target": "h200", "kind": "product", "key": "64x3072x768 f16->f16", "mode": "serial", "tilings": ["<m = 64, n = 32, k = 64, stages = 4>"], "us": 1.0, "eliminated": true}
{"version": 1, "target": "h200", "kind": "product", "key": "64x3072x768 f16->f16", "mode": "serial", "tilings": ["<m = 64, n = 64, k = 64, stages = 4>"], "us": 10.0}
{"version": 1, "target": "h200", "kind": "product", "key": "64x3072x768 f16->f16", "mode": "serial", "tilings": ["<m = 64, n = 96, k = 64, stages = 4>"], "us": 1.0}
{"version": 1, "target": "h200", "kind": "product", "key": "64x3072x768 f16->f16", "mode": "serial", "tilings": ["<m = 64, n = 96, k = 64, stages = 4>"], "us": 20.0, "eliminated": true}
//--- chains.jsonl
{"version": 1, "target": "h200", "kind": "chain", "key": "64x3072x768 f16->f16; 64x768x3072 f16->f16 0<-0", "mode": "persistent", "tilings": ["<m = 64, n = 64, k = 64, stages = 5>", "<m = 64, n = 32, k = 64, stages = 5>"], "us": 21}
{"version": 1, "target": "h200", "kind": "chain", "key": "64x3072x768 f16->f16; 64x768x3072 f16->f16 0<-0", "mode": "persistent", "tilings": ["<m = 64, n = 96, k = 64, stages = 5>", "<m = 64, n = 32, k = 64, stages = 5>"], "us": 20}
{"version": 1, "target": "h200", "kind": "chain", "key": "64x3072x768 f16->f16; 64x768x3072 f16->f16 0<-0", "mode": "serial", "tilings": ["<m = 64, n = 160, k = 64, stages = 4>", "<m = 64, n = 64, k = 64, stages = 4, split_k = 2>"], "us": 19}
{"version": 1, "target": "h200", "kind": "chain", "key": "64x3072x768 f16->f16; 64x768x3072 f16->f16 0<-0", "mode": "sideways", "tilings": ["<m = 64, n = 64, k = 64, stages = 4>", "<m = 64, n = 64, k = 64, stages = 4>"], "us": 1}
