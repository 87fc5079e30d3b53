//===- FormedPlan.cpp - A plan as it was formed ---------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "FormedPlan.h"

#include "grout/Dialect/Launch/IR/BufferParts.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace grout;
using namespace grout::launch;

FormedPlan::FormedPlan(PlanOp plan)
    : plan(plan), formed(cast<PlanOp>(plan->clone(mapping))) {
  for (auto [op, copy] :
       llvm::zip_equal(plan.getBody().front(), formed->getBody().front()))
    if (!isa<StartOp>(op))
      ops.emplace_back(&op, &copy);
}

LogicalResult FormedPlan::verify(StringRef policy) {
  return success(succeeded(verifyOps(policy)) &&
                 succeeded(verifyAccesses(policy)));
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Returns the attributes of `op`, formed as `copy`, that a policy may not
/// change.
static DictionaryAttr getFixedAttributes(Operation *op, Operation *copy) {
  NamedAttrList attributes(op->getAttrDictionary());
  if (auto tiles = dyn_cast<TilesOp>(copy)) {
    attributes.erase(tiles.getEdgesAttrName());
    attributes.erase(TilesOp::getOperandSegmentSizeAttr());
    attributes.erase(tiles.getBranchAttrName());
    if (!tiles.getTrigger())
      attributes.erase(tiles.getTriggerAttrName());
  }
  return attributes.getDictionary(op->getContext());
}

/// Returns the operands of `op` that are not the tokens of edges.
static SmallVector<Value> getFixedOperands(Operation *op) {
  return llvm::filter_to_vector(op->getOperands(), [](Value operand) {
    return !isa<TokenType>(operand.getType());
  });
}

static size_t countReads(Operation *op) {
  auto launch = dyn_cast<LaunchOpInterface>(op);
  return launch ? launch.getReads().size() : 0;
}

bool FormedPlan::isUnchanged(Operation *op, Operation *copy) {
  auto isCopied = [&](Value value) { return mapping.lookupOrNull(value); };
  return op->getName() == copy->getName() &&
         op->getResultTypes() == copy->getResultTypes() &&
         getFixedAttributes(op, copy) == getFixedAttributes(copy, copy) &&
         llvm::equal(llvm::map_range(getFixedOperands(op), isCopied),
                     getFixedOperands(copy)) &&
         countReads(op) == countReads(copy) &&
         llvm::all_of_zip(op->getRegions(), copy->getRegions(),
                          [](Region &region, Region &ofCopy) {
                            return OperationEquivalence::isRegionEquivalentTo(
                                &region, &ofCopy,
                                OperationEquivalence::IgnoreLocations);
                          });
}

/// Returns "launch 'name'", or the name of `op` if it is no launch.
static std::string describe(Operation *op) {
  if (auto launch = dyn_cast<LaunchOpInterface>(op))
    return "launch '" + launch.getName().str() + "'";
  return "'" + op->getName().getStringRef().str() + "'";
}

/// Whether `op`, or an op in it, has a null operand. An op has one if a policy
/// erased the op of its operand with dropAllUses.
static bool lacksOperand(Operation *op) {
  return op
      ->walk([](Operation *nested) {
        return llvm::is_contained(nested->getOperands(), Value())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult FormedPlan::verifyOps(StringRef policy) {
  auto refuse = [&](Operation *op, StringRef what) {
    return emitError(op->getLoc())
           << describe(op) << " was " << what << " by policy '" << policy << "'"
           << kAllowedToPolicies;
  };
  if (!plan.getBody().hasOneBlock() ||
      plan->getAttrDictionary() != (*formed)->getAttrDictionary() ||
      plan.getBody().getArgumentTypes() != formed->getBody().getArgumentTypes())
    return refuse(plan, "altered");
  llvm::DenseMap<Operation *, Operation *> lost(ops.begin(), ops.end());
  for (Operation &op : plan.getBody().front())
    if (!isa<StartOp>(op) && !lost.erase(&op))
      return refuse(&op, "added");
  for (auto [op, copy] : ops)
    if (lost.contains(op))
      return refuse(copy, "erased");
  for (auto [op, copy] : ops) {
    if (lacksOperand(op))
      return refuse(op, "left without an operand");
    if (!isUnchanged(op, copy))
      return refuse(op, "altered");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

LogicalResult FormedPlan::verifyAccesses(StringRef policy) {
  struct Access {
    LaunchOpInterface launch;
    Value buffer;
    bool isWrite;
  };
  // For each memory, its accesses in the order in which the plan was formed.
  llvm::DenseMap<Value, SmallVector<Access>> accesses;
  auto add = [&](Access access) -> LogicalResult {
    SmallVector<Access> &before = accesses[getMemory(access.buffer)];
    for (const Access &earlier : before) {
      if ((!earlier.isWrite && !access.isWrite) ||
          !access.launch->isBeforeInBlock(earlier.launch) ||
          !mayOverlap(earlier.buffer, access.buffer))
        continue;
      InFlightDiagnostic diag =
          emitError(access.launch->getLoc())
          << describe(access.launch) << " was moved before "
          << describe(earlier.launch) << " by policy '" << policy
          << "' of launch-schedule, but "
          << (access.isWrite ? "writes" : "reads") << " a buffer that "
          << (earlier.isWrite ? "is written" : "is read")
          << " there; a policy may only swap launches that do not depend on "
             "each other";
      diag.attachNote(earlier.launch->getLoc()) << "which is this one";
      return diag;
    }
    before.push_back(access);
    return success();
  };
  for (auto [op, copy] : ops) {
    auto launch = dyn_cast<LaunchOpInterface>(op);
    if (!launch)
      continue;
    for (Value buffer : launch.getReads())
      if (failed(add({launch, buffer, /*isWrite=*/false})))
        return failure();
    for (Value buffer : launch.getWrites())
      if (failed(add({launch, buffer, /*isWrite=*/true})))
        return failure();
  }
  return success();
}
