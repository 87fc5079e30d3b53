//===- SharedLaunch.h - Kernels that share a launch -------------*- C++ -*-===//
//
// Part of Grout. Blocks of one launch have the same number of threads, and
// registers for the kernel that needs the most. All kernels of the launch share
// the cache. See docs/ScopKernels.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SHAREDLAUNCH_H
#define GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SHAREDLAUNCH_H

#include "grout/Dialect/Scop/IR/Scop.h"
#include "grout/Target/TargetSpec.h"

namespace grout::scop {

/// The properties of a kernel that matter to others in its launch.
struct KernelNeeds {
  int64_t threads = 0, blocks = 0;
  /// Whether its threads keep many values in registers.
  bool keepsRows = false;
  /// An estimate of its number of instructions.
  int64_t instructions = 0;
  int64_t numOperands = 0;
  /// The bytes that it reads and writes.
  double bytes = 0;
  /// Tensors that it passes on to another kernel, or gets from one. The cache
  /// may keep them from one launch to the next.
  llvm::SmallVector<mlir::Value> passedOn;

  double getBytesOfBlock() const { return bytes / double(blocks); }
};

/// Returns the needs of `kernel`, without `passedOn`; none if it cannot share a
/// launch.
std::optional<KernelNeeds> getKernelNeeds(KernelOp kernel,
                                          const TargetSpec &target);

/// The kernels of a launch that is being formed.
class SharedLaunch {
public:
  SharedLaunch(const TargetSpec &target) : target(target) {}

  void add(const KernelNeeds &kernel) { kernels.push_back(&kernel); }
  /// Whether `kernel` can join the launch, and that is not slower than two
  /// launches.
  bool suits(const KernelNeeds &kernel) const;

private:
  bool haveSameBlocks(llvm::ArrayRef<const KernelNeeds *> all) const;
  /// Returns the seconds that are lost if kernels of `all` evict tensors from
  /// the cache that they pass on.
  double getLostTime(llvm::ArrayRef<const KernelNeeds *> all) const;

  const TargetSpec &target;
  llvm::SmallVector<const KernelNeeds *> kernels;
};

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SHAREDLAUNCH_H
