//===- PlanWriter.h - Parts of an artifact ----------------------*- C++ -*-===//
//
// Part of Grout. Private to the artifact writer.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CODEGEN_ARTIFACT_PLANWRITER_H
#define GROUT_LIB_CODEGEN_ARTIFACT_PLANWRITER_H

#include "grout/Codegen/ArtifactWriter.h"
#include "grout/Dialect/Launch/IR/Launch.h"

// The generated code has a default label in switches over all enumerators.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wcovered-switch-default"
#endif
#include "grout/Runtime/Artifact_generated.h"
#ifdef __clang__
#pragma clang diagnostic pop
#endif

namespace grout {

/// The modules of kernels that plans name. Compiles each module at its first
/// use; the artifact has them in the order of their first uses.
class KernelModules {
public:
  KernelModules(mlir::ModuleOp module, const ArtifactOptions &options)
      : module(module), options(options) {}

  /// Returns the position in the artifact of the module that `kernel` names.
  /// Fails with a diagnostic if the module cannot be compiled.
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

/// Returns the tensor of a plan's buffer of `type`.
artifact::TensorT getTensor(llvm::StringRef name, mlir::MemRefType type);

/// Returns the characters of `name` that an artifact allows in names, or
/// `otherwise` if there are none.
std::string getTensorName(llvm::StringRef name, llvm::StringRef otherwise);

/// Gives `launch` the tasks of `kernel`, which has an order. If loops can
/// generate this order, the tasks are loops, which takes no time for any number
/// of tasks. Otherwise they are a list. Fails with a diagnostic.
mlir::LogicalResult setTasks(launch::KernelOp kernel,
                             artifact::LaunchT &launch);

/// Reports at `plan` that an artifact cannot hold it.
mlir::InFlightDiagnostic emitTooLarge(launch::PlanOp plan);

/// Serialises `plan`. Fails with a diagnostic.
mlir::FailureOr<artifact::PlanT> getPlan(launch::PlanOp plan,
                                         KernelModules &modules);

} // namespace grout

#endif // GROUT_LIB_CODEGEN_ARTIFACT_PLANWRITER_H
