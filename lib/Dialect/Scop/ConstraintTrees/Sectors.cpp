//===- Sectors.cpp - Memory traffic of warps ------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Sectors.h"

#include "grout/Target/GPU.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

GroupAccess scop::makeGroupAccess(const LaunchGroup &group,
                                  const LaunchGroup::Member &member,
                                  const AccessModel &model) {
  GroupAccess access = {&model, &member, {}, {}, 1, 1};
  bool dependsOnInner = false;
  if (!model.strides.empty() || model.isLinear) {
    auto &strides = model.isLinear ? access.strides : access.nearStrides;
    strides.assign(group.extents.size(), 0);
    for (auto [loop, stride] : llvm::zip_equal(member.loops, model.strides))
      if (loop)
        strides[*loop] += stride;
  }
  for (unsigned loop = 0, e = group.extents.size(); loop != e; ++loop) {
    if (!model.isLinear && member.getIterator(loop))
      access.elements *= group.extents[loop];
    if (access.getStride(loop) == 0)
      continue;
    access.elements *= group.extents[loop];
    dependsOnInner |= !group.isOuter[loop];
  }
  for (std::optional<unsigned> loop : member.loops)
    if (loop && (group.isOuter[*loop] || dependsOnInner || !model.isLinear))
      access.points *= group.extents[*loop];
  return access;
}

std::vector<GroupAccess> scop::collectAccesses(const KernelModel &model,
                                               const LaunchGroup &group) {
  auto isInside = [&](unsigned statement) {
    return llvm::any_of(group.members, [&](const LaunchGroup::Member &member) {
      return member.statement == statement;
    });
  };
  auto isMemory = [&](Value array) {
    if (isa<BlockArgument>(array))
      return true;
    for (auto [number, statement] : llvm::enumerate(model.statements))
      for (const AccessModel &access : statement.accesses)
        if (access.array == array && !isInside(number))
          return true;
    return false;
  };
  std::vector<GroupAccess> accesses;
  for (const LaunchGroup::Member &member : group.members)
    for (const AccessModel &access :
         model.statements[member.statement].accesses) {
      if (!isMemory(access.array))
        continue;
      GroupAccess ofGroup = makeGroupAccess(group, member, access);
      bool isKnown = llvm::any_of(accesses, [&](const GroupAccess &other) {
        return access.isLinear && other.access->array == access.array &&
               other.access->isWrite == access.isWrite &&
               other.access->offset == access.offset &&
               other.strides == ofGroup.strides;
      });
      if (!isKnown)
        accesses.push_back(std::move(ofGroup));
    }
  return accesses;
}

/// Whether a single access can have `width` elements along `loop`, whose stride
/// is 1.
static bool isAligned(int64_t offset, ArrayRef<int64_t> strides, unsigned loop,
                      int64_t width) {
  if (offset % width != 0)
    return false;
  for (auto [other, stride] : llvm::enumerate(strides))
    if (other != loop && stride % width != 0)
      return false;
  return true;
}

static bool isAligned(const GroupAccess &access, unsigned loop, int64_t width) {
  return access.getStride(loop) == 1 &&
         isAligned(access.access->offset, access.strides, loop, width);
}

/// Returns the traffic of an access that is not linear, as if no quotient
/// changed within a warp. Masked vectors of such accesses are loaded and stored
/// one by one.
static WarpTraffic getNearTraffic(const GroupAccess &access,
                                  ArrayRef<int64_t> extents, unsigned loop,
                                  int64_t width, bool isMasked) {
  int64_t bytes = access.access->bytes;
  auto toSectors = [](int64_t number) {
    return llvm::divideCeilSigned(number, kSectorBytes);
  };
  if (access.nearStrides.empty())
    return {width, kWarpSize * width, toSectors(kWarpSize * width * bytes)};
  int64_t stride = std::abs(access.nearStrides[loop]);
  if (stride == 0)
    return {width, 1, 1};
  int64_t lanes = std::min<int64_t>(
      kWarpSize, llvm::divideCeilSigned(extents[loop], width));
  int64_t rows = kWarpSize / lanes, points = lanes * width;
  int64_t needed = toSectors(points * bytes);
  if (stride != 1) {
    int64_t span = ((points - 1) * stride + 1) * bytes;
    return {width, rows * std::min(points, toSectors(span)), rows * needed};
  }
  int64_t part = isMasked ? 1 : std::min(width, kMaxAccessBytes / bytes);
  while (part > 1 &&
         !isAligned(access.access->offset, access.nearStrides, loop, part))
    part /= 2;
  int64_t instructions = width / part;
  int64_t shared = std::min(
      instructions, std::max<int64_t>(1, kSectorBytes / (part * bytes)));
  return {instructions, rows * needed * shared, rows * needed};
}

