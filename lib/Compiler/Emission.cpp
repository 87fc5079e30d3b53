//===- Emission.cpp - Writes what was compiled ----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Emission.h"

#include "grout/Dialect/Launch/IR/Launch.h"
#include "grout/Target/ArtifactWriter.h"

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

/// Writes a module of kernels as text.
static LogicalResult emitKernels(Operation *kernels,
                                 const CompilerOptions &options,
                                 raw_ostream &os) {
  if (options.emit == EmitKind::LLVM)
    return printLLVMIR(kernels, os);
  if (auto device = dyn_cast<gpu::GPUModuleOp>(kernels)) {
    FailureOr<std::string> ptx = translateToPTX(device);
    if (succeeded(ptx))
      os << *ptx;
    return ptx;
  }
  NativeOptions native;
  native.sanitizeThread = options.sanitizeThread;
  return printNativeAssembly(cast<ModuleOp>(kernels), native, os);
}

FailureOr<std::string> grout::emitProgram(Program &program,
                                          const CompilerOptions &options,
                                          StringRef mode) {
  std::string text;
  llvm::raw_string_ostream os(text);
  switch (options.emit.getValue()) {
  case EmitKind::Artifact:
    return emitArtifact(program, options, mode);
  case EmitKind::MLIR:
    program.module->print(os);
    return text;
  case EmitKind::LLVM:
  case EmitKind::PTX:
  case EmitKind::Assembly:
    for (Operation &op : *program.module->getBody())
      if (isa<ModuleOp, gpu::GPUModuleOp>(op) &&
          failed(emitKernels(&op, options, os)))
        return failure();
    return text;
  }
  llvm_unreachable("unknown kind");
}
