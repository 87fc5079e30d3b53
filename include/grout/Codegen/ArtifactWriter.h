//===- ArtifactWriter.h - Writes artifacts ----------------------*- C++ -*-===//
//
// Part of Grout. Turns a compiled module, which holds launch plans and modules
// of kernels, into the bytes of an artifact file; see Runtime/Artifact.fbs.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CODEGEN_ARTIFACTWRITER_H
#define GROUT_CODEGEN_ARTIFACTWRITER_H

#include "grout/Codegen/Native.h"
#include "grout/Codegen/PTX.h"
#include "mlir/IR/BuiltinOps.h"
#include <cstdint>
#include <string>
#include <vector>

namespace grout {

struct ArtifactOptions {
  /// The mode that the artifact states; see Artifact.fbs.
  std::string mode = "persistent";
  /// Names of the function's inputs and outputs. If they are empty, names come
  /// from the locations of the plan's arguments, or are arg0, arg1, ... and
  /// result0, result1, ...
  std::vector<std::string> inputNames, outputNames;
  /// How kernels for the CPU are compiled.
  NativeOptions native;
  /// How kernels for a GPU are assembled. If not given, the artifact holds PTX,
  /// which the driver assembles when the artifact is loaded.
  std::optional<PtxasOptions> ptxas;
};

/// The attribute of a function's argument or result that gives its name in
/// artifacts.
inline constexpr llvm::StringLiteral kTensorNameAttrName = "grout.name";

/// Compiles the kernels of `module`, and makes an artifact of its launch plan
/// and its reference plan, if there is one. There must be exactly one launch
/// plan that is no reference plan, and the module must have a target. Fails
/// with a diagnostic.
mlir::FailureOr<std::vector<uint8_t>>
writeArtifact(mlir::ModuleOp module, const ArtifactOptions &options);

} // namespace grout

#endif // GROUT_CODEGEN_ARTIFACTWRITER_H
