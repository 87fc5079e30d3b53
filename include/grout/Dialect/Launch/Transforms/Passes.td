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
    chain, and each `scop.kernel` or `scop.launch` that is in none, becomes a
    `launch.tiles`, in the order of the function. Arguments, results of kernels
    and results of the function become buffers; the last are written in place.
    What `tensor.concat` puts together are parts of one buffer (`launch.part`),
    which the kernels write that make them.

    Edges are those that the data needs, and, from launches of a chain that use
    semaphores, one to the launch before them in the chain. Their kinds follow
    from the mode of the chain and those of the dependences: `full` for
    `serial`; `programmatic` for `pdl`; for `overlap` `tile`, or `launch_order`
    to a launch that nothing is read from. Launches without
    another edge are ordered by `launch-schedule`. Where the target has no
    programmatic launches, all edges are full.

    A chain of which tiles wait for tiles must have been proved
    (`tsync-verify`). Functions with an op that is neither a kernel nor a view,
    with dynamic shapes, or with a result that is no kernel's or is returned
    twice, are errors.
  }];
  let dependentDialects = ["::grout::launch::LaunchDialect",
                           "::grout::tsync::TSyncDialect"];
}

def LaunchSchedule : Pass<"launch-schedule", "::mlir::ModuleOp"> {
  let summary = "choose the order of the launches of plans";
  let description = [{
    Orders the launches of every plan by a policy: it may move launches, and add
    edges, as long as the plan verifies, and computes what it did: launches that
    are lost, added or altered are errors. Plans with kernels, such as references,
    stay as they are.

    | policy | launches |
    |---|---|
    | `serial` | keep their order, one after another |
    | `wave` | run side by side where that is modelled to be faster: of those that may start, the one with the longest way to the end goes first |
    | `opara` | are placed on branches, and ordered, by Opara's algorithms 1 and 2 |
    | `nimble` | are placed on as few branches as let all run side by side that can, as Nimble does |

    A branch is a stream. Each launch starts after the one before it on its
    branch: early, where it can, and else when that has ended. Compilers add
    policies of their own with `launch::registerSchedulingPolicy`.

    The order says what launches may read before they have waited for others,
    such as weights (`early`): what only launches write that have ended when
    they start. Memory-bound launches let a product behind them start before
    they have waited themselves (`trigger(before_wait)`), if it may read no less
    early then.
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
    Gives each `launch.buffer` that is no constant an `offset`. Two buffers share
    bytes if whatever accesses the one has surely ended when a launch writes the
    other, whatever order the edges leave open. Large buffers come first, each in
    the smallest gap between those that it cannot share bytes with: in an output
    that launches write only when the buffer is over, or else in the workspace.
    Buffers that have a place keep it.

    For example, of three matrix products in a row, the first and the third
    intermediate are at byte 0:

    ```mlir
    %a = launch.buffer "a" at 0 : memref<128x512xf16>
    %b = launch.buffer "b" at 131072 : memref<128x512xf16>
    %c = launch.buffer "c" at 0 : memref<128x512xf16>
    ```

    If the third product's result is the function's, and `%a` is no larger, then
    `%a` is in that output, and needs no workspace.

    It comes behind `launch-schedule`, which chooses the edges, and behind
    `convert-tiles-to-kernels`, as kernels may need buffers of their own.
  }];
  let statistics = [
    Statistic<"numPlaced", "placed", "Buffers that have a place now">
  ];
}

#endif // GROUT_DIALECT_LAUNCH_TRANSFORMS_PASSES_TD
