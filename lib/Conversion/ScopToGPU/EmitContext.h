//===- EmitContext.h - What the parts of a kernel's code share --*- C++ -*-===//
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

/// The value of an element for each of the points that a thread has at once;
/// one if it is the same for all.
using Lanes = llvm::SmallVector<mlir::Value>;

/// Which points of a vector are in its loop.
struct PointMasks {
  /// The place of the loop's first iteration in a slot, i32.
  mlir::Value before;
  /// Whether this may be the loop's first slot, and the last or one behind.
  bool canBegin = true, canEnd = true;
  /// An i1 for each point, and one for all: in the loop, and Point::isOwn.
  llvm::SmallVector<mlir::Value> lanes;
  mlir::Value isWhole;
};

/// A point of the loops, or `width` of them.
struct Point {
  /// The value of each loop, i32; of the one with vectors its first.
  llvm::SmallVector<mlir::Value> loops;
  /// The number of the round if values are kept by rounds; else -1.
  int64_t round = -1;
  /// The same, an i32, in a loop of rounds, too.
  mlir::Value roundIndex;
  /// An i1: whether this thread is to store and count it; null: yes.
  mlir::Value isOwn;
  /// The place in the block's tile, if there is one, i32.
  mlir::Value tileRow, tileColumn;
  /// What masked vectors have, unless all points of this one are in the loop.
  std::optional<PointMasks> masks;

  /// Makes `condition`, an i1, necessary for isOwn.
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

/// Where a kernel's arrays are: the view from which an array is read before it
/// is written, and that to which it is written.
struct ArrayPlace {
  BufferView source, target;
};

/// The kernel, the function that runs it, and where in it code goes.
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
  /// The block of the launch that is the first of the kernel.
  int64_t firstBlock = 0;

  mlir::Value i32(int64_t value) {
    return mlir::arith::ConstantIntOp::create(b, b.getI32Type(), value);
  }
  /// The function's parameters of TileSynchronisation::getArgs.
  mlir::ValueRange getStates() {
    return mlir::ValueRange(func.getArguments())
        .drop_front(buffers.getBuffers().size());
  }
  /// The number of this block among those of the kernel, an i32.
  mlir::Value emitBlockNumber() {
    mlir::Value block = mlir::NVVM::BlockIdXOp::create(b, b.getI32Type());
    return firstBlock == 0
               ? block
               : mlir::arith::SubIOp::create(b, block, i32(firstBlock))
                     .getResult();
  }
  /// The loop of which a thread has several points at once.
  unsigned getVectorLoop() const { return mapping.getVectorLoop(shape); }
  /// Whether the access is to different elements at the points that a thread
  /// has at once.
  bool isVector(const StridedAccess &access) const {
    return mapping.width != 1 && access.dependsOn(getVectorLoop());
  }
};

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_EMITCONTEXT_H
