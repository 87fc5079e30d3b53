//===- FuzzedPolicy.h - Policies that do anything to plans ------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_OUTSIDERS_FUZZEDPOLICY_H
#define GROUT_UNITTESTS_OUTSIDERS_FUZZEDPOLICY_H

#include "grout/Dialect/Launch/Transforms/SchedulingPolicy.h"

namespace grout::test {

/// What a policy may do to two launches, of which `first` comes first.
enum class Action {
  Nothing,
  Erase,
  EraseWithUses,
  Duplicate,
  Replace,
  Move,
  MoveAlone,
  DropEdges,
  AddEdge,
  AddEdgeBack,
  SwapInputs,
  ChangeInput,
  ChangeOutput,
  ChangeBody,
  ChangeBuffer,
  EraseSync,
  DuplicateSync,
  ReverseOrder,
  Rename,
  RenamePlan,
  AddBuffer,
  SetTrigger,
  SetBranch,
  SetBranchTooFar,
  SetResidents,
  Fail,
  LoseOperand,
  LoseEdgeKinds,
  ErasePlan,
  EmptyPlan,
  EraseBlock,
  EraseAll,
  ReplacePlan,
  ChangeOther,
  AddBeside,
  AddOp,
  MoveInto,
  EraseKernel,
  EraseYield,
  LoseKernelOperand,
  ChangeType,
  ChangeArgument,
  Last = ChangeArgument
};

/// Whether `action` leaves a plan such that more can be done to it.
bool leavesPlanWhole(Action action);

/// Does `action` where `plan` has what that needs.
void act(Action action, launch::PlanOp plan, launch::TilesOp first,
         launch::TilesOp second);

/// A policy called `anything`. It does `numActions` things, and seldom leaves
/// out edges that launches in sequence have.
std::unique_ptr<launch::SchedulingPolicy>
createFuzzedPolicy(unsigned seed, unsigned numActions);

} // namespace grout::test

#endif // GROUT_UNITTESTS_OUTSIDERS_FUZZEDPOLICY_H
