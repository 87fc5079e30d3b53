// RUN: grout-opt %s --grout-synchronised-pipeline="target=h200 mode=auto reference=false" | FileCheck %s
// RUN: grout-opt %s --grout-synchronised-pipeline="target=h200 mode=pdl reference=false" | FileCheck %s --check-prefix=APART
// RUN: grout-compile %s --target=h200 --mode=auto --no-reference --explain -o %t.grout | FileCheck %s --check-prefix=EXPLAIN
// RUN: grout-compile %s --target=h200 --mode=auto --no-reference --emit=ptx | FileCheck %s --check-prefix=PTX

// Products of one matrix share a launch in mode auto: they wait for the launch
// before together, what follows waits for theirs, and nothing is to be proved. In
// other modes each has its own.

// CHECK:         tsync.chain mode(pdl)
// CHECK-NOT:     residents
// CHECK:         %[[X:.*]] = tgemm.matmul
// CHECK-NOT:     launched_with_next
// CHECK:         tgemm.matmul %[[X]], {{.*}}launched_with_next
// CHECK:         tgemm.matmul %[[X]], {{.*}}launched_with_next
// CHECK:         tgemm.matmul %[[X]]
// CHECK-NOT:     launched_with_next
// CHECK:         return
// APART:         tsync.chain mode(pdl)
// APART-NOT:     launched_with_next
// APART:         return

// EXPLAIN:       kernel matmul1
// EXPLAIN:         choice      modelled, for all products of the kernel together
// EXPLAIN:         start       before matmul0 has ended
// EXPLAIN:       kernel matmul2
// EXPLAIN:         start       in one launch with matmul1
// EXPLAIN:       kernel matmul3
// EXPLAIN:         start       in one launch with matmul2
// EXPLAIN:         by tile     gains nothing: several products share a launch
// EXPLAIN:       kernel matmul4
// EXPLAIN:         start       before matmul3 has ended
// EXPLAIN:       proof         every kernel waits for those before it before it touches what the chain writes

// Three launches; the second waits before it stores.
// PTX-COUNT-3:   .visible .entry f_chain0_kernel
// PTX-NOT:       .visible .entry
func.func @f(%x: tensor<256x512xf16>, %w: tensor<512x768xf16>, %q: tensor<768x768xf16>, %k: tensor<768x768xf16>, %v: tensor<768x768xf16>, %o: tensor<768x512xf16>)
    -> (tensor<256x512xf16>, tensor<256x768xf16>, tensor<256x768xf16>) {
  %h = tgemm.matmul %x, %w : tensor<256x512xf16>, tensor<512x768xf16> -> tensor<256x768xf16>
  %0 = tgemm.matmul %h, %q : tensor<256x768xf16>, tensor<768x768xf16> -> tensor<256x768xf16>
  %1 = tgemm.matmul %h, %k : tensor<256x768xf16>, tensor<768x768xf16> -> tensor<256x768xf16>
  %2 = tgemm.matmul %h, %v : tensor<256x768xf16>, tensor<768x768xf16> -> tensor<256x768xf16>
  %3 = tgemm.matmul %0, %o : tensor<256x768xf16>, tensor<768x512xf16> -> tensor<256x512xf16>
  return %3, %1, %2 : tensor<256x512xf16>, tensor<256x768xf16>, tensor<256x768xf16>
}
