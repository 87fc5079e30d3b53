//===- KernelParams.h - Parameters of a Hopper kernel -----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_TGEMMTONVVM_KERNELPARAMS_H
#define GROUT_CONVERSION_TGEMMTONVVM_KERNELPARAMS_H

#include "grout/Dialect/Launch/IR/Launch.h"

namespace grout::hopper {

/// The parameters of a kernel while they are collected. Equal ones are passed
/// once.
class KernelParams {
public:
  /// The index of the parameter `arg` of `buffer`.
  unsigned addBufferAddress(mlir::Value buffer);
  unsigned addTensorMap(mlir::Value buffer, int64_t offset,
                        llvm::ArrayRef<int64_t> sizes,
                        llvm::ArrayRef<int64_t> strides,
                        llvm::ArrayRef<int64_t> box, launch::Swizzle swizzle,
                        launch::Im2colAttr im2col = {});
  /// A parameter without a buffer.
  unsigned add(launch::ArgKind kind, mlir::MLIRContext *context);

  /// All of them, as launch.arg, and the buffers that they name.
  llvm::ArrayRef<mlir::Attribute> getArgs() const { return args; }
  llvm::ArrayRef<mlir::Value> getBuffers() const { return buffers; }

private:
  int64_t getOperand(mlir::Value buffer);
  unsigned add(launch::ArgAttr arg);

  llvm::SmallVector<mlir::Attribute> args;
  llvm::SmallVector<mlir::Value> buffers;
};

} // namespace grout::hopper

#endif // GROUT_CONVERSION_TGEMMTONVVM_KERNELPARAMS_H
