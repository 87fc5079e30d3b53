// RUN: split-file %s %t
// RUN: grout-opt %t/two.mlir --grout-set-target=name=h200 --tgemm-assign-tiling="mode=persistent tuning=%t/wrong.jsonl record-origins" 2> %t/warnings.txt | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARN --input-file=%t/warnings.txt --implicit-check-not=warning:
// RUN: not grout-opt %t/two.mlir --grout-set-target=name=h200 --tgemm-assign-tiling="tuning=%t/none.jsonl" 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not grout-opt %t/two.mlir --grout-set-target=name=h200 --tgemm-assign-tiling="tuning=%t/cut.jsonl" 2>&1 | FileCheck %s --check-prefix=CUT --implicit-check-not=error:
// RUN: grout-opt %t/one.mlir --grout-set-target=name=h200 --tgemm-assign-tiling="tuning=%t/wrong.jsonl record-origins" 2> %t/product.txt | FileCheck %s --check-prefix=ONE
// RUN: FileCheck %s --check-prefix=WARN-ONE --input-file=%t/product.txt

// MISSING: error: cannot read the tuning database '{{.*}}none.jsonl': No such file or directory

// A file with a line that is no measurement may have lost others, too:
// TuningDatabaseTest has all that a line can be.
// CUT: error: {{.*}}cut.jsonl:2: not a measurement: no JSON: {{.*}}

// What is a measurement, but of no use to this compiler, is named and left out,
// and the rest counts. It looks good until it is looked up, fastest first.
// CHECK: tgemm.matmul {{.*}}{kind = "measured_chain", place = "{{.*}}wrong.jsonl:7"
// CHECK: tgemm.matmul {{.*}}{kind = "measured_chain", place = "{{.*}}wrong.jsonl:7"

// WARN: {{(one|two)}}.mlir:2:8: warning: measurement {{.*}}wrong.jsonl:2 is left out: 1 tilings for 2 products
// WARN: {{(one|two)}}.mlir:2:8: warning: measurement {{.*}}wrong.jsonl:3 is left out: no tiling '<m = 64, n = 64>': struct is missing required parameter: k
// WARN: {{(one|two)}}.mlir:2:8: warning: measurement {{.*}}wrong.jsonl:4 is left out: no tiling '<m = 63, n = 64, k = 64, cluster_m = 2>': cannot split 63 rows among 2 blocks
// WARN: {{(one|two)}}.mlir:2:8: warning: measurement {{.*}}wrong.jsonl:5 is left out: tiling '<m = 64, n = 264, k = 64>' needs blocks with n a multiple of 16 up to 256 on h200, got 264
// WARN: {{(one|two)}}.mlir:2:8: warning: measurement {{.*}}wrong.jsonl:6 is left out: its tilings do not go together in one kernel

// ONE: {kind = "modelled"}
// WARN-ONE: {{(one|two)}}.mlir:2:8: warning: measurement {{.*}}wrong.jsonl:8 is left out: no tiling '<m = 64, n = 64, k = 64> : tuple<tuple<>>': it must be in one pair of angle brackets
// WARN-ONE: {{(one|two)}}.mlir:2:8: warning: measurement {{.*}}wrong.jsonl:1 is left out: tiling '<m = 320, n = 64, k = 64>' needs blocks with m of 64, 128, 192 or 256 on h200, got 320

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
{"version": 1, "target": "h200", "kind": "product", "key": "64x3072x768 f16->f16", "mode": "serial", "tilings": ["<m = 320, n = 64, k = 64>"], "us": 1}
{"version": 1, "target": "h200", "kind": "chain", "key": "64x3072x768 f16->f16; 64x768x3072 f16->f16 0<-0", "mode": "persistent", "tilings": ["<m = 64, n = 64, k = 64>"], "us": 1}
{"version": 1, "target": "h200", "kind": "chain", "key": "64x3072x768 f16->f16; 64x768x3072 f16->f16 0<-0", "mode": "persistent", "tilings": ["<m = 64, n = 64>", "<m = 64, n = 64, k = 64>"], "us": 2}
{"version": 1, "target": "h200", "kind": "chain", "key": "64x3072x768 f16->f16; 64x768x3072 f16->f16 0<-0", "mode": "persistent", "tilings": ["<m = 63, n = 64, k = 64, cluster_m = 2>", "<m = 64, n = 64, k = 64>"], "us": 3}
{"version": 1, "target": "h200", "kind": "chain", "key": "64x3072x768 f16->f16; 64x768x3072 f16->f16 0<-0", "mode": "persistent", "tilings": ["<m = 64, n = 264, k = 64>", "<m = 64, n = 64, k = 64>"], "us": 4}
{"version": 1, "target": "h200", "kind": "chain", "key": "64x3072x768 f16->f16; 64x768x3072 f16->f16 0<-0", "mode": "persistent", "tilings": ["<m = 64, n = 64, k = 64>", "<m = 64, n = 128, k = 64, cluster_n = 2>"], "us": 5}
{"version": 1, "target": "h200", "kind": "chain", "key": "64x3072x768 f16->f16; 64x768x3072 f16->f16 0<-0", "mode": "persistent", "tilings": ["<m = 64, n = 64, k = 64>", "<m = 64, n = 64, k = 64>"], "us": 6}
{"version": 1, "target": "h200", "kind": "product", "key": "64x3072x768 f16->f16", "mode": "serial", "tilings": ["<m = 64, n = 64, k = 64> : tuple<tuple<>>"], "us": 0.5}
//--- cut.jsonl
{"version": 1, "target": "h200", "kind": "chain", "key": "64x3072x768 f16->f16; 64x768x3072 f16->f16 0<-0", "mode": "persistent", "tilings": ["<m = 64, n = 64, k = 64>", "<m = 64, n = 64, k = 64>"], "us": 6}
{"version": 1, "target": "h200", "kind": "chain", "key": "64x30
