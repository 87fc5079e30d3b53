//===- ExpressionPaths.cpp - Too many paths for a vectoriser --------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ExpressionPaths.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

/// Each further op that uses the two ops before it makes 1.6 times as many
/// paths, and takes 1.6 times as long. With 40 such ops, the vectoriser took 40
/// seconds.
static constexpr uint64_t kMaxPaths = 1 << 15;

/// Returns whether `block` has a value with too many paths.
static bool hasTooManyPaths(const llvm::BasicBlock &block) {
  llvm::DenseMap<const llvm::Value *, uint64_t> paths;
  for (const llvm::Instruction &instruction : block) {
    if (llvm::isa<llvm::PHINode>(instruction))
      continue;
    uint64_t sum = 1;
    for (const llvm::Value *operand : instruction.operands())
      sum = llvm::SaturatingAdd(sum, paths.lookup(operand));
    if (sum > kMaxPaths)
      return true;
    paths[&instruction] = sum;
  }
  return false;
}

bool grout::hasTooManyPaths(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    for (const llvm::BasicBlock &block : function)
      if (::hasTooManyPaths(block))
        return true;
  return false;
}
