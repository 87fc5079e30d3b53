//===- ReferenceKernel.h - One kernel of a reference plan -------*- C++ -*-===//
//
// Part of Grout. Private to convert-linalg-to-reference.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOREFERENCE_REFERENCEKERNEL_H
#define GROUT_LIB_CONVERSION_LINALGTOREFERENCE_REFERENCEKERNEL_H

#include "grout/Conversion/Common/CPUTileBody.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/MapVector.h"

namespace grout::reference {

/// A tensor of the function, with floats in the reference's type: a strided
/// part of a buffer, or one value for all elements, or nothing that was ever
/// written.
struct ReferenceTensor {
  mlir::Type elementType;
  mlir::Value buffer;    // of the plan
  mlir::TypedAttr splat; // of the element type
  int64_t offset = 0;    // in elements
  llvm::SmallVector<int64_t> shape, strides;

  bool isUndefined() const { return !buffer && !splat; }
};

/// A tensor and the map from loops to its elements.
struct TensorAccess {
  ReferenceTensor tensor;
  mlir::AffineMap map;
};

/// Emits the element of `tensor`, of the function, that is at `positions`, or
/// the nearest that there is.
using EmitGather = llvm::function_ref<mlir::Value(
    mlir::OpBuilder &, mlir::Value tensor, mlir::ValueRange positions)>;

/// A perfect nest of loops that computes its outputs an element at a time: what
/// one linalg op does, or a copy.
struct ReferenceKernel {
  explicit ReferenceKernel(mlir::Location loc) : loc(loc) {}

  std::string name;
  mlir::Location loc;
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<mlir::utils::IteratorType> iterators;
  llvm::SmallVector<TensorAccess> inputs;
  /// What each output starts from; undefined where `compute` ignores it.
  llvm::SmallVector<TensorAccess> inits;
  llvm::SmallVector<TensorAccess> outputs;
  /// Tensors of the function of which it reads elements at places that it
  /// computes.
  llvm::MapVector<mlir::Value, ReferenceTensor> gathered;
  /// Emits the values of all outputs at a point of the loops, given those of
  /// the inputs, then those of the outputs so far.
  std::function<llvm::SmallVector<mlir::Value>(
      mlir::OpBuilder &, mlir::ValueRange elements,
      mlir::ValueRange coordinates, EmitGather gather)>
      compute;
  /// Emit what the outputs are before all points, given what they start from,
  /// and what they are in the end, given their values after all points; null if
  /// they stay. What they are meanwhile is in no memory on a GPU.
  std::function<llvm::SmallVector<mlir::Value>(mlir::OpBuilder &,
                                               mlir::ValueRange outputs)>
      start, finish;

  llvm::SmallVector<unsigned> getLoops(mlir::utils::IteratorType kind) const;
};

/// Emits the loops of a kernel.
class KernelLoops {
public:
  KernelLoops(const ReferenceKernel &kernel,
              llvm::function_ref<mlir::Value(mlir::Value buffer)> getAddress)
      : kernel(kernel), getAddress(getAddress) {}

  /// Computes the elements at `coordinates`, of which those of reduction loops
  /// are not looked at, in registers.
  void emitElement(mlir::OpBuilder &builder, mlir::ValueRange coordinates);

  /// Computes the elements at `coordinates`, for the last parallel loop going
  /// from `begin` to `end`, in memory. That loop is the innermost one, within
  /// the reduction loops.
  void emitRow(mlir::OpBuilder &builder, mlir::ValueRange coordinates,
               mlir::Value begin, mlir::Value end);

  /// Whether emitRow walks through memory better than emitElement.
  bool prefersRows() const;

private:
  mlir::Value emitAddress(mlir::OpBuilder &builder, const TensorAccess &access,
                          mlir::ValueRange coordinates);
  mlir::Value emitLoad(mlir::OpBuilder &builder, const TensorAccess &access,
                       mlir::ValueRange coordinates);
  mlir::Value emitGather(mlir::OpBuilder &builder, mlir::Value tensor,
                         mlir::ValueRange positions);
  void emitStores(mlir::OpBuilder &builder, mlir::ValueRange values,
                  mlir::ValueRange coordinates);
  llvm::SmallVector<mlir::Value> emitPoint(mlir::OpBuilder &builder,
                                           mlir::ValueRange coordinates,
                                           mlir::ValueRange outputs);
  /// The number of accesses that move by neither 0 nor 1 element with `loop`.
  unsigned countStridedAccesses(unsigned loop) const;

  const ReferenceKernel &kernel;
  llvm::function_ref<mlir::Value(mlir::Value buffer)> getAddress;
};

/// What a launch of a kernel needs.
struct KernelLaunch {
  LaunchBuffers buffers;
  llvm::SmallVector<int64_t> grid;
  bool hasTasks = false; // else the grid is one of blocks
  int64_t block = 0;
};

/// Adds a tile body to `module`. A task is a block of rows.
KernelLaunch emitHostKernel(const ReferenceKernel &kernel,
                            mlir::ModuleOp module);

/// Adds a kernel with a thread for each element to `module`.
KernelLaunch emitDeviceKernel(const ReferenceKernel &kernel,
                              mlir::gpu::GPUModuleOp module);

} // namespace grout::reference

#endif // GROUT_LIB_CONVERSION_LINALGTOREFERENCE_REFERENCEKERNEL_H
