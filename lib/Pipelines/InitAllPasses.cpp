//===- InitAllPasses.cpp - Registers Grout's passes -----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/InitAllPasses.h"

#include "grout/Codegen/Native.h"
#include "grout/Codegen/PTX.h"
#include "grout/Conversion/Passes.h"
#include "grout/Dialect/Launch/Transforms/Passes.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "grout/Dialect/TGemm/Transforms/Passes.h"
#include "grout/Dialect/TSync/Transforms/Passes.h"
#include "grout/Pipelines/Pipelines.h"
#include "grout/Target/Transforms/Passes.h"
#include "grout/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"

using namespace mlir;

void grout::registerAllPasses() {
  bufferization::registerOneShotBufferizePass();
  registerCPUKernelPipeline();
  registerConvertLinalgToAttention();
  registerConvertLinalgToConv2d();
  registerConvertLinalgToMatvec();
  registerConvertLinalgToReference();
  registerConvertLinalgToScop();
  registerConvertLinalgToTGemm();
  registerConvertScopToLoops();
  registerConvertTilesToKernels();
  registerConvertTSyncToCPU();
  registerConvertTSyncToNVVM();
  registerGPUTraceBlocks();
  registerLaunchMergeKernels();
  registerGroutPipelines();
  registerGroutTargetPasses();
  registerPTXPasses();
  launch::registerLaunchPasses();
  scop::registerScopPasses();
  tgemm::registerTGemmPasses();
  registerTransformsPasses();
  tsync::registerTSyncPasses();
}
