//===- DeviceAssertion.h - Assertions in kernels of GPUs --------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_DEVICEASSERTION_H
#define GROUT_CONVERSION_COMMON_DEVICEASSERTION_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace grout {

/// Emits a failure like that of `assert` in device code. It prints `message`,
/// and ends all work of the CUDA context with an error. The driver provides the
/// function.
void emitAssertionFailure(mlir::ImplicitLocOpBuilder &builder,
                          llvm::StringRef message);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_DEVICEASSERTION_H
