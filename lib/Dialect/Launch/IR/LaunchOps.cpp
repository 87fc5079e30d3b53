//===- LaunchOps.cpp - Ops of the launch dialect --------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Launch/IR/Launch.h"

#include "grout/Runtime/DeviceABI.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace grout;
using namespace grout::launch;

#define GET_OP_CLASSES
#include "grout/Dialect/Launch/IR/LaunchOps.cpp.inc"

bool grout::launch::isElementType(Type type) {
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64() ||
         llvm::any_of(
             ArrayRef<unsigned>{1, 8, 16, 32, 64},
             [&](unsigned width) { return type.isSignlessInteger(width); });
}

//===----------------------------------------------------------------------===//
// PlanOp
//===----------------------------------------------------------------------===//

LogicalResult PlanOp::verify() {
  Block &block = getBody().front();
  if (getNumInputs() > block.getNumArguments())
    return emitOpError() << "has " << block.getNumArguments()
                         << " arguments, fewer than its " << getNumInputs()
                         << " inputs";
  for (BlockArgument argument : block.getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity())
      return emitOpError() << "argument " << argument.getArgNumber()
                           << " must be a dense static memref, but is "
                           << argument.getType();
  }
  int64_t launches = 0;
  for (Operation &op : block) {
    if (!isa<BufferOp, KernelOp>(op))
      return op.emitOpError("is not allowed in a plan");
    auto kernel = dyn_cast<KernelOp>(op);
    if (!kernel)
      continue;
    for (auto arg : kernel.getArgs().getAsRange<ArgAttr>())
      if (arg.getLaunch() >= launches)
        return kernel.emitOpError()
               << "uses the semaphores of launch " << arg.getLaunch()
               << ", which does not come before it";
    ++launches;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// BufferOp
//===----------------------------------------------------------------------===//

LogicalResult BufferOp::verify() {
  auto type = cast<MemRefType>(getResult().getType());
  if (!type.getLayout().isIdentity())
    return emitOpError("must be dense");
  if (std::optional<ElementsAttr> value = getValue()) {
    ShapedType valueType = value->getShapedType();
    if (valueType.getShape() != type.getShape() ||
        valueType.getElementType() != type.getElementType())
      return emitOpError() << "value of type " << valueType << " does not fit "
                           << type;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// KernelOp
//===----------------------------------------------------------------------===//

SmallVector<int64_t> KernelOp::getGrid(unsigned body) {
  SmallVector<int64_t> grid;
  for (Attribute extent : cast<ArrayAttr>(getGrids()[body]))
    grid.push_back(cast<IntegerAttr>(extent).getInt());
  return grid;
}

/// Checks that `parts` are those of the blocks of `kernel`.
static LogicalResult verifyParts(KernelOp kernel, ArrayRef<int64_t> parts) {
  if (kernel.getOrder())
    return kernel.emitOpError("has parts, but no fixed grid");
  int64_t blocks = 1, sum = 0;
  for (int64_t extent : kernel.getGrid(0))
    blocks *= extent;
  for (int64_t part : parts) {
    if (part <= 0 || part > INT32_MAX)
      return kernel.emitOpError() << "has a part of " << part << " blocks";
    sum += part;
  }
  if (sum != blocks)
    return kernel.emitOpError() << "has parts of " << sum
                                << " blocks in all, but a grid of " << blocks;
  return success();
}

LogicalResult KernelOp::verify() {
  for (auto [index, attr] : llvm::enumerate(getArgs())) {
    auto arg = cast<ArgAttr>(attr);
    if (arg.getOperand() >= static_cast<int64_t>(getBuffers().size()))
      return emitOpError() << "argument " << index << " names buffer "
                           << arg.getOperand() << " of " << getBuffers().size();
  }
  if (getEntries().empty())
    return emitOpError("needs an entry point");
  int64_t cluster = getCluster();
  if (cluster < 1 || cluster > kernelabi::kMaxClusterBlocks)
    return emitOpError() << "needs clusters of 1 to "
                         << kernelabi::kMaxClusterBlocks << " blocks, got "
                         << cluster;
  int64_t milliseconds = getDebugSyncMilliseconds();
  if (milliseconds < 0 || milliseconds > UINT32_MAX)
    return emitOpError() << "needs debug_sync_milliseconds of 32 bits, got "
                         << milliseconds;
  for (Attribute attr : getGrids()) {
    auto grid = dyn_cast<ArrayAttr>(attr);
    if (!grid || grid.empty() || grid.size() > 3)
      return emitOpError("needs grids of 1 to 3 extents");
    for (Attribute extent : grid) {
      auto integer = dyn_cast<IntegerAttr>(extent);
      if (!integer || integer.getInt() <= 0 || integer.getInt() > INT32_MAX)
        return emitOpError("needs grid extents between 1 and 2^31 - 1");
    }
  }
  std::optional<ArrayAttr> order = getOrder();
  if (!order && getGrids().size() != 1)
    return emitOpError("needs exactly one grid without an order");
  if (!getParts().empty() && failed(verifyParts(*this, getParts())))
    return failure();
  if (!order) {
    if (getGrid(0).front() % cluster != 0)
      return emitOpError() << "cannot divide a grid of " << getGrid(0).front()
                           << " blocks into clusters of " << cluster;
    return success();
  }
  if (order->size() != getGrids().size())
    return emitOpError() << "has " << getGrids().size() << " grids, but "
                         << order->size() << " orders";
  for (auto [body, attr] : llvm::enumerate(*order))
    if (cast<AffineMapAttr>(attr).getValue().getNumDims() !=
        getGrid(body).size())
      return emitOpError() << "order " << body
                           << " does not take the coordinates of its grid";
  return success();
}
