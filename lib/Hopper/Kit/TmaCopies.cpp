//===- TmaCopies.cpp - Copies by TMA --------------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Hopper/Kit/TmaCopies.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

static NVVM::TMALoadMode getMode(const TmaSource &source) {
  return source.im2colOffsets.empty() ? NVVM::TMALoadMode::TILE
                                      : NVVM::TMALoadMode::IM2COL;
}

void hopper::emitTmaLoad(const KernelContext &context, const TmaSource &source,
                         Value address, Value barrier, Value multicastMask) {
  DeviceBuilder &b = context.b;
  NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
      b, b.clusterPointer(address), context.getParam(source.map),
      source.coordinates, b.sharedPointer(barrier), source.im2colOffsets,
      multicastMask, source.cacheHint, getMode(source), /*isCTAOnly=*/false,
      NVVM::CTAGroupKindAttr(), /*predicate=*/Value());
}

void hopper::emitTmaPrefetch(const KernelContext &context,
                             const TmaSource &source) {
  NVVM::CpAsyncBulkTensorPrefetchOp::create(
      context.b, context.getParam(source.map), source.coordinates,
      source.im2colOffsets, getMode(source), source.cacheHint);
}

void hopper::emitTmaStore(const KernelContext &context, unsigned map,
                          Value address, ArrayRef<Value> coordinates) {
  DeviceBuilder &b = context.b;
  NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
      b, context.getParam(map), b.sharedPointer(address), coordinates,
      /*l2CacheHint=*/Value(), NVVM::TMAStoreMode::TILE, /*predicate=*/Value());
}

void hopper::emitStoreGroup(DeviceBuilder &b) {
  NVVM::CpAsyncBulkCommitGroupOp::create(b);
}

void hopper::emitWaitUntilRead(DeviceBuilder &b, int64_t pending) {
  NVVM::CpAsyncBulkWaitGroupOp::create(b, pending, b.getUnitAttr());
}

void hopper::emitWaitUntilWritten(DeviceBuilder &b) {
  NVVM::CpAsyncBulkWaitGroupOp::create(b, 0, UnitAttr());
}
