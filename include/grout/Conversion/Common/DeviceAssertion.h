//===- DeviceAssertion.h - Assertions in kernels of GPUs --------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_DEVICEASSERTION_H
#define GROUT_CONVERSION_COMMON_DEVICEASSERTION_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace grout {

/// Fails as a device's `assert` does: prints `message`, and ends all that the
/// context runs with an error. The driver has the function.
void emitAssertionFailure(mlir::ImplicitLocOpBuilder &builder,
                          llvm::StringRef message);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_DEVICEASSERTION_H
