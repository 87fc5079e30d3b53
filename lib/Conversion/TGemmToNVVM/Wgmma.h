//===- Wgmma.h - Matrix products of a warpgroup -----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_WGMMA_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_WGMMA_H

#include "grout/Conversion/TGemmToNVVM/DeviceBuilder.h"
#include "grout/Conversion/TGemmToNVVM/KernelPlan.h"

namespace grout::hopper {

/// Accumulators that travel together, and their bytes.
inline constexpr int64_t kQuad = 4;
inline constexpr int64_t kQuadBytes = kQuad * sizeof(float);
/// Bytes of a quad of every thread of a warpgroup.
inline constexpr int64_t kQuadRowBytes = kQuadBytes * kWarpgroupThreads;

/// How an operand lies in shared memory.
struct WgmmaLayout {
  /// Whether rows of A (columns of B) are contiguous.
  bool isMNMajor;
  /// Bytes of a row, over which it is swizzled: 128, or 64 if MN-major.
  int64_t rowBytes;
  /// If MN-major, the elements of the reduction that follow each other in
  /// memory before the next block of a row's columns.
  int64_t blockDepth = kChunk;
};

/// What the instructions of a product have in common.
struct WgmmaShape {
  int64_t columns;
  mlir::FloatType inputType;
  WgmmaLayout a, b;
};

/// The accumulators of 64 rows: a struct of columns / 2 f32. Accumulator
/// 4 j + 2 h + e of thread t of the warpgroup is the element in row
/// 16 (t / 32) + t % 32 / 4 + 8 h and column 8 j + 2 (t % 4) + e.
mlir::Type getAccumulatorType(DeviceBuilder &b, const WgmmaShape &shape);

/// Accumulators of zeros, for a first product that ignores them. Without a
/// value they would be live, and take registers, all around the task loop.
mlir::Value emitZeroAccumulators(DeviceBuilder &b, const WgmmaShape &shape);

/// The low half of the descriptor of a matrix in shared memory at `address`, a
/// multiple of 1024. Adding bytes / 16 moves it.
mlir::Value emitDescriptor(DeviceBuilder &b, mlir::Value address,
                           const WgmmaLayout &layout);

/// Orders the registers `accumulators` before the products that follow.
llvm::SmallVector<mlir::Value> emitWgmmaFence(DeviceBuilder &b,
                                              mlir::ValueRange accumulators);

/// Starts `accumulator` (only if `keeps`, an i32, is not 0) + A * B for
/// `depth` instructions' elements of the reduction, at most one chunk.
mlir::Value emitWgmma(DeviceBuilder &b, const WgmmaShape &shape,
                      mlir::Value accumulator, mlir::Value aDescriptor,
                      mlir::Value bDescriptor, mlir::Value keeps,
                      int64_t depth = kChunk / kMmaDepth);

/// Starts `accumulator` + A * B where A is in registers: `a` has four i32 for
/// each instruction, pairs of elements. Pair p of an instruction has the row of
/// accumulators 2 (p mod 2), and the elements of the reduction that are columns
/// of accumulators 4 (p / 2) and the next.
mlir::Value emitWgmmaFromRegisters(DeviceBuilder &b, const WgmmaShape &shape,
                                   mlir::Value accumulator, mlir::ValueRange a,
                                   mlir::Value bDescriptor);

/// Makes a group of the products started since the last one.
void emitWgmmaCommit(DeviceBuilder &b);

/// Waits until at most `pending` groups are unfinished.
void emitWgmmaWait(DeviceBuilder &b, int64_t pending);

/// Waits until at most `pending` groups are unfinished, after which
/// `accumulators`, of others, may be read.
llvm::SmallVector<mlir::Value> emitWgmmaFinish(DeviceBuilder &b,
                                               mlir::ValueRange accumulators,
                                               int64_t pending = 0);

/// The sums of two structs of accumulators, each rounded to f32.
mlir::Value emitAddAccumulators(DeviceBuilder &b, mlir::Value lhs,
                                mlir::Value rhs);

/// Accumulator `index` of a struct of them.
mlir::Value emitAccumulator(DeviceBuilder &b, mlir::Value accumulators,
                            int64_t index);

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_WGMMA_H
