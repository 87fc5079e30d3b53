//===- KernelParams.h - Parameters of a Hopper kernel -----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_TGEMMTONVVM_KERNELPARAMS_H
#define GROUT_CONVERSION_TGEMMTONVVM_KERNELPARAMS_H

#include "grout/Conversion/TGemmToNVVM/KernelPlan.h"

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

} // namespace grout::hopper

#endif // GROUT_CONVERSION_TGEMMTONVVM_KERNELPARAMS_H
