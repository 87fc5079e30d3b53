//===- CPUKernelPipeline.cpp - Tile bodies to the LLVM dialect ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Codegen/Native.h"
#include "grout/Conversion/Passes.h"
#include "grout/Transforms/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void grout::buildCPUKernelPipeline(OpPassManager &pm) {
  // Every nested module is a module of kernels.
  OpPassManager &kernels = pm.nest<ModuleOp>();
  kernels.addPass(createConvertTSyncToCPU());
  kernels.addPass(createReconcileUnrealizedCastsPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createLoopInvariantCodeMotionPass());

  // Compute functions such as tanh at least in f32.
  kernels.addPass(math::createMathExtendToSupportedTypes());
  kernels.addPass(createExpandCancellingMath());
  kernels.addPass(createSwapSelectsOfZero());
  kernels.addPass(createExpandHalfFloats());
  // x86 processors before AVX512-BF16 have no conversion to bf16. LLVM would
  // call a function of the compiler's runtime, which the host may not have.
  // Arithmetic in bf16 needs the conversion, too, and becomes arithmetic in
  // f32.
  arith::ArithEmulateUnsupportedFloatsOptions emulateOptions;
  emulateOptions.sourceTypeStrs = {"bf16"};
  emulateOptions.targetTypeStr = "f32";
  kernels.addPass(arith::createArithEmulateUnsupportedFloats(emulateOptions));
  arith::ArithExpandOpsPassOptions expandOptions;
  expandOptions.includeBf16 = true;
  kernels.addPass(arith::createArithExpandOpsPass(expandOptions));

  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createConvertVectorToLLVMPass());
  kernels.addPass(createSCFToControlFlowPass());
  // Use intrinsics if LLVM has them, because it can vectorise some of them;
  // otherwise use libm. Both are exact to within a few units in the last place.
  kernels.addPass(createConvertMathToLLVMPass());
  kernels.addPass(createConvertMathToLibmPass());
  kernels.addPass(createFinalizeMemRefToLLVMConversionPass());
  kernels.addPass(createArithToLLVMConversionPass());
  kernels.addPass(createConvertFuncToLLVMPass());
  kernels.addPass(createConvertControlFlowToLLVMPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());
  kernels.addPass(createBFloatsAsIntegers());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
}

void grout::registerCPUKernelPipeline() {
  PassPipelineRegistration<>(
      "grout-cpu-kernel-pipeline",
      "Lower the tile bodies in nested modules to the LLVM dialect",
      buildCPUKernelPipeline);
}
