//===- LaunchTensors.h - Where the tensors of a launch are ------*- C++ -*-===//
//
// Part of Grout. What no target changes of the code of a launch.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_LAUNCHTENSORS_H
#define GROUT_CONVERSION_COMMON_LAUNCHTENSORS_H

#include "grout/Dialect/Launch/IR/Launch.h"
#include "llvm/ADT/DenseMap.h"

namespace grout {

/// A tensor as a part of a buffer. Dense buffers are row-major; a view of one
/// may start anywhere and have any strides.
struct BufferView {
  /// The launch.plan's value (an argument, or a launch.buffer).
  mlir::Value buffer;
  /// Of the first element, in elements.
  int64_t offset = 0;
  /// Extents and strides in elements, outermost first.
  llvm::SmallVector<int64_t> shape;
  llvm::SmallVector<int64_t> strides;
  mlir::Type elementType;
};

/// The tensors of a launch, as parts of the plan's buffers.
class LaunchTensors {
public:
  explicit LaunchTensors(launch::TilesOp launch);

  /// The part of a buffer that holds `tensor`: an input of the launch, a
  /// kernel's result, a constant, for which the plan gets a buffer, or a view
  /// of one of these. Fails with a diagnostic at `user` if it is a view that is
  /// not a strided part of a buffer.
  mlir::FailureOr<BufferView> getView(mlir::Value tensor,
                                      mlir::Operation *user);
  /// What getView has returned for `tensor`; nothing if nobody has asked.
  std::optional<BufferView> lookupView(mlir::Value tensor) const;

  /// Checks that what `kernel` updates is in the buffers of its results.
  mlir::LogicalResult checkUpdates(TileKernelOpInterface kernel);

  /// A new buffer that only this launch uses.
  BufferView createBuffer(mlir::Location loc, mlir::RankedTensorType type);

  /// Whether `tensor` is there only when other tiles or launches are done: a
  /// kernel of the launch computes it, or it is made from an input that the
  /// launch, which starts early, may not read early.
  bool dependsOnTiles(mlir::Value tensor);

private:
  launch::TilesOp launch;
  llvm::DenseMap<mlir::Value, BufferView> views;
};

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_LAUNCHTENSORS_H
