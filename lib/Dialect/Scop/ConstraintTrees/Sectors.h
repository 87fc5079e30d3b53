//===- Sectors.h - Memory traffic of warps ----------------------*- C++ -*-===//
//
// Part of Grout. Memory moves in sectors of 32 bytes. The cost of a warp's
// access is the number of sectors that it touches, even if it needs only parts
// of them.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_SECTORS_H
#define GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_SECTORS_H

#include "LaunchGroups.h"
#include "grout/Dialect/Scop/IR/VectorSlots.h"

namespace grout::scop {

/// An access to memory, as a function of the loops of a group.
struct GroupAccess {
  const AccessModel *access;
  const LaunchGroup::Member *member;
  /// For each loop, the elements from one iteration to the next; empty if the
  /// access is not linear.
  llvm::SmallVector<int64_t> strides;
  /// The same for an access that is not linear, where no quotient changes.
  llvm::SmallVector<int64_t> nearStrides;
  /// The number of times that the access is done.
  int64_t points;
  /// The number of different elements that it touches.
  int64_t elements;

  int64_t getStride(unsigned loop) const {
    return strides.empty() ? 0 : strides[loop];
  }
  LinearAccess getLinear() const { return {access->offset, strides}; }
};

GroupAccess makeGroupAccess(const LaunchGroup &group,
                            const LaunchGroup::Member &member,
                            const AccessModel &model);

/// Returns the accesses of the group's statements to memory: to arrays of the
/// kernel, and to locals that statements outside of the group use. Equal
/// accesses are listed once.
std::vector<GroupAccess> collectAccesses(const KernelModel &model,
                                         const LaunchGroup &group);

/// The traffic of one warp for an access. Each thread takes `width`
/// neighbouring iterations of `loop`, at `slots` if there are any. If `loop` is
/// short, threads go on with the next iteration of `next`.
struct WarpTraffic {
  int64_t instructions;
  int64_t sectors;
  /// The sectors that hold the elements that the warp needs.
  int64_t needed;
};

WarpTraffic getWarpTraffic(const GroupAccess &access,
                           llvm::ArrayRef<int64_t> extents, unsigned loop,
                           std::optional<unsigned> next, int64_t width,
                           const std::optional<VectorSlots> &slots = {});

/// Returns the most iterations of `loop` for which every access to neighbouring
/// elements consists of aligned parts of up to 16 bytes. That is at most 16
/// bytes of the smallest elements along `loop`. Buffers begin at multiples of
/// 16 bytes.
int64_t findVectorWidth(llvm::ArrayRef<GroupAccess> accesses,
                        llvm::ArrayRef<int64_t> extents, unsigned loop);

/// Returns how many iterations of `loop` have 16 bytes of the smallest elements
/// along it; 1 if no access has neighbouring elements along `loop`.
int64_t findFullWidth(llvm::ArrayRef<GroupAccess> accesses, unsigned loop);

/// Returns the places of masked vectors along `loop`.
VectorSlots findSlots(llvm::ArrayRef<GroupAccess> accesses,
                      const LaunchGroup &group, unsigned loop, int64_t width);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_SECTORS_H
