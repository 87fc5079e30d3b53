//===- InitAllDialects.h - Registers Grout's dialects -----------*- C++ -*-===//
//
// Part of Grout. What a tool or an embedding compiler calls first.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_INITALLDIALECTS_H
#define GROUT_INITALLDIALECTS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace grout {

/// Registers Grout's dialects, the upstream dialects that its pipeline takes
/// and makes, and the external models that join them.
void registerAllDialects(mlir::DialectRegistry &registry);

} // namespace grout

#endif // GROUT_INITALLDIALECTS_H
