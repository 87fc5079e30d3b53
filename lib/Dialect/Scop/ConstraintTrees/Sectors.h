//===- Sectors.h - What warps move ------------------------------*- C++ -*-===//
//
// Part of Grout. Memory moves in sectors of 32 bytes; a warp's access costs the
// sectors that it touches, whether it needs all of them or not.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_SECTORS_H
#define GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_SECTORS_H

#include "LaunchGroups.h"
#include "grout/Dialect/Scop/IR/VectorSlots.h"

namespace grout::scop {

/// An access to memory, by the loops of a group.
struct GroupAccess {
  const AccessModel *access;
  const LaunchGroup::Member *member;
  /// Elements from one iteration to the next; empty if it is not linear.
  llvm::SmallVector<int64_t> strides;
  /// How often it is done.
  int64_t points;
  /// Different elements that it touches.
  int64_t elements;

  int64_t getStride(unsigned loop) const {
    return strides.empty() ? 0 : strides[loop];
  }
  LinearAccess getLinear() const { return {access->offset, strides}; }
};

GroupAccess makeGroupAccess(const LaunchGroup &group,
                            const LaunchGroup::Member &member,
                            const AccessModel &model);

/// The accesses of the group's statements to arrays of the kernel, and to those
/// that statements outside of the group use; equal ones once.
std::vector<GroupAccess> collectAccesses(const KernelModel &model,
                                         const LaunchGroup &group);

/// What one warp does for an access, if its threads take `width` neighbouring
/// iterations of `loop` each, of its `slots` if there are any, and, where that
/// is short, go on with the next iteration of `next`.
struct WarpTraffic {
  int64_t instructions;
  int64_t sectors;
  /// Sectors that hold what it needs.
  int64_t needed;
};

WarpTraffic getWarpTraffic(const GroupAccess &access,
                           llvm::ArrayRef<int64_t> extents, unsigned loop,
                           std::optional<unsigned> next, int64_t width,
                           const std::optional<VectorSlots> &slots = {});

/// The most iterations of `loop`, up to 16 bytes of the smallest elements along
/// it, that every access of neighbouring elements can have in aligned parts of
/// up to 16 bytes; buffers begin at multiples of 16 bytes.
int64_t findVectorWidth(llvm::ArrayRef<GroupAccess> accesses,
                        llvm::ArrayRef<int64_t> extents, unsigned loop);

/// The iterations of `loop` that have 16 bytes of the smallest elements along
/// it; 1 if there are none.
int64_t findFullWidth(llvm::ArrayRef<GroupAccess> accesses, unsigned loop);

/// Where masked vectors of `loop` lie.
VectorSlots findSlots(llvm::ArrayRef<GroupAccess> accesses,
                      const LaunchGroup &group, unsigned loop, int64_t width);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_SECTORS_H
