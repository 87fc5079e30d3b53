//===- ProvedChains.h - What need not be proved twice -----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TSYNC_TRANSFORMS_PROVEDCHAINS_H
#define GROUT_DIALECT_TSYNC_TRANSFORMS_PROVEDCHAINS_H

#include "grout/Dialect/TSync/IR/TSync.h"

namespace grout::tsync {

/// An analysis: the chains that a pass has proved to be safe as they are. The
/// pass manager drops it as soon as another pass changes anything, so that
/// tsync-verify may rely on it.
class ProvedChains {
public:
  explicit ProvedChains(mlir::Operation *) {}

  /// `residents` is the number of residents that `chain` needs.
  void add(ChainOp chain, int64_t residents) { proved[chain] = residents; }

  /// Before `chain` changes.
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
