//===- MmaTraits.h - What matrix instructions multiply ----------*- C++ -*-===//
//
// Part of Grout. Sizes of matrix instructions, and of the shared memory that
// they read. Models limit tiles by them, and generators build kernels with
// them.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_HOPPER_KIT_MMATRAITS_H
#define GROUT_HOPPER_KIT_MMATRAITS_H

#include "grout/Target/GPU.h"
#include "mlir/IR/Types.h"
#include <optional>

namespace grout::hopper {

/// The warps and the threads of a warpgroup, which issues a wgmma together.
inline constexpr int64_t kWarpsPerWarpgroup = 4;
inline constexpr int64_t kWarpgroupThreads = kWarpSize * kWarpsPerWarpgroup;
/// Rows of one instruction.
inline constexpr int64_t kMmaRows = 64;
/// Bytes of a row of shared memory with the 128-byte swizzle. Operands lie in
/// blocks of such rows.
inline constexpr int64_t kRowBytes = 128;
/// Bytes of 64 rows of one chunk.
inline constexpr int64_t kRowBlockBytes = kMmaRows * kRowBytes;
/// Rows after which the swizzle repeats.
inline constexpr int64_t kSwizzleRows = 8;

/// What a matrix instruction multiplies, for one type of elements of A and B.
struct MmaTraits {
  /// The type's name in the instruction.
  llvm::StringRef name;
  /// Bytes of an element, and the elements of the reduction in one instruction.
  int64_t elementBytes, depth;
  /// Whether an operand may be MN-major: its rows (for B, columns), rather than
  /// the reduction, are contiguous in shared memory.
  bool takesMNMajor;
  /// How many elements of the reduction the instruction may add up. After that
  /// many, the kernel adds the sums to others in f32. None if there is no
  /// limit.
  std::optional<int64_t> sumDepth = std::nullopt;

  /// Returns the elements of a chunk, which is one row of shared memory.
  int64_t getChunk() const { return kRowBytes / elementBytes; }
};

/// Returns the traits of `wgmma` for elements of `type`; none if it does not
/// multiply them.
std::optional<MmaTraits> findMmaTraits(mlir::Type type);

/// Returns the names of all types of elements that `wgmma` multiplies, for
/// diagnostics.
llvm::SmallVector<llvm::StringRef> getMmaTypeNames();

/// For elements of 16 bits: the elements of the reduction in one instruction,
/// and in a chunk.
inline constexpr int64_t kMmaDepth = 16;
inline constexpr int64_t kChunk = kRowBytes / 2;

} // namespace grout::hopper

#endif // GROUT_HOPPER_KIT_MMATRAITS_H
