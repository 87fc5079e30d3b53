//===- ScopLaunchGenerator.cpp - Scop kernels as kernels for GPUs ---------===//
//
// Part of Grout. See docs/ScopKernels.md.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/ScopToGPU/ScopLaunchGenerator.h"

#include "LaunchEmitter.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Whether a statement of the kernel reads the initial contents of `array`. A
/// statement that writes the array writes all of it, or is refused.
static bool needsInitialValue(KernelOp kernel, BlockArgument array) {
  for (StmtOp statement : kernel.getStatements()) {
    if (statement.reads(array))
      return true;
    if (statement.writes(array))
      return false;
  }
  return false;
}

static bool isWritten(KernelOp kernel, BlockArgument array) {
  return llvm::any_of(kernel.getStatements(), [&](StmtOp statement) {
    return statement.writes(array);
  });
}

/// Warns if `order`, the tile order of `kernel`, is not the order of its
/// blocks.
static void checkOrder(KernelOp kernel, AffineMap order) {
  unsigned next = 0;
  for (AffineExpr time : order.getResults()) {
    if (isa<AffineConstantExpr>(time))
      continue;
    if (time == getAffineDimExpr(next++, kernel.getContext()))
      continue;
    kernel.emitWarning("the tiles of a memory-bound kernel start in row-major "
                       "order on a GPU, not as ")
        << AffineMapAttr::get(order) << " says";
    return;
  }
}

/// Adds to `places` the places of the arrays in the body of `kernel`.
static LogicalResult findPlaces(KernelOp kernel, LaunchTensors &tensors,
                                llvm::DenseMap<Value, ArrayPlace> &places) {
  for (OpOperand &operand : kernel->getOpOperands()) {
    if (!isa<TensorType>(operand.get().getType()))
      return kernel.emitOpError()
             << "cannot be compiled for a GPU: operand "
             << operand.getOperandNumber() << " is " << operand.get().getType()
             << ", not a tensor";
    BlockArgument array = kernel.getArgument(operand);
    if (kernel.isOutput(array) && !isWritten(kernel, array))
      return kernel.emitOpError()
             << "cannot be compiled for a GPU: no statement writes operand "
             << operand.getOperandNumber() << ", an output";
    ArrayPlace place;
    if (kernel.isOutput(array)) {
      FailureOr<BufferView> target =
          tensors.getView(kernel.getTiedOpResult(&operand), kernel);
      if (failed(target))
        return failure();
      place.source = place.target = *target;
    }
    if (!kernel.isOutput(array) || needsInitialValue(kernel, array)) {
      FailureOr<BufferView> source = tensors.getView(operand.get(), kernel);
      if (failed(source))
        return failure();
      place.source = *source;
      if (!kernel.isOutput(array))
        place.target = *source;
      // The same access reads and writes the array, so both views need equal
      // strides.
      if (source->offset != place.target.offset ||
          source->strides != place.target.strides)
        return kernel.emitOpError()
               << "cannot be compiled for a GPU: operand "
               << operand.getOperandNumber()
               << " is a part of a tensor, but the result is not";
    }
    places[array] = place;
  }
  return success();
}

bool ScopLaunchGenerator::handles(launch::TilesOp launch) const {
  SmallVector<TileKernelOpInterface> kernels = launch.getKernels();
  bool areScops = llvm::all_of(
      kernels, [](Operation *kernel) { return isa<KernelOp>(kernel); });
  return areScops && (kernels.size() == 1 || !launch.getSemaphores());
}

FailureOr<LaunchCode>
ScopLaunchGenerator::generate(launch::TilesOp launch, LaunchTensors &tensors,
                              Operation *module,
                              const TargetSpec &target) const {
  SmallVector<KernelOp> kernels =
      llvm::to_vector(launch.getBody().front().getOps<KernelOp>());
  llvm::DenseMap<Value, ArrayPlace> places;
  for (auto [index, kernel] : llvm::enumerate(kernels)) {
    if (std::optional<ArrayAttr> order = launch.getOrder())
      checkOrder(kernel, cast<AffineMapAttr>((*order)[index]).getValue());
    if (failed(findPlaces(kernel, tensors, places)))
      return failure();
  }
  std::string name = launch.getName().str();
  LaunchBuffers buffers;
  TileSynchronisation sync = TileSynchronisation::get(
      launch, llvm::to_vector_of<Operation *>(kernels));
  FailureOr<LaunchShape> shape = emitLaunch(
      kernels, launch.getLoc(), name, cast<gpu::GPUModuleOp>(module), buffers,
      target, sync, [&](Value array) { return places.at(array); });
  if (failed(shape))
    return failure();
  LaunchCode code;
  code.entries = {name};
  llvm::append_range(code.buffers, buffers.getBuffers());
  code.args = buffers.getArgs(launch.getContext());
  llvm::append_range(code.args, sync.getArgs(launch.getContext()));
  code.grids = {{shape->getNumBlocks()}};
  if (kernels.size() != 1)
    code.parts = shape->blocks;
  code.block = shape->threads;
  return code;
}
