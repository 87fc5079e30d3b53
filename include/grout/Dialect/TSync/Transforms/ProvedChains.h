//===- ProvedChains.h - Chains that are proved already ----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TSYNC_TRANSFORMS_PROVEDCHAINS_H
#define GROUT_DIALECT_TSYNC_TRANSFORMS_PROVEDCHAINS_H

#include "grout/Dialect/TSync/IR/TSync.h"

namespace grout::tsync {

/// An analysis: the chains that a pass has proved to be safe in their present
/// form. The pass manager drops the analysis as soon as another pass changes
/// anything, so tsync-verify may rely on it.
class ProvedChains {
public:
  explicit ProvedChains(mlir::Operation *) {}

  /// Adds `chain`, which needs `residents` resident tiles.
  void add(ChainOp chain, int64_t residents) { proved[chain] = residents; }

  /// Removes `chain`. Must be called before `chain` changes.
  void remove(ChainOp chain) { proved.erase(chain); }

  std::optional<int64_t> lookup(ChainOp chain) const {
    auto it = proved.find(chain);
    return it == proved.end() ? std::nullopt : std::optional(it->second);
  }

private:
  llvm::DenseMap<mlir::Operation *, int64_t> proved;
};

} // namespace grout::tsync

#endif // GROUT_DIALECT_TSYNC_TRANSFORMS_PROVEDCHAINS_H
