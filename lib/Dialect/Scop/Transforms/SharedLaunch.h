//===- SharedLaunch.h - Which kernels may share a launch --------*- C++ -*-===//
//
// Part of Grout. Blocks of one launch have the same number of threads, and
// registers for the kernel that needs most; and all of it goes through one
// cache. See docs/ScopKernels.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SHAREDLAUNCH_H
#define GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SHAREDLAUNCH_H

#include "grout/Dialect/Scop/IR/Scop.h"
#include "grout/Target/TargetSpec.h"

namespace grout::scop {

/// What others that share the launch of a kernel have to know.
struct KernelNeeds {
  int64_t threads = 0, blocks = 0;
  /// Whether its threads keep many values in registers.
  bool keepsRows = false;
  /// About how many instructions it is.
  int64_t instructions = 0;
  int64_t numOperands = 0;
  /// What it reads and writes.
  double bytes = 0;
  /// Tensors that it or another kernel computes, and that the cache may have
  /// from one launch to the next.
  llvm::SmallVector<mlir::Value> passedOn;

  double getBytesOfBlock() const { return bytes / double(blocks); }
};

/// What `kernel` needs, but for `passedOn`; none if it cannot share a launch.
std::optional<KernelNeeds> getKernelNeeds(KernelOp kernel,
                                          const TargetSpec &target);

/// The kernels of a launch so far.
class SharedLaunch {
public:
  SharedLaunch(const TargetSpec &target) : target(target) {}

  void add(const KernelNeeds &kernel) { kernels.push_back(&kernel); }
  /// Whether `kernel` may share it, and does not make it slower than two
  /// launches.
  bool suits(const KernelNeeds &kernel) const;

private:
  bool haveSameBlocks(llvm::ArrayRef<const KernelNeeds *> all) const;
  /// The seconds that are lost as `all` push what they pass on out of the
  /// cache.
  double getLostTime(llvm::ArrayRef<const KernelNeeds *> all) const;

  const TargetSpec &target;
  llvm::SmallVector<const KernelNeeds *> kernels;
};

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SHAREDLAUNCH_H
