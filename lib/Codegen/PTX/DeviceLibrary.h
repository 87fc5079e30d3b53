//===- DeviceLibrary.h - CUDA's library of functions ------------*- C++ -*-===//
//
// Part of Grout. libdevice is LLVM bitcode that comes with CUDA. It has
// functions of f64 for which GPUs have no instructions.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CODEGEN_PTX_DEVICELIBRARY_H
#define GROUT_LIB_CODEGEN_PTX_DEVICELIBRARY_H

#include "mlir/IR/Operation.h"
#include "llvm/IR/Module.h"
#include <optional>
#include <string>

namespace grout {

/// Returns the path of libdevice, if there is one: below $CUDA_HOME, $CUDA_ROOT
/// or $CUDA_PATH, or in /usr/local/cuda.
std::optional<std::string> findDeviceLibrary();

/// Returns libdevice's name of the f64 function `op`; "" if it has none.
std::string getDeviceFunction(mlir::Operation *op);

/// Links the functions of libdevice that `module` calls into it. Diagnostics
/// are at `loc`.
mlir::LogicalResult linkDeviceLibrary(mlir::Location loc, llvm::Module &module);

} // namespace grout

#endif // GROUT_LIB_CODEGEN_PTX_DEVICELIBRARY_H
