//===- MappedKernel.cpp - A kernel and its threads ------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/ThreadMapping/MappedKernel.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

FailureOr<MappedKernel>
scop::mapKernel(KernelOp kernel, const TargetSpec &target,
                function_ref<StridedLayoutAttr(Value array)> getLayout) {
  FailureOr<KernelShape> shape = getKernelShape(kernel, getLayout);
  if (failed(shape))
    return failure();
  // Code numbers points with 32 bits.
  ArrayRef<int64_t> extents = shape->extents;
  for (ArrayRef<int64_t> loops : {extents.take_front(shape->numOuter),
                                  extents.drop_front(shape->numOuter)})
    if (std::optional<int64_t> size = getSize(loops);
        !size || *size > INT32_MAX)
      return kernel.emitOpError(
          "cannot be compiled for a GPU: it has more than 2^31 points");
  ThreadMapping mapping = chooseThreadMapping(*shape, target);
  if (std::optional<ArrayRef<int64_t>> sizes = kernel.getTileSizes()) {
    if (std::string problem = setTileSizes(*shape, *sizes, mapping);
        !problem.empty())
      return kernel.emitOpError("cannot be compiled for a GPU: ") << problem;
  } else if (mapping.tile || mapping.repeats != 1) {
    ThreadMapping tiled = mapping;
    [[maybe_unused]] std::string problem =
        setTileSizes(*shape, getTileSizes(*shape, mapping), tiled);
    assert(problem.empty() && "chosen tiles are possible");
    // In blocks of consecutive points no thread is idle. In tiles of which each
    // thread has several points some are. So these tiles must need a tenth
    // fewer blocks.
    if (tiled.tile ||
        (tiled.repeats != 1 && 10 * tiled.blocks < 9 * mapping.blocks))
      mapping = tiled;
    else
      mapping.repeats = 1;
  }
  return MappedKernel{kernel, std::move(*shape), mapping};
}
