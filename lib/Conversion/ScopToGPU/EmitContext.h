//===- EmitContext.h - Shared state of code emitters ------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_EMITCONTEXT_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_EMITCONTEXT_H

#include "SharedMemory.h"
#include "StreamedReads.h"
#include "grout/Conversion/Common/CPUTileBody.h"
#include "grout/Conversion/Common/TileSynchronisation.h"
#include "grout/Dialect/Scop/ThreadMapping/KernelShape.h"
#include "grout/Dialect/Scop/ThreadMapping/ThreadMapping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace grout::scop {

/// The values of an element for the points that a thread has at once; only one
/// value if it is the same for all points.
using Lanes = llvm::SmallVector<mlir::Value>;

/// Masks that say which points of a vector are in its loop.
struct PointMasks {
  /// The position of the loop's first iteration within its slot, i32.
  mlir::Value before;
  /// Whether this may be the loop's first slot; and whether it may be the last
  /// slot, or one behind it.
  bool canBegin = true, canEnd = true;
  /// An i1 for each point, and one for all points: whether they are in the
  /// loop, and Point::isOwn holds.
  llvm::SmallVector<mlir::Value> lanes;
  mlir::Value isWhole;
};

/// A point of the loops, or `width` points.
struct Point {
  /// The value of each loop, i32. For the loop with vectors, the first value.
  llvm::SmallVector<mlir::Value> loops;
  /// The number of the round, if values are kept by rounds; else -1.
  int64_t round = -1;
  /// The number of the round as an i32. It is also set in a loop over rounds.
  mlir::Value roundIndex;
  /// Whether this thread stores and counts the point, an i1; null means that it
  /// does.
  mlir::Value isOwn;
  /// The position in the block's tile, if it has one, i32.
  mlir::Value tileRow, tileColumn;
  /// The masks of a masked vector; none if all of its points are in the loop.
  std::optional<PointMasks> masks;

  /// Adds `condition`, an i1, to the conditions of isOwn.
  void require(mlir::ImplicitLocOpBuilder &b, mlir::Value condition) {
    auto add = [&](mlir::Value &value) {
      value = mlir::arith::AndIOp::create(b, value, condition);
    };
    if (!isOwn)
      isOwn = condition;
    else
      add(isOwn);
    if (!masks)
      return;
    add(masks->isWhole);
    llvm::for_each(masks->lanes, add);
  }
};

/// The views of a kernel's array: the view from which it is read before it is
/// written, and the view to which it is written.
struct ArrayPlace {
  BufferView source, target;
};

/// The kernel, the function that runs it, and the place in it where code is
/// added.
struct EmitContext {
  KernelShape &shape;
  const ThreadMapping &mapping;
  mlir::LLVM::LLVMFuncOp func;
  LaunchBuffers &buffers;
  const TileSynchronisation &sync;
  llvm::function_ref<ArrayPlace(mlir::Value array)> getPlace;
  mlir::ImplicitLocOpBuilder b;
  SharedMemory shared;
  llvm::SmallVector<mlir::Value> streamed;
  /// The number of the kernel's first block among the blocks of the launch.
  int64_t firstBlock = 0;

  mlir::Value i32(int64_t value) {
    return mlir::arith::ConstantIntOp::create(b, b.getI32Type(), value);
  }
  /// Returns the function's parameters for TileSynchronisation::getArgs.
  mlir::ValueRange getStates() {
    return mlir::ValueRange(func.getArguments())
        .drop_front(buffers.getBuffers().size());
  }
  /// Emits the number of this block among the blocks of the kernel, an i32.
  mlir::Value emitBlockNumber() {
    mlir::Value block = mlir::NVVM::BlockIdXOp::create(b, b.getI32Type());
    return firstBlock == 0
               ? block
               : mlir::arith::SubIOp::create(b, block, i32(firstBlock))
                     .getResult();
  }
  /// Returns the loop of which a thread takes several points at once.
  unsigned getVectorLoop() const { return mapping.getVectorLoop(shape); }
  /// Whether `access` is to different elements at the points that a thread has
  /// at once.
  bool isVector(const StridedAccess &access) const {
    return mapping.width != 1 && access.dependsOn(getVectorLoop());
  }
};

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_EMITCONTEXT_H
