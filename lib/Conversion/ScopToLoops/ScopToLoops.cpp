//===- ScopToLoops.cpp - Kernels to loops ---------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Passes.h"

#include "LoopEmitter.h"
#include "grout/Dialect/Scop/Analysis/KernelProblem.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace grout {
#define GEN_PASS_DEF_CONVERTSCOPTOLOOPS
#include "grout/Conversion/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Emits the loops of `kernel` before it.
static LogicalResult emitLoops(KernelOp kernel) {
  OpBuilder builder(kernel);
  IRMapping arrays;
  arrays.map(kernel.getBody().getArguments(), kernel.getOperands());
  SmallVector<Value> locals;
  for (auto local : kernel.getBody().getOps<LocalOp>()) {
    locals.push_back(memref::AllocOp::create(
        builder, local.getLoc(), cast<MemRefType>(local.getArray().getType())));
    arrays.map(local.getArray(), locals.back());
  }

  IslContext context;
  llvm::Expected<bool> emitted = grout::detail::guarded(context, [&] {
    isl::ast_node loops = buildLoops(context.get(), kernel);
    LoopEmitter(builder, kernel, arrays).emit(loops);
    return true;
  });
  if (!emitted)
    return kernel.emitOpError() << "cannot be turned into loops: "
                                << llvm::toString(emitted.takeError());
  for (Value local : locals)
    memref::DeallocOp::create(builder, local.getLoc(), local);
  return success();
}

namespace {

struct ConvertScopToLoops
    : grout::impl::ConvertScopToLoopsBase<ConvertScopToLoops> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    getOperation().walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    for (KernelOp kernel : kernels) {
      if (kernel.hasTensors()) {
        kernel.emitOpError("is on tensors; bufferize it before it becomes "
                           "loops");
        return signalPassFailure();
      }
      if (failed(verifySchedule(kernel)) || failed(emitLoops(kernel)))
        return signalPassFailure();
      kernel.erase();
    }
  }
};

} // namespace
