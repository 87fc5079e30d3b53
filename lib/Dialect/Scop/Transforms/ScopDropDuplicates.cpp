//===- ScopDropDuplicates.cpp - One kernel for each value -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "EqualKernels.h"
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

/// Whether both values are the same view of the same tensor, or empty tensors
/// of the same type.
static bool areEqualTensors(Value one, Value other) {
  if (one == other)
    return true;
  Operation *op = one.getDefiningOp();
  Operation *otherOp = other.getDefiningOp();
  return op && otherOp && (isa<tensor::EmptyOp>(op) || isTensorView(op)) &&
         OperationEquivalence::isEquivalentTo(
             op, otherOp,
             [](Value source, Value otherSource) {
               return success(areEqualTensors(source, otherSource));
             },
             /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
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
    llvm::DenseMap<size_t, SmallVector<KernelOp>> kept;
    for (KernelOp kernel :
         llvm::make_early_inc_range(block.getOps<KernelOp>())) {
      if (!kernel.hasTensors() ||
          !llvm::all_of(kernel.getResults(), isOnlyRead))
        continue;
      SmallVector<KernelOp> &candidates = kept[computeHash(kernel)];
      auto *same = llvm::find_if(candidates, [&](KernelOp candidate) {
        return areEqual(candidate, kernel, areEqualTensors);
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
