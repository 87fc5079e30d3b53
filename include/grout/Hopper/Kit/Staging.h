//===- Staging.h - Results in shared memory ---------------------*- C++ -*-===//
//
// Part of Grout. Consumers write results of 16 bits to shared memory with
// `stmatrix`, in the layout in which TMA stores them.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_HOPPER_KIT_STAGING_H
#define GROUT_HOPPER_KIT_STAGING_H

#include "grout/Hopper/Kit/DeviceBuilder.h"

namespace grout::hopper {

/// Returns the bits to flip in the byte address of an element in row `row` (an
/// i32) of a buffer, if its rows start at multiples of their size; else 0. In
/// rows of 128 bytes, 16-byte part p of row r lies at p ^ (r mod 8). Smaller
/// rows have a coarser pattern. In rows of 16 bytes, part p lies at p.
mlir::Value getSwizzle(DeviceBuilder &b, int64_t rowBytes, mlir::Value row);

/// Rounds two f32 to `type`, of 16 bits, in one instruction. Returns them in
/// one i32.
mlir::Value emitRoundedPair(DeviceBuilder &b, llvm::ArrayRef<mlir::Value> pair,
                            mlir::FloatType type);

/// Writes 8 x 8 matrices of 16-bit elements, of which a thread has a pair each.
/// The lane's `address` is the start of a row of one of them.
void emitStoreMatrices(DeviceBuilder &b, mlir::Value address,
                       llvm::ArrayRef<mlir::Value> pairs,
                       mlir::NVVM::MMALayout layout);

} // namespace grout::hopper

#endif // GROUT_HOPPER_KIT_STAGING_H
