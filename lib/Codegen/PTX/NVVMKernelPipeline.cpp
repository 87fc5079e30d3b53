//===- NVVMKernelPipeline.cpp - Kernels to the LLVM dialect ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "PTXPasses.h"

#include "grout/Transforms/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace grout;

/// Simplifies kernels, several at the same time.
static void addSimplifications(OpPassManager &kernels) {
  OpPassManager &function = kernels.nest<LLVM::LLVMFuncOp>();
  function.addPass(createCanonicalizerPass());
  function.addPass(createCSEPass());
}

void grout::buildNVVMKernelPipeline(OpPassManager &pm) {
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  addSimplifications(kernels);
  kernels.addPass(createExpandDeviceMath());
  kernels.addPass(createSwapSelectsOfZero());

  // Converts the dialects that have a ConvertToLLVM interface: arith, cf,
  // index, math, memref, vector, and the nvvm ops that are assembly.
  kernels.addPass(createSCFToControlFlowPass());
  kernels.addPass(createConvertToLLVMPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());
  addSimplifications(kernels);
}

void grout::registerPTXPasses() {
  registerPass(createExpandDeviceMath);
  registerPass(createDumpPTX);
  PassPipelineRegistration<>(
      "grout-nvvm-kernel-pipeline",
      "Lower kernel modules to the LLVM and NVVM dialects",
      [](OpPassManager &pm) { buildNVVMKernelPipeline(pm); });
}
