// An op of one's own behind itself, of four tiles each: more workers than tiles
// run all of them at once, so that a missing wait shows.
//
// RUN: image-opt %s --grout-synchronised-pipeline='target=image-cpu reference=false' | FileCheck %s
// RUN: image-compile %s -o %t.grout --options='target=image-cpu mode=persistent'
// RUN: grout-run %t.grout --workers=8 --check --poison --inject-delays=1 --repeat=50 | FileCheck %s --check-prefix=RESULT

// CHECK-DAG: #[[LOWER:.*]] = affine_map<(d0, d1, d2) -> (d0 - 1, 0)>
// CHECK-DAG: #[[UPPER:.*]] = affine_map<(d0, d1, d2) -> (d0 + 1, 0)>
// CHECK: tsync.dependence {{.*}} lower = #[[LOWER]], upper = #[[UPPER]]>

// RESULT: result0: {{.*}} passes

func.func @twice(%x: tensor<60x24xf32>) -> tensor<60x24xf32> {
  %y = image.smooth %x : tensor<60x24xf32>
  %z = image.smooth %y : tensor<60x24xf32>
  return %z : tensor<60x24xf32>
}
