//===- KernelParams.h - Parameters of a Hopper kernel -----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_HOPPER_KIT_KERNELPARAMS_H
#define GROUT_HOPPER_KIT_KERNELPARAMS_H

#include "grout/Dialect/Launch/IR/Launch.h"

namespace grout::hopper {

/// Collects the parameters of a kernel. Equal parameters are passed once.
class KernelParams {
public:
  /// Adds the address of `buffer`. Returns the index of this parameter.
  unsigned addBufferAddress(mlir::Value buffer);
  unsigned addTensorMap(mlir::Value buffer, int64_t offset,
                        llvm::ArrayRef<int64_t> sizes,
                        llvm::ArrayRef<int64_t> strides,
                        llvm::ArrayRef<int64_t> box, launch::Swizzle swizzle,
                        launch::Im2colAttr im2col = {});
  /// Adds a parameter without a buffer. Returns its index.
  unsigned add(launch::ArgKind kind, mlir::MLIRContext *context);
  /// Adds the symmetric memory of rank `rank`.
  unsigned addPeer(int64_t rank, mlir::MLIRContext *context);

  /// Returns all parameters, as launch.arg, and the buffers to which they
  /// refer.
  llvm::ArrayRef<mlir::Attribute> getArgs() const { return args; }
  llvm::ArrayRef<mlir::Value> getBuffers() const { return buffers; }

private:
  int64_t getOperand(mlir::Value buffer);
  unsigned add(launch::ArgAttr arg);

  llvm::SmallVector<mlir::Attribute> args;
  llvm::SmallVector<mlir::Value> buffers;
};

} // namespace grout::hopper

#endif // GROUT_HOPPER_KIT_KERNELPARAMS_H