WarpTraffic scop::getWarpTraffic(const GroupAccess &access,
                                 ArrayRef<int64_t> extents, unsigned loop,
                                 std::optional<unsigned> next, int64_t width,
                                 const std::optional<VectorSlots> &slots) {
  int64_t bytes = access.access->bytes;
  int64_t stride = access.getStride(loop);
  auto toSectors = [](int64_t number) {
    return llvm::divideCeilSigned(number, kSectorBytes);
  };
  if (!access.access->isLinear)
    return getNearTraffic(access, extents, loop, width, slots.has_value());
  if (stride == 0)
    return {1, 1, 1};
  // A short loop leaves threads for further rows. These rows may follow each
  // other in memory.
  int64_t lanes =
      std::min(kWarpSize, slots ? slots->getCount(extents[loop])
                                : llvm::divideCeilSigned(extents[loop], width));
  if (!slots && next && access.getStride(*next) == extents[loop] * stride)
    lanes = kWarpSize;
  int64_t rows = kWarpSize / lanes;
  int64_t points = lanes * width;
  int64_t needed = toSectors(points * bytes);
  if (stride != 1) {
    int64_t span = ((points - 1) * std::abs(stride) + 1) * bytes;
    return {width, rows * std::min(points, toSectors(span)), rows * needed};
  }
  int64_t part = std::min(width, kMaxAccessBytes / bytes);
  std::optional<int64_t> joined;
  if (slots) {
    part = slots->getPart(access.getLinear(), bytes);
    if (!access.access->isWrite)
      joined = slots->getJoined(access.getLinear(), bytes);
  }
  while (!slots && part > 1 && !isAligned(access, loop, part))
    part /= 2;
  bool straddles = !isAligned(access, loop, kSectorBytes / bytes) &&
                   access.getStride(next.value_or(loop)) != extents[loop];
  // If an access takes several instructions, each touches a sector, or a part
  // of one. If two vectors are joined, the second vector is the first one of
  // the next thread, so it is in the cache.
  if (joined) {
    int64_t vectors = width / *joined;
    int64_t shared = std::min(vectors, kSectorBytes / (*joined * bytes));
    return {2 * vectors, rows * (needed * shared + 1), rows * needed};
  }
  int64_t instructions = width / part;
  int64_t shared = std::min(
      instructions, std::max<int64_t>(1, kSectorBytes / (part * bytes)));
  return {instructions, rows * (needed * shared + straddles), rows * needed};
}

int64_t scop::findFullWidth(ArrayRef<GroupAccess> accesses, unsigned loop) {
  int64_t smallest = kMaxAccessBytes;
  for (const GroupAccess &access : accesses)
    if (access.getStride(loop) == 1)
      smallest = std::min(smallest, access.access->bytes);
  return kMaxAccessBytes / smallest;
}

VectorSlots scop::findSlots(ArrayRef<GroupAccess> accesses,
                            const LaunchGroup &group, unsigned loop,
                            int64_t width) {
  std::vector<RowAccess> rows;
  for (const GroupAccess &access : accesses)
    if (access.getStride(loop) != 0)
      rows.push_back({access.getLinear(), access.access->isWrite,
                      access.access->bytes,
                      static_cast<double>(access.points)});
  SmallVector<bool> isInner;
  for (bool isOuter : group.isOuter)
    isInner.push_back(!isOuter);
  return chooseVectorSlots(rows, isInner, loop, width);
}

int64_t scop::findVectorWidth(ArrayRef<GroupAccess> accesses,
                              ArrayRef<int64_t> extents, unsigned loop) {
  int64_t width = findFullWidth(accesses, loop);
  auto fits = [&] {
    return extents[loop] % width == 0 &&
           llvm::all_of(accesses, [&](const GroupAccess &access) {
             return access.getStride(loop) != 1 ||
                    isAligned(access, loop,
                              std::min(width,
                                       kMaxAccessBytes / access.access->bytes));
           });
  };
  while (width > 1 && !fits())
    width /= 2;
  return width;
}
