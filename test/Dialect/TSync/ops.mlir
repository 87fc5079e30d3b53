// RUN: grout-opt %s | grout-opt | FileCheck %s

// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[WAIT:.*]] = affine_map<(d0, d1, d2) -> (d0)>
// CHECK-DAG: #[[ONE:.*]] = affine_map<(d0, d1) -> ()>
// CHECK-DAG: #[[ONCE:.*]] = affine_map<(d0, d1, d2) -> ()>

// CHECK-LABEL: func.func @chain
func.func @chain(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>,
                 %w2: tensor<512x256xf16>) -> tensor<128x256xf16> {
  // CHECK: tsync.chain mode(persistent) order [#{{.*}}, #{{.*}}] residents(1) : tensor<128x256xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      residents(1) : tensor<128x256xf16> {
    // CHECK: %[[H:.*]] = tgemm.matmul
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    // CHECK: %[[O:.*]] = tgemm.matmul %[[H]]
    %o = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
    // CHECK: tsync.dependence %[[H]] -> %[[O]] operand 0
    // CHECK-SAME: relation "{ }"
    // CHECK-SAME: policy <semaphore = #[[ROW]], shape = [2], counts = [8], lower = #[[WAIT]], upper = #[[WAIT]]>
    tsync.dependence %h -> %o operand 0 relation "{ }" policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [2], counts = [8],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
        : tensor<128x512xf16>, tensor<128x256xf16>
    // CHECK: tsync.yield %[[O]] : tensor<128x256xf16>
    tsync.yield %o : tensor<128x256xf16>
  }
  return %0 : tensor<128x256xf16>
}

// CHECK-LABEL: func.func @semaphores
func.func @semaphores(%semaphores: !tsync.semaphores, %index: i32, %count: i32, %is_missing: i1) {
  // CHECK: tsync.wait %{{.*}}[%{{.*}}] count %{{.*}} scope(device) proxy(async)
  tsync.wait %semaphores[%index] count %count scope(device) proxy(async)
  // CHECK: tsync.wait %{{.*}}[%{{.*}}] count %{{.*}} scope(device) proxy(generic) task(%[[I:.*]], %[[I]], %[[I]], %[[C:.*]])
  tsync.wait %semaphores[%index] count %count scope(device) proxy(generic) task(%index, %index, %index, %count)
  // CHECK: tsync.post %{{.*}}[%{{.*}}] scope(device) proxy(generic)
  tsync.post %semaphores[%index] scope(device) proxy(generic)
  // CHECK: tsync.poll_again %{{.*}} of %{{.*}} in %{{.*}}
  %again = tsync.poll_again %is_missing of %index in %semaphores
  return
}

// One semaphore for all tiles has no coordinates.
// CHECK-LABEL: func.func private @scalar_policy
// CHECK-SAME: #tsync.policy<semaphore = #[[ONE]], shape = [], counts = [16], lower = #[[ONCE]], upper = #[[ONCE]]>
func.func private @scalar_policy() attributes {
  p = #tsync.policy<semaphore = affine_map<(i, j) -> ()>, shape = [],
                    counts = [16], lower = affine_map<(i, j, k) -> ()>,
                    upper = affine_map<(i, j, k) -> ()>>
}

// A dependence may have a mode of its own.
// CHECK-LABEL: func.func @modes
func.func @modes(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  // CHECK: tsync.chain mode(overlap)
  %0 = tsync.chain mode(overlap) : tensor<64x64xf16> {
    %a = tgemm.matmul %x, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    %b = tgemm.matmul %a, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    %c = tgemm.matmul %b, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    // CHECK: tsync.dependence %{{.*}} -> %{{.*}} operand 0 relation "{ }" mode(pdl) : tensor
    tsync.dependence %a -> %b operand 0 relation "{ }" mode(pdl)
      : tensor<64x64xf16>, tensor<64x64xf16>
    // CHECK: tsync.dependence %{{.*}} -> %{{.*}} operand 0 mode(serial) : tensor
    tsync.dependence %b -> %c operand 0 mode(serial)
      : tensor<64x64xf16>, tensor<64x64xf16>
    tsync.yield %c : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}
