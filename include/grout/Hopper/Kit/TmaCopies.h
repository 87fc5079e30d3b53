//===- TmaCopies.h - Copies by TMA ------------------------------*- C++ -*-===//
//
// Part of Grout. Copies between global and shared memory, each emitted for one
// thread. Tensor maps are given by their index among the kernel's parameters,
// places in shared memory by their address.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_HOPPER_KIT_TMACOPIES_H
#define GROUT_HOPPER_KIT_TMACOPIES_H

#include "grout/Hopper/Kit/KernelContext.h"

namespace grout::hopper {

/// Where a load begins in its tensor map, and how it goes.
struct TmaSource {
  TmaSource(unsigned map, llvm::ArrayRef<mlir::Value> coordinates,
            llvm::ArrayRef<mlir::Value> im2colOffsets = {},
            mlir::Value cacheHint = {})
      : map(map), coordinates(coordinates), im2colOffsets(im2colOffsets),
        cacheHint(cacheHint) {}

  unsigned map;
  llvm::SmallVector<mlir::Value> coordinates;
  /// For a tensor map of pixels, see OperandCopy.
  llvm::SmallVector<mlir::Value> im2colOffsets;
  /// The cache policy; null for the default policy.
  mlir::Value cacheHint;
};

/// Starts a load to `address`, which completes bytes of `barrier`. With
/// `multicastMask`, an i16, the load goes to the blocks whose bits are set.
void emitTmaLoad(const KernelContext &context, const TmaSource &source,
                 mlir::Value address, mlir::Value barrier,
                 mlir::Value multicastMask = {});

/// Starts to bring the data of a load into L2.
void emitTmaPrefetch(const KernelContext &context, const TmaSource &source);

/// Starts a store from `address`.
void emitTmaStore(const KernelContext &context, unsigned map,
                  mlir::Value address, llvm::ArrayRef<mlir::Value> coordinates);

/// Makes a group of the stores that were started since the last group.
void emitStoreGroup(DeviceBuilder &b);

/// Wait until all but `pending` groups of stores have read shared memory, and
/// until all stores have been written.
void emitWaitUntilRead(DeviceBuilder &b, int64_t pending);
void emitWaitUntilWritten(DeviceBuilder &b);

} // namespace grout::hopper

#endif // GROUT_HOPPER_KIT_TMACOPIES_H
