//===- TensorMaps.h - Tensor maps of a kernel's operands --------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_TENSORMAPS_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_TENSORMAPS_H

#include "KernelPlan.h"

namespace grout::hopper {

/// Collects the parameters of a kernel. Equal ones are passed once.
class KernelParams {
public:
  explicit KernelParams(KernelPlan &kernel) : kernel(kernel) {}

  /// The index of the parameter `arg` of `buffer`.
  unsigned addBufferAddress(mlir::Value buffer);
  unsigned addTensorMap(mlir::Value buffer, int64_t offset,
                        llvm::ArrayRef<int64_t> sizes,
                        llvm::ArrayRef<int64_t> strides,
                        llvm::ArrayRef<int64_t> box, launch::Swizzle swizzle);
  /// A parameter without a buffer.
  unsigned add(launch::ArgKind kind, mlir::MLIRContext *context);

private:
  int64_t getOperand(mlir::Value buffer);
  unsigned add(launch::ArgAttr arg);

  KernelPlan &kernel;
};

/// Plans the loads of `operand` (called `name` in diagnostics) of `op`: rows
/// and columns of a factor are dimension `mnDim` of its last two dimensions,
/// the reduction the other. Leaves the place in shared memory open.
mlir::FailureOr<FactorPlan>
planFactor(KernelParams &params, LaunchTensors &tensors,
           tgemm::ProductOpInterface op, mlir::Value operand,
           const llvm::Twine &name, unsigned mnDim, int64_t extent,
           int64_t sharers, Loader loader);

/// Plans the stores of the result of `op` in tiles of `tiling`.
mlir::FailureOr<ResultPlan> planResult(KernelParams &params,
                                       LaunchTensors &tensors,
                                       tgemm::ProductOpInterface op,
                                       tgemm::TilingAttr tiling);

/// Plans the reads of epilogue input `index` of `op` in tiles of `tiling`.
mlir::FailureOr<InputPlan> planInput(KernelParams &params,
                                     LaunchTensors &tensors,
                                     tgemm::ProductOpInterface op,
                                     tgemm::TilingAttr tiling, unsigned index);

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_TENSORMAPS_H
