// RUN: not grout-opt %s --grout-set-target=name=h200 --scop-schedule=tree=pluto -split-input-file 2>&1 | FileCheck %s --check-prefix=TREE
// RUN: not grout-opt %s --grout-set-target=name=h200 --scop-schedule=solver=glpk -split-input-file 2>&1 | FileCheck %s --check-prefix=SOLVER
// RUN: not grout-opt %s --grout-set-target=name=h200 --scop-schedule='solver=isl tree=from-ir' -split-input-file 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not grout-opt %s --grout-set-target=name=h200 --scop-schedule=max-operations=10 -split-input-file 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: grout-opt %s --grout-set-target=name=h200 --scop-schedule=tree=from-ir -split-input-file -verify-diagnostics

// TREE: unknown tree 'pluto'; trees are none, from-ir, akg, auto
// SOLVER: for the --solver option: Cannot find option named 'glpk'!
// BUDGET: cannot be analysed: gave up: the operation budget of the integer set library ran out
// BOTH: the solver isl takes no constraint tree

// The tree asks for a parallel loop that carries a dependence.
func.func @impossible(%y: memref<5xf32>) {
  // expected-remark @+1 {{schedule is relaxed: }}
  scop.kernel outs(%y : memref<5xf32>) {
  ^bb0(%Y: memref<5xf32>):
    scop.stmt @S domain [4] reads(%Y[(d0) -> (d0)] : memref<5xf32>) writes(%Y[(d0) -> (d0 + 1)] : memref<5xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
    scop.tree {
      scop.linear constraints [@S[0] eq 1] coincidence all {}
    }
  }
  return
}

// -----

func.func @contradiction(%y: memref<5xf32>) {
  // expected-error @+1 {{cannot be scheduled: constraint tree, node 0 (linear S.i0 = 1, S.i0 = 2): the constraints on coefficient 0 of statement 'S' contradict each other}}
  scop.kernel outs(%y : memref<5xf32>) {
  ^bb0(%Y: memref<5xf32>):
    scop.stmt @S domain [4] reads(%Y[(d0) -> (d0)] : memref<5xf32>) writes(%Y[(d0) -> (d0 + 1)] : memref<5xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
    scop.tree {
      scop.linear constraints [@S[0] eq 1, @S[0] eq 2] {}
    }
  }
  return
}

// -----

func.func @unknown_dependence(%y: memref<5xf32>) {
  // expected-error @+1 {{there is no dependence 'flow_T_S'}}
  scop.kernel outs(%y : memref<5xf32>) {
  ^bb0(%Y: memref<5xf32>):
    scop.stmt @S domain [4] reads(%Y[(d0) -> (d0)] : memref<5xf32>) writes(%Y[(d0) -> (d0 + 1)] : memref<5xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
    scop.tree {
      scop.linear coincidence listed ["flow_T_S"] {}
    }
  }
  return
}
