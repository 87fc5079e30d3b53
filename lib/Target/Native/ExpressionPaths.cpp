//===- ExpressionPaths.cpp - What is too deep for a vectoriser ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ExpressionPaths.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

/// With each further op that uses two before it, paths grow 1.6 times, and so
/// does the time: 40 such ops took 40 seconds.
static constexpr uint64_t kMaxPaths = 1 << 15;

/// Whether `block` has a value with too many paths.
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
