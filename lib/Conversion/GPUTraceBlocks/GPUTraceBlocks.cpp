//===- GPUTraceBlocks.cpp - Blocks that record their times ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/TraceRecord.h"
#include "grout/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace grout {
#define GEN_PASS_DEF_GPUTRACEBLOCKS
#include "grout/Conversion/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;

namespace {

struct GPUTraceBlocks : grout::impl::GPUTraceBlocksBase<GPUTraceBlocks> {
  using Base::Base;

  void runOnOperation() override {
    for (auto func : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (func->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()) &&
          !hasTrace(func))
        traceBlocks(func);
  }
};

} // namespace
