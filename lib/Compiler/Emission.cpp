//===- Emission.cpp - Writes the output of a compilation ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Emission.h"

#include "KernelText.h"
#include "grout/Codegen/ArtifactWriter.h"
#include "grout/Dialect/Launch/IR/Launch.h"

using namespace mlir;
using namespace grout;

static FailureOr<std::string>
emitArtifact(Program &program, const CompilerOptions &options, StringRef mode) {
  ArtifactOptions artifact;
  artifact.mode = mode.str();
  artifact.native.sanitizeThread = options.sanitizeThread;
  if (!options.ptxas.empty())
    artifact.ptxas.emplace().path = options.ptxas;
  for (auto plan : program.module->getOps<launch::PlanOp>())
    if (auto it = program.names.find(plan.getSymName());
        it != program.names.end()) {
      artifact.inputNames = it->second.inputs;
      artifact.outputNames = it->second.outputs;
    }
  FailureOr<std::vector<uint8_t>> bytes =
      writeArtifact(*program.module, artifact);
  if (failed(bytes))
    return failure();
  return std::string(bytes->begin(), bytes->end());
}

FailureOr<std::string> grout::emitProgram(Program &program,
                                          const CompilerOptions &options,
                                          StringRef mode) {
  switch (options.emit.getValue()) {
  case EmitKind::Artifact:
    return emitArtifact(program, options, mode);
  case EmitKind::MLIR: {
    std::string text;
    llvm::raw_string_ostream os(text);
    program.module->print(os);
    return text;
  }
  case EmitKind::LLVM:
  case EmitKind::PTX:
  case EmitKind::Assembly:
    return emitKernelText(*program.module, options);
  }
  llvm_unreachable("unknown kind");
}
