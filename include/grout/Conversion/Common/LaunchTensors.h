//===- LaunchTensors.h - Where the tensors of a launch are ------*- C++ -*-===//
//
// Part of Grout. This part of a launch's code is the same for all targets.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_LAUNCHTENSORS_H
#define GROUT_CONVERSION_COMMON_LAUNCHTENSORS_H

#include "grout/Dialect/Launch/IR/Launch.h"
#include "llvm/ADT/DenseMap.h"

namespace grout {

/// A tensor as a part of a buffer. Dense buffers are row-major. A view of a
/// buffer may start anywhere and have any strides.
struct BufferView {
  /// A value of the launch.plan: an argument, or a launch.buffer.
  mlir::Value buffer;
  /// The place of the first element in the buffer, in elements.
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

  /// Returns the part of a buffer that holds `tensor`. `tensor` may be an input
  /// of the launch, a kernel's result, a constant, or a view of one of these.
  /// For a constant, the plan gets a buffer. Fails with a diagnostic at `user`
  /// if a view is not a strided part of a buffer.
  mlir::FailureOr<BufferView> getView(mlir::Value tensor,
                                      mlir::Operation *user);
  /// Returns the result of an earlier getView(`tensor`); nothing if there was
  /// no such call.
  std::optional<BufferView> lookupView(mlir::Value tensor) const;

  /// Checks that each operand that `kernel` updates has the same place in
  /// memory as the result. Fails with a diagnostic at `kernel`.
  mlir::LogicalResult checkUpdates(TileKernelOpInterface kernel);

  /// Creates a buffer that only this launch uses.
  BufferView createBuffer(mlir::Location loc, mlir::RankedTensorType type);

  /// Whether `tensor` is complete only when other tiles or launches have ended.
  /// That is so if a kernel of the launch computes it. It is also so if
  /// `tensor` comes from an input that the launch, which starts early, may not
  /// read early.
  bool dependsOnTiles(mlir::Value tensor);

private:
  launch::TilesOp launch;
  llvm::DenseMap<mlir::Value, BufferView> views;
};

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_LAUNCHTENSORS_H
