//===- ScopToLoops.cpp - Kernels to loops ---------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Passes.h"

#include "grout/Conversion/ScopToLoops/ContractLocals.h"
#include "grout/Conversion/ScopToLoops/LoopEmitter.h"
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

/// Locals of at most this many bytes are on the stack. LLVM turns single
/// elements into registers.
static constexpr int64_t kMaxStackBytes = 1024;

/// Allocates memory for the locals of `kernel`: small ones once in `function`,
/// and large ones before the kernel. Adds the large ones to `heap`.
static void allocateLocals(func::FuncOp function, KernelOp kernel,
                           int64_t baseAlignment, IRMapping &arrays,
                           SmallVectorImpl<Value> &heap) {
  OpBuilder before(kernel);
  auto atEntry = OpBuilder::atBlockBegin(&function.getBody().front());
  IntegerAttr alignment = before.getI64IntegerAttr(baseAlignment);
  for (auto local : kernel.getBody().getOps<LocalOp>()) {
    auto type = cast<MemRefType>(local.getArray().getType());
    Value memory;
    if (getSize(type.getShape(), type.getElementType()) <= kMaxStackBytes) {
      memory =
          memref::AllocaOp::create(atEntry, local.getLoc(), type, alignment);
    } else {
      memory = memref::AllocOp::create(before, local.getLoc(), type, alignment);
      heap.push_back(memory);
    }
    arrays.map(local.getArray(), memory);
  }
}

/// Emits the loops of `kernel` before it.
static LogicalResult emitLoops(func::FuncOp function, KernelOp kernel,
                               int64_t baseAlignment) {
  OpBuilder builder(kernel);
  IRMapping arrays;
  arrays.map(kernel.getBody().getArguments(), kernel.getOperands());
  SmallVector<Value> heap;
  IslContext context;
  llvm::Expected<bool> emitted = grout::detail::guarded(context, [&] {
    contractLocals(context.get(), kernel,
                   [](LocalOp, MemRefType) { return true; });
    allocateLocals(function, kernel, baseAlignment, arrays, heap);
    isl::ast_node loops = buildLoops(context.get(), kernel);
    LoopEmitter(context.get(), builder, kernel, arrays, baseAlignment)
        .emit(loops);
    return true;
  });
  if (!emitted)
    return kernel.emitOpError() << "cannot be turned into loops: "
                                << llvm::toString(emitted.takeError());
  for (Value memory : heap)
    memref::DeallocOp::create(builder, memory.getLoc(), memory);
  return success();
}

namespace {

struct ConvertScopToLoops
    : grout::impl::ConvertScopToLoopsBase<ConvertScopToLoops> {
  using Base::Base;

  void runOnOperation() override {
    if (!llvm::isPowerOf2_64(baseAlignment)) {
      emitError(getOperation()->getLoc())
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
          failed(emitLoops(getOperation(), kernel, baseAlignment)))
        return signalPassFailure();
      kernel.erase();
    }
  }
};

} // namespace
