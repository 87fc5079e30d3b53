//===- TileContext.h - Calls of a CPU tile's context ------------*- C++ -*-===//
//
// Part of Grout. Tile bodies on the CPU call the runtime through the function
// pointers of their grout_tile_context (grout-c/TileABI.h).
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_TILECONTEXT_H
#define GROUT_CONVERSION_COMMON_TILECONTEXT_H

#include "grout-c/TileABI.h"
#include "mlir/IR/Builders.h"

namespace grout {

/// The function pointers of grout_tile_context.
enum class ContextFunction {
  wait = offsetof(grout_tile_context, wait) / sizeof(void *),
  post = offsetof(grout_tile_context, post) / sizeof(void *),
  exchange = offsetof(grout_tile_context, exchange) / sizeof(void *)
};

/// Emits a call of `function` of `context` with the context and `arguments`.
/// Returns the call's result, of type `result`; null if that is null.
mlir::Value emitContextCall(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value context, ContextFunction function,
                            mlir::ValueRange arguments, mlir::Type result = {});

/// Emits a load of the rank of `context`, an i32.
mlir::Value emitContextRank(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value context);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_TILECONTEXT_H
