//===- Emit.cpp - Writes what grout-compile made --------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include "grout/Dialect/Launch/IR/Launch.h"
#include "grout/Target/ArtifactWriter.h"

using namespace mlir;
using namespace grout;
using namespace grout::compile;

static FailureOr<std::string> emitArtifact(Input &input, const Options &options,
                                           StringRef mode) {
  ArtifactOptions artifact;
  artifact.target = options.target->getName().str();
  artifact.mode = mode.str();
  artifact.native.sanitizeThread = options.sanitizeThread;
  if (!options.ptxas.empty())
    artifact.ptxas.emplace().path = options.ptxas;
  for (auto plan : input.module->getOps<launch::PlanOp>())
    if (auto it = input.names.find(plan.getSymName());
        it != input.names.end()) {
      artifact.inputNames = it->second.inputs;
      artifact.outputNames = it->second.outputs;
    }
  FailureOr<std::vector<uint8_t>> bytes =
      writeArtifact(*input.module, artifact);
  if (failed(bytes))
    return failure();
  return std::string(bytes->begin(), bytes->end());
}

/// Writes a module of kernels as text.
static LogicalResult emitKernels(Operation *kernels, const Options &options,
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

FailureOr<std::string> compile::emit(Input &input, const Options &options,
                                     StringRef mode) {
  std::string text;
  llvm::raw_string_ostream os(text);
  switch (options.emit) {
  case EmitKind::Artifact:
    return emitArtifact(input, options, mode);
  case EmitKind::MLIR:
    input.module->print(os);
    return text;
  case EmitKind::LLVM:
  case EmitKind::PTX:
  case EmitKind::Assembly:
    for (Operation &op : *input.module->getBody())
      if (isa<ModuleOp, gpu::GPUModuleOp>(op) &&
          failed(emitKernels(&op, options, os)))
        return failure();
    return text;
  }
  llvm_unreachable("unknown kind");
}
