//===- EqualKernels.cpp - Kernels with the same statements ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "EqualKernels.h"

#include "grout/Dialect/Scop/ConstraintTrees/ConstraintTrees.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace grout::scop;

llvm::hash_code grout::scop::computeHash(KernelOp kernel) {
  llvm::hash_code hash = llvm::hash_value(kernel->getNumOperands());
  kernel->walk([&](Operation *op) {
    hash =
        llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                     op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

bool grout::scop::areEqual(KernelOp one, KernelOp other,
                           function_ref<bool(Value, Value)> areEqualOperands) {
  if (one->getOperandTypes() != other->getOperandTypes())
    return false;
  llvm::DenseMap<Value, Value> inside;
  auto check = [&](Value value, Value otherValue) {
    auto known = inside.find(value);
    if (known != inside.end())
      return success(known->second == otherValue);
    // Nothing in a kernel uses values from outside of it.
    return success(areEqualOperands(value, otherValue));
  };
  return OperationEquivalence::isEquivalentTo(
      one, other, check,
      [&](Value value, Value otherValue) { inside[value] = otherValue; },
      OperationEquivalence::IgnoreLocations);
}

SmallVector<size_t> grout::scop::findFirstEqual(ArrayRef<KernelOp> kernels) {
  SmallVector<size_t> first;
  llvm::DenseMap<size_t, SmallVector<size_t>> byHash;
  for (size_t index = 0; index != kernels.size(); ++index) {
    KernelOp kernel = kernels[index];
    SmallVector<size_t> &candidates = byHash[computeHash(kernel)];
    auto *same = llvm::find_if(candidates, [&](size_t candidate) {
      return areEqual(kernels[candidate], kernel,
                      [](Value operand, Value otherOperand) {
                        return isComputed(operand) == isComputed(otherOperand);
                      });
    });
    if (same != candidates.end()) {
      first.push_back(*same);
      continue;
    }
    candidates.push_back(index);
    first.push_back(index);
  }
  return first;
}
