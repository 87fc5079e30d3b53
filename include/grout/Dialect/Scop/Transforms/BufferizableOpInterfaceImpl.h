//===- BufferizableOpInterfaceImpl.h - Kernels on buffers -------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
#define GROUT_DIALECT_SCOP_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace grout::scop {

/// Lets one-shot bufferization turn kernels on tensors into kernels on memrefs.
void registerBufferizableOpInterfaceExternalModels(
    mlir::DialectRegistry &registry);

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
