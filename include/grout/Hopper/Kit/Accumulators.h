//===- Accumulators.h - Sums in registers -----------------------*- C++ -*-===//
//
// Part of Grout. When MMAs have finished, the threads of a warpgroup have the
// sums of 64 MMA rows in registers. The sums of a thread are a struct of f32,
// one for every two columns. Accumulator 4 j + 2 h + e of thread t is the
// element in row 16 (t / 32) + t % 32 / 4 + 8 h and column 8 j + 2 (t % 4) + e.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_HOPPER_KIT_ACCUMULATORS_H
#define GROUT_HOPPER_KIT_ACCUMULATORS_H

#include "grout/Hopper/Kit/KernelContext.h"

namespace grout::hopper {

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Returns the type of `count` accumulators of a thread.
mlir::Type getAccumulatorType(DeviceBuilder &b, int64_t count);
int64_t getNumAccumulators(mlir::Value accumulators);

/// Returns `count` zeros.
mlir::Value emitZeroAccumulators(DeviceBuilder &b, int64_t count);
/// Returns the sums of two structs of accumulators, each rounded to f32.
mlir::Value emitAddAccumulators(DeviceBuilder &b, mlir::Value lhs,
                                mlir::Value rhs);

/// Return accumulator `index` of a struct, and all of them.
mlir::Value emitAccumulator(DeviceBuilder &b, mlir::Value accumulators,
                            int64_t index);
llvm::SmallVector<mlir::Value> unpackAccumulators(DeviceBuilder &b,
                                                  mlir::Value accumulators);
mlir::Value packAccumulators(DeviceBuilder &b,
                             llvm::ArrayRef<mlir::Value> values);

/// Accumulators that are stored or sent together, and their bytes.
inline constexpr int64_t kQuad = 4;
inline constexpr int64_t kQuadBytes = kQuad * sizeof(float);
/// Bytes of the quads of all threads of a warpgroup.
inline constexpr int64_t kQuadRowBytes = kQuadBytes * kWarpgroupThreads;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// The rows of which a warp has accumulators; and their half, since a thread
/// has accumulators of two rows.
inline constexpr int64_t kWarpRows = 16;
inline constexpr int64_t kHalfRows = kWarpRows / 2;

/// Return the first row of the warp among the 64; and the first row and column
/// of the thread among those of its warp.
mlir::Value getWarpRow(const KernelContext &context);
mlir::Value getLaneRow(const KernelContext &context);
mlir::Value getLaneColumn(const KernelContext &context);

} // namespace grout::hopper

#endif // GROUT_HOPPER_KIT_ACCUMULATORS_H
