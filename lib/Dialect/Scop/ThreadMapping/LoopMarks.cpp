//===- LoopMarks.cpp - Whether the marks of loops make sense --------------===//
//
// Part of Grout. See docs/ScopKernels.md, Threads.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/ThreadMapping/KernelShape.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// The most iterations that a thread may take at once.
static constexpr int64_t kMaxWidth = 16;

static InFlightDiagnostic refuse(KernelOp kernel, const LoopMark &mark) {
  return kernel.emitOpError() << "cannot be compiled for a GPU: dimension "
                              << mark.dim << " of its schedule ";
}

/// Checks the marks of loop `loop` on their own.
static LogicalResult checkMark(KernelOp kernel, const KernelShape &shape,
                               unsigned loop) {
  const LoopMark &mark = shape.marks[loop];
  std::optional<Mapping> mapping = mark.execution.getMapping();
  int64_t width = mark.execution.getVectorWidth();
  bool isOuter = loop < shape.numOuter;
  unsigned last = (isOuter ? shape.numOuter : shape.getNumLoops()) - 1;
  StringRef side = isOuter ? "outer" : "inner";
  // Threads take all inner loops together, or none.
  if (!isOuter && shape.sharesInnerLoops() && !mark.isParallel)
    return refuse(kernel, mark)
           << (mapping ? "is marked" : "is split together with another loop")
           << ", but is not parallel";
  if (mark.execution.isEmpty())
    return success();
  if (!mark.isParallel)
    return refuse(kernel, mark) << "is marked, but is not parallel";
  if (mapping == Mapping::ThreadX && loop != last)
    return refuse(kernel, mark)
           << "is mapped to thread_x, but is not the last " << side << " loop";
  if (mapping == Mapping::ThreadY && isOuter && loop == last)
    return refuse(kernel, mark)
           << "is mapped to thread_y, but is the last outer loop";
  if (mapping == Mapping::ThreadY && isOuter && shape.hasInnerLoops())
    return refuse(kernel, mark)
           << "is an outer loop that is mapped to thread_y, but there are "
           << "inner loops";
  if (mapping == Mapping::Block && !isOuter)
    return refuse(kernel, mark) << "is mapped to block, but is an inner loop";
  if (width == 1)
    return success();
  if (mapping != Mapping::ThreadX)
    return refuse(kernel, mark) << "has vectors, but is not mapped to thread_x";
  if (!llvm::isPowerOf2_64(width) || width > kMaxWidth)
    return refuse(kernel, mark)
           << "has vectors of " << width << " iterations, not of 2, 4, 8 or 16";
  if (mark.execution.getMasked() && shape.getTileLoop())
    return refuse(kernel, mark) << "has masked vectors, but another one is "
                                << "mapped to thread_y";
  if (!mark.execution.getMasked() && shape.extents[loop] % width != 0)
    return refuse(kernel, mark)
           << "has vectors of " << width << " iterations, but "
           << shape.extents[loop] << " iterations";
  return success();
}

LogicalResult scop::checkMarks(KernelOp kernel, const KernelShape &shape) {
  const LoopMark *fastest = nullptr, *tiled = nullptr;
  for (auto [loop, mark] : llvm::enumerate(shape.marks)) {
    if (failed(checkMark(kernel, shape, loop)))
      return failure();
    std::optional<Mapping> mapping = mark.execution.getMapping();
    bool isTiled = loop < shape.numOuter && mapping == Mapping::ThreadY;
    for (auto [first, isOne] :
         {std::pair(&fastest, mapping == Mapping::ThreadX),
          std::pair(&tiled, isTiled)}) {
      if (!isOne)
        continue;
      if (*first)
        return refuse(kernel, mark)
               << "is mapped to " << stringifyMapping(*mapping)
               << ", and so is " << (*first)->dim;
      *first = &mark;
    }
  }
  return success();
}
