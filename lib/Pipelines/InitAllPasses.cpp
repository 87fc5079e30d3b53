//===- InitAllPasses.cpp - Registers Grout's passes -----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/InitAllPasses.h"

#include "grout/Conversion/Passes.h"
#include "grout/Conversion/TGemmToCPU/Pipelines.h"
#include "grout/Dialect/TGemm/Transforms/Passes.h"
#include "grout/Dialect/TSync/Transforms/Passes.h"
#include "grout/Pipelines/Pipelines.h"
#include "grout/Target/PTX.h"

void grout::registerAllPasses() {
  registerCPUKernelPipeline();
  registerConvertLinalgToReference();
  registerConvertLinalgToTGemm();
  registerConvertTGemmToCPU();
  registerConvertTGemmToNVVM();
  registerConvertTSyncToCPU();
  registerConvertTSyncToNVVM();
  registerGroutPipelines();
  registerPTXPasses();
  tgemm::registerTGemmAssignTiling();
  tsync::registerTSyncPasses();
}
