// RUN: split-file %s %t
// RUN: grout-opt %t/two.mlir -tgemm-assign-tiling="target=h200 mode=persistent tuning=%t/wrong.jsonl record-origins" 2> %t/warnings.txt | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARN --input-file=%t/warnings.txt --implicit-check-not=warning:
// RUN: not grout-opt %t/two.mlir -tgemm-assign-tiling="target=h200 tuning=%t/none.jsonl" 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: grout-opt %t/one.mlir -tgemm-assign-tiling="target=h200 tuning=%t/wrong.jsonl record-origins" 2> %t/product.txt | FileCheck %s --check-prefix=ONE
// RUN: FileCheck %s --check-prefix=WARN-ONE --input-file=%t/product.txt

// MISSING: error: cannot read the tuning database '{{.*}}none.jsonl': No such file or directory

// What is wrong is named and left out, and the rest counts.
// CHECK: tgemm.matmul {{.*}}{kind = "measured_chain", place = "{{.*}}wrong.jsonl:19"
// CHECK: tgemm.matmul {{.*}}{kind = "measured_chain", place = "{{.*}}wrong.jsonl:19"

// WARN: wrong.jsonl:1:1: warning: entry is left out: no JSON object
// WARN: wrong.jsonl:2:1: warning: entry is left out: no version; this compiler reads 1
// WARN: wrong.jsonl:3:1: warning: entry is left out: version 2; this compiler reads 1
// WARN: wrong.jsonl:4:1: warning: entry is left out: 'target' must be a string
// WARN: wrong.jsonl:5:1: warning: entry is left out: unknown kind 'quotient'
// WARN: wrong.jsonl:6:1: warning: entry is left out: 'key' must be a string
// WARN: wrong.jsonl:7:1: warning: entry is left out: 'mode' must be a string
// WARN: wrong.jsonl:8:1: warning: entry is left out: 'tilings' must be a list of strings
// WARN: wrong.jsonl:9:1: warning: entry is left out: 'tilings' must be a list of strings
// WARN: wrong.jsonl:10:1: warning: entry is left out: 'us' must be a number above 0
// WARN: wrong.jsonl:11:1: warning: entry is left out: 'us' must be a number above 0
// WARN: wrong.jsonl:12:1: warning: entry is left out: 2 tilings for one product
// WARN: wrong.jsonl:20:1: warning: entry is left out: no JSON: {{.*}}

// These look good until they are looked up, fastest first.
// WARN: wrong.jsonl:14:1: warning: entry is left out: 1 tilings for 2 products
// WARN: wrong.jsonl:15:1: warning: entry is left out: no tiling '<m = 64, n = 64>': struct is missing required parameter: k
// WARN: wrong.jsonl:16:1: warning: entry is left out: no tiling '<m = 63, n = 64, k = 64, cluster_m = 2>': cannot share out 63 rows to 2 blocks
// WARN: wrong.jsonl:17:1: warning: entry is left out: tiling '<m = 64, n = 264, k = 64>' needs blocks with n a multiple of 16 up to 256 on h200, got 264
// WARN: wrong.jsonl:18:1: warning: entry is left out: its tilings do not go together in one kernel

// ONE: {kind = "modelled"}
// WARN-ONE: wrong.jsonl:13:1: warning: entry is left out: tiling '<m = 320, n = 64, k = 64>' needs blocks with m of 64, 128, 192 or 256 on h200, got 320

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
//--- wrong.jsonl
[1]
{"target": "h200"}
{"version": 2}
{"version": 1, "kind": "product", "key": "k", "mode": "serial", "tilings": [""], "us": 1}
{"version": 1, "target": "h200", "kind": "quotient", "key": "k", "mode": "serial", "tilings": [""], "us": 1}
{"version": 1, "target": "h200", "kind": "product", "mode": "serial", "tilings": [""], "us": 1}
{"version": 1, "target": "h200", "kind": "product", "key": "k", "tilings": [""], "us": 1}
{"version": 1, "target": "h200", "kind": "product", "key": "k", "mode": "serial", "us": 1}
{"version": 1, "target": "h200", "kind": "product", "key": "k", "mode": "serial", "tilings": [7], "us": 1}
{"version": 1, "target": "h200", "kind": "product", "key": "k", "mode": "serial", "tilings": [""], "us": "1"}
{"version": 1, "target": "h200", "kind": "product", "key": "k", "mode": "serial", "tilings": [""], "us": -1}
{"version": 1, "target": "h200", "kind": "product", "key": "k", "mode": "serial", "tilings": ["", ""], "us": 1}
{"version": 1, "target": "h200", "kind": "product", "key": "64x3072x768 f16->f16", "mode": "serial", "tilings": ["<m = 320, n = 64, k = 64>"], "us": 1}
{"version": 1, "target": "h200", "kind": "chain", "key": "64x3072x768 f16->f16; 64x768x3072 f16->f16 0<-0", "mode": "persistent", "tilings": ["<m = 64, n = 64, k = 64>"], "us": 1}
{"version": 1, "target": "h200", "kind": "chain", "key": "64x3072x768 f16->f16; 64x768x3072 f16->f16 0<-0", "mode": "persistent", "tilings": ["<m = 64, n = 64>", "<m = 64, n = 64, k = 64>"], "us": 2}
{"version": 1, "target": "h200", "kind": "chain", "key": "64x3072x768 f16->f16; 64x768x3072 f16->f16 0<-0", "mode": "persistent", "tilings": ["<m = 63, n = 64, k = 64, cluster_m = 2>", "<m = 64, n = 64, k = 64>"], "us": 3}
{"version": 1, "target": "h200", "kind": "chain", "key": "64x3072x768 f16->f16; 64x768x3072 f16->f16 0<-0", "mode": "persistent", "tilings": ["<m = 64, n = 264, k = 64>", "<m = 64, n = 64, k = 64>"], "us": 4}
{"version": 1, "target": "h200", "kind": "chain", "key": "64x3072x768 f16->f16; 64x768x3072 f16->f16 0<-0", "mode": "persistent", "tilings": ["<m = 64, n = 64, k = 64>", "<m = 64, n = 128, k = 64, cluster_n = 2>"], "us": 5}
{"version": 1, "target": "h200", "kind": "chain", "key": "64x3072x768 f16->f16; 64x768x3072 f16->f16 0<-0", "mode": "persistent", "tilings": ["<m = 64, n = 64, k = 64>", "<m = 64, n = 64, k = 64>"], "us": 6}
{"version": 1, "target": "h200", "kind": "chain", "key": "64x30
