//===- ScopDropDuplicates.cpp - One kernel for each value -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/IR/Scop.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "grout/Interfaces/TileKernelInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OperationSupport.h"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPDROPDUPLICATES
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Whether `op` is another view of a tensor.
static bool isTensorView(Operation *op) {
  return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
             tensor::ExtractSliceOp>(op);
}

/// Whether kernels read `value`, and do nothing else with its memory. A result
/// of the function, a part of a concatenation and what a kernel updates in
/// place need memory of their own.
static bool isOnlyRead(Value value) {
  return llvm::all_of(value.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isTensorView(user))
      return isOnlyRead(user->getResult(0));
    auto kernel = dyn_cast<TileKernelOpInterface>(user);
    return kernel && llvm::none_of(user->getResults(), [&](OpResult result) {
             return kernel.getUpdatedOperand(result) == &use;
           });
  });
}

/// Whether `first` and `second` are the same op with the same regions, and have
/// equal operands.
static bool areEqual(Operation *first, Operation *second) {
  llvm::DenseMap<Value, Value> equal;
  auto check = [&](Value one, Value other) -> LogicalResult {
    if (one == other || equal.lookup(one) == other)
      return success();
    Operation *op = one.getDefiningOp();
    Operation *otherOp = other.getDefiningOp();
    return success(op && otherOp &&
                   (isa<tensor::EmptyOp>(op) || isTensorView(op)) &&
                   areEqual(op, otherOp));
  };
  return OperationEquivalence::isEquivalentTo(
      first, second, check, [&](Value one, Value other) { equal[one] = other; },
      OperationEquivalence::IgnoreLocations);
}

namespace {

struct ScopDropDuplicates
    : grout::scop::impl::ScopDropDuplicatesBase<ScopDropDuplicates> {
  using Base::Base;

  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      dropDuplicates(block);
  }

  void dropDuplicates(Block &block) {
    // Kernels by a hash of their types and attributes.
    llvm::DenseMap<size_t, SmallVector<KernelOp>> kept;
    for (KernelOp kernel :
         llvm::make_early_inc_range(block.getOps<KernelOp>())) {
      if (!kernel.hasTensors() ||
          !llvm::all_of(kernel.getResults(), isOnlyRead))
        continue;
      SmallVector<KernelOp> &candidates =
          kept[OperationEquivalence::computeHash(
              kernel, OperationEquivalence::ignoreHashValue,
              OperationEquivalence::ignoreHashValue,
              OperationEquivalence::IgnoreLocations)];
      auto *same = llvm::find_if(candidates, [&](KernelOp candidate) {
        return areEqual(candidate, kernel);
      });
      if (same == candidates.end()) {
        candidates.push_back(kernel);
        continue;
      }
      kernel.replaceAllUsesWith(*same);
      kernel.erase();
      ++numDropped;
    }
  }
};

} // namespace
