//===- Wgmma.h - MMAs of a warpgroup ----------------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_WGMMA_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_WGMMA_H

#include "Accumulators.h"

namespace grout::hopper {

/// The layout of an operand in shared memory.
struct WgmmaLayout {
  /// Whether rows of A (columns of B) are contiguous.
  bool isMNMajor;
  /// Bytes of a row, over which it is swizzled: 128, or 64 if MN-major.
  int64_t rowBytes;
  /// If MN-major: how many elements of the reduction follow each other in
  /// memory before the next block of columns begins.
  int64_t blockDepth = kChunk;
};

/// The properties that all instructions of a GEMM share.
struct WgmmaShape {
  int64_t columns;
  mlir::FloatType inputType;
  WgmmaLayout a, b;
};

/// Returns the low half of the descriptor of a matrix in shared memory at
/// `address`, a multiple of 1024. To move the descriptor by some bytes, add
/// bytes / 16.
mlir::Value emitDescriptor(DeviceBuilder &b, mlir::Value address,
                           const WgmmaLayout &layout);

/// Orders accesses to the registers `accumulators` before the MMAs that follow.
/// Returns the accumulators for these MMAs.
llvm::SmallVector<mlir::Value> emitWgmmaFence(DeviceBuilder &b,
                                              mlir::ValueRange accumulators);

/// Starts `accumulator` + A * B, or only A * B if `keeps`, an i32, is 0.
/// `depth` is the number of instructions along the reduction, at most one
/// chunk.
mlir::Value emitWgmma(DeviceBuilder &b, const WgmmaShape &shape,
                      mlir::Value accumulator, mlir::Value aDescriptor,
                      mlir::Value bDescriptor, mlir::Value keeps,
                      int64_t depth = kChunk / kMmaDepth);

/// Starts `accumulator` + A * B with A in registers. For each instruction, `a`
/// has four i32, each a pair of elements. Pair p of an instruction is in the
/// row of accumulators 2 (p mod 2). Its elements of the reduction have the
/// numbers of the columns of accumulators 4 (p / 2) and 4 (p / 2) + 1.
mlir::Value emitWgmmaFromRegisters(DeviceBuilder &b, const WgmmaShape &shape,
                                   mlir::Value accumulator, mlir::ValueRange a,
                                   mlir::Value bDescriptor);

/// Makes a group of the MMAs that were started since the last group.
void emitWgmmaCommit(DeviceBuilder &b);

/// Waits until at most `pending` groups are unfinished.
void emitWgmmaWait(DeviceBuilder &b, int64_t pending);

/// Waits until at most `pending` groups are unfinished. After that,
/// `accumulators`, which must belong to finished groups, may be read.
llvm::SmallVector<mlir::Value> emitWgmmaFinish(DeviceBuilder &b,
                                               mlir::ValueRange accumulators,
                                               int64_t pending = 0);

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_WGMMA_H
