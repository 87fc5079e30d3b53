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
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

namespace grout {
#define GEN_PASS_DEF_CONVERTSCOPTOLOOPS
#include "grout/Conversion/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Emits the loops of `kernel` before it.
static LogicalResult emitLoops(KernelOp kernel, int64_t baseAlignment) {
  OpBuilder builder(kernel);
  IRMapping arrays;
  arrays.map(kernel.getBody().getArguments(), kernel.getOperands());
  SmallVector<Value> locals;
  for (auto local : kernel.getBody().getOps<LocalOp>()) {
    locals.push_back(memref::AllocOp::create(
        builder, local.getLoc(), cast<MemRefType>(local.getArray().getType()),
        builder.getI64IntegerAttr(baseAlignment)));
    arrays.map(local.getArray(), locals.back());
  }

  IslContext context;
  llvm::Expected<bool> emitted = grout::detail::guarded(context, [&] {
    isl::ast_node loops = buildLoops(context.get(), kernel);
    LoopEmitter(context.get(), builder, kernel, arrays, baseAlignment)
        .emit(loops);
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
    if (!llvm::isPowerOf2_64(baseAlignment)) {
      getOperation().emitError()
          << "base-alignment must be a power of two, got "
          << baseAlignment.getValue();
      return signalPassFailure();
    }
    SmallVector<KernelOp> kernels;
    getOperation().walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    for (KernelOp kernel : kernels) {
      if (kernel.hasTensors()) {
        kernel.emitOpError("is on tensors; bufferize it before it becomes "
                           "loops");
        return signalPassFailure();
      }
      if (failed(verifySchedule(kernel)) ||
          failed(emitLoops(kernel, baseAlignment)))
        return signalPassFailure();
      kernel.erase();
    }
  }
};

} // namespace
