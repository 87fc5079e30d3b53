// REQUIRES: ptxas
// RUN: split-file %s %t
// RUN: grout-opt %t/clean.mlir --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null | FileCheck %s --check-prefix=CLEAN
// RUN: grout-opt %t/ignored.mlir --dump-ptx="assemble=true ptxas=%ptxas" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: not grout-opt %t/ignored.mlir --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: not grout-opt %t/spills.mlir --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SPILLS
// RUN: not grout-opt %t/wrong.mlir --dump-ptx="assemble=true ptxas=%ptxas" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not grout-opt %t/clean.mlir --dump-ptx="assemble=true ptxas=%t/no-such-file" -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSING

// ptxas succeeds also where it ignores what was asked for. Its report says so,
// and Grout passes it on.

// CLEAN: kernel: {{[0-9]+}} registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// CLEAN-NOT: {{.}}

// WARNING: ignored.mlir:1:1: warning: ptxas: ptxas info : (C7508) {{.*}}setmaxnreg{{.*}}ignored
// WARNING: kernel: {{[0-9]+}} registers

// STRICT: ignored.mlir:1:1: error: ptxas: ptxas info : (C7508) {{.*}}setmaxnreg{{.*}}ignored

// SPILLS: spills.mlir:1:1: error: ptxas: kernel 'kernel' spills registers: {{[0-9]+}} bytes of stores and {{[0-9]+}} of loads

// WRONG: wrong.mlir:1:1: error: {{.*}}ptxas failed
// WRONG: note: {{.*}}'nonsense'

// MISSING: error: cannot make a cubin: cannot execute '{{.*}}no-such-file'

//--- clean.mlir
gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx86">] {
  llvm.func @kernel() attributes {nvvm.kernel} {
    llvm.return
  }
}

//--- ignored.mlir
gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx86">] {
  llvm.func @kernel() attributes {nvvm.kernel} {
    nvvm.setmaxregister decrease 24
    llvm.return
  }
}

//--- spills.mlir
gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx86">] {
  llvm.func @kernel(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxnreg = 24 : i32} {
    %a = llvm.load volatile %p {alignment = 16 : i64} : !llvm.ptr<1> -> vector<16xi32>
    %b = llvm.load volatile %p {alignment = 16 : i64} : !llvm.ptr<1> -> vector<16xi32>
    %c = llvm.add %a, %b : vector<16xi32>
    %d = llvm.mul %a, %b : vector<16xi32>
    llvm.inline_asm has_side_effects "bar.sync 0;", "~{memory}" : () -> ()
    llvm.store volatile %c, %p {alignment = 16 : i64} : vector<16xi32>, !llvm.ptr<1>
    llvm.store volatile %d, %p {alignment = 16 : i64} : vector<16xi32>, !llvm.ptr<1>
    llvm.return
  }
}

//--- wrong.mlir
gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx86">] {
  llvm.func @kernel() attributes {nvvm.kernel} {
    llvm.inline_asm has_side_effects "nonsense;", "" : () -> ()
    llvm.return
  }
}
