// RUN: image-opt %s --grout-synchronised-pipeline='target=image-cpu mode=serial reference=false' -o %t.mlir
// RUN: image-opt %t.mlir --launch-form-plans --launch-schedule=policy=largest-first | FileCheck %s
// RUN: image-compile %s -o %t.grout --options='target=image-cpu mode=serial launch-policy=largest-first'
// RUN: grout-run %t.grout --check --poison | FileCheck %s --check-prefix=CHECKED

// Of three images that need nothing of each other, the largest comes first.
// CHECK: %[[B:.*]] = launch.tiles {{.*}} -> memref<90x80xf32>
// CHECK: %[[C:.*]] = launch.tiles {{.*}} after full(%[[B]]) {{.*}} -> memref<40x30xf32>
// CHECK: launch.tiles {{.*}} after full(%[[C]]) {{.*}} -> memref<20x30xf32>

// CHECKED: result0: {{.*}} passes
// CHECKED: result1: {{.*}} passes
// CHECKED: result2: {{.*}} passes

func.func @images(%a: tensor<20x30xf32>, %b: tensor<90x80xf32>, %c: tensor<40x30xf32>)
    -> (tensor<20x30xf32>, tensor<90x80xf32>, tensor<40x30xf32>) {
  %x = image.smooth %a : tensor<20x30xf32>
  %y = image.smooth %b : tensor<90x80xf32>
  %z = image.smooth %c : tensor<40x30xf32>
  return %x, %y, %z : tensor<20x30xf32>, tensor<90x80xf32>, tensor<40x30xf32>
}
