//===- PlanWriter.h - Parts of an artifact ----------------------*- C++ -*-===//
//
// Part of Grout. Private to the artifact writer.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_TARGET_ARTIFACT_PLANWRITER_H
#define GROUT_LIB_TARGET_ARTIFACT_PLANWRITER_H

#include "grout/Dialect/Launch/IR/Launch.h"
#include "grout/Target/ArtifactWriter.h"

// The generated code has a default in switches over all enumerators.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wcovered-switch-default"
#endif
#include "grout/Runtime/Artifact_generated.h"
#ifdef __clang__
#pragma clang diagnostic pop
#endif

namespace grout {

/// The modules of kernels that plans name, compiled when they are first asked
/// for and in that order.
class KernelModules {
public:
  KernelModules(mlir::ModuleOp module, const ArtifactOptions &options)
      : module(module), options(options) {}

  /// The position in the artifact of the module that `kernel` names. Fails with
  /// a diagnostic if it cannot be compiled.
  mlir::FailureOr<uint32_t> getIndex(launch::KernelOp kernel);

  std::vector<std::unique_ptr<artifact::ModuleT>> take() {
    return std::move(compiled);
  }

private:
  mlir::ModuleOp module;
  const ArtifactOptions &options;
  llvm::DenseMap<mlir::Operation *, uint32_t> indices;
  std::vector<std::unique_ptr<artifact::ModuleT>> compiled;
};

/// The tensor that a plan's buffer of `type` holds.
artifact::TensorT getTensor(llvm::StringRef name, mlir::MemRefType type);

/// `name` with only the characters that an artifact allows in names, or
/// `otherwise` if none is left.
std::string getTensorName(llvm::StringRef name, llvm::StringRef otherwise);

/// Gives `launch` the tasks of `kernel`, which has an order: as loops where the
/// order is made of such, which takes no time whatever their number, or else as
/// a list. Fails with a diagnostic.
mlir::LogicalResult setTasks(launch::KernelOp kernel,
                             artifact::LaunchT &launch);

/// Says at `plan` that no artifact can hold it.
mlir::InFlightDiagnostic emitTooLarge(launch::PlanOp plan);

/// Serialises `plan`. Fails with a diagnostic.
mlir::FailureOr<artifact::PlanT> getPlan(launch::PlanOp plan,
                                         KernelModules &modules);

} // namespace grout

#endif // GROUT_LIB_TARGET_ARTIFACT_PLANWRITER_H
