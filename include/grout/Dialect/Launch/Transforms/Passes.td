//===- Passes.td - Passes of the launch dialect ------------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_LAUNCH_TRANSFORMS_PASSES_TD
#define GROUT_DIALECT_LAUNCH_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def LaunchFormPlans : Pass<"launch-form-plans", "::mlir::ModuleOp"> {
  let summary = "turn functions of chains and kernels into launch plans";
  let description = [{
    Replaces every function with a body by a `launch.plan`. Each launch of a
    chain becomes a `launch.tiles`, and so does each `scop.kernel` or
    `scop.launch` outside of chains, in the order of the function. Arguments of
    the function, results of kernels and results of the function become buffers.
    Kernels write the results of the function in place. If `tensor.concat`
    concatenates results of kernels, these results become parts (`launch.part`)
    of one buffer, and each kernel writes its part.

    The pass adds the edges that the data needs. If a launch of a chain uses
    semaphores, it also gets an edge from the launch before it in the chain. The
    kind of an edge follows from the modes of the chain and of its dependences:
    `full` for `serial`, and `programmatic` for `pdl`. For `overlap` it is
    `tile`, or `launch_order` if the later launch reads no result of the earlier
    launch. `launch-schedule` orders launches that no other edge orders. If the
    target has no programmatic launches, all edges are full.

    If tiles of a chain wait for tiles, the chain must have been proved
    (`tsync-verify`). A function is an error if it has dynamic shapes, an op
    that is neither a kernel nor a view, a result that no kernel computes, or a
    value that it returns twice.
  }];
  let dependentDialects = ["::grout::launch::LaunchDialect",
                           "::grout::tsync::TSyncDialect"];
}

def LaunchSchedule : Pass<"launch-schedule", "::mlir::ModuleOp"> {
  let summary = "choose the order of the launches of plans";
  let description = [{
    A policy orders the launches of every plan. It may move launches and add
    edges. Afterwards the plan must verify, and compute the same as before: a
    lost, added or altered launch is an error. Plans with `launch.kernel` ops,
    such as references, stay as they are.

    | policy | launches |
    |---|---|
    | `serial` | keep their order, one after another |
    | `wave` | run side by side if the model says that this is faster; of the launches that may start, the one with the longest path to the end goes first |
    | `opara` | are placed on branches, and ordered, by Opara's algorithms 1 and 2 |
    | `nimble` | are placed on branches as Nimble does: on as few as let all launches that can run side by side do so |

    A branch is a stream. Each launch starts after the launch before it on its
    branch: early if it can, otherwise when that launch has ended. Compilers add
    policies of their own with `launch::registerSchedulingPolicy`.

    The order determines which inputs, such as weights, a launch may read before
    it waits for others (`early`): inputs whose writers have all ended when the
    launch starts. A memory-bound launch lets a launch of GEMMs or attention
    behind it start before it has waited itself (`trigger(before_wait)`), if the
    second launch then keeps all its early reads.
  }];
  let options = [
    Option<"policy", "policy", "std::string", /*default=*/"\"serial\"",
           "Who orders the launches">,
  ];
  let dependentDialects = ["::grout::launch::LaunchDialect"];
}

def LaunchPlaceBuffers : Pass<"launch-place-buffers", "::mlir::ModuleOp"> {
  let summary = "give the buffers of plans their places in memory";
  let description = [{
    Gives each `launch.buffer` that is not a constant an `offset`. Two buffers
    may share bytes if all launches that access the first have ended when a
    launch writes the second, in every order that the edges allow. The pass
    places large buffers first, each in the smallest gap between the buffers
    that it cannot share bytes with. It uses an output if all uses of the buffer
    end before launches write that output, and otherwise the workspace. Buffers
    that have a place keep it.

    For example, three GEMMs in a row have three intermediate results. The first
    and the third are at byte 0:

    ```mlir
    %a = launch.buffer "a" at 0 : memref<128x512xf16>
    %b = launch.buffer "b" at 131072 : memref<128x512xf16>
    %c = launch.buffer "c" at 0 : memref<128x512xf16>
    ```

    If the third GEMM's result is instead the result of the function, and `%a`
    is no larger, then `%a` is in that output, and needs no workspace.

    The pass runs after `launch-schedule`, which chooses the edges, and after
    `convert-tiles-to-kernels`, because kernels may need buffers of their own.
  }];
  let statistics = [
    Statistic<"numPlaced", "placed", "Buffers that have a place now">
  ];
}

#endif // GROUT_DIALECT_LAUNCH_TRANSFORMS_PASSES_TD
