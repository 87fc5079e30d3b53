//===- VerifyTileBody.cpp - What tile bodies must do ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "VerifyTileBody.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;

/// Whether an op writes where `address` points, or what is made of it. Of an op
/// that does not say what it writes, `isUnknownWrite` says it.
static bool isWritten(Value address, bool isUnknownWrite) {
  return llvm::any_of(address.getUsers(), [&](Operation *user) {
    if (isMemoryEffectFree(user))
      return llvm::any_of(user->getResults(), [&](Value result) {
        return isWritten(result, isUnknownWrite);
      });
    auto of = dyn_cast<MemoryEffectOpInterface>(user);
    if (!of)
      return isUnknownWrite;
    SmallVector<MemoryEffects::EffectInstance> effects;
    of.getEffects(effects);
    return llvm::any_of(effects, [&](const auto &effect) {
      return isa<MemoryEffects::Write>(effect.getEffect()) &&
             (effect.getValue() ? effect.getValue() == address
                                : isUnknownWrite);
    });
  });
}

static InFlightDiagnostic refuse(TileKernelOpInterface kernel) {
  return kernel->emitOpError()
         << "cannot be compiled for the CPU: the generator of its tile body ";
}

/// Checks that tiles wait for each array of semaphores that they have to wait
/// for, and post each that they have to post.
static LogicalResult verifySync(TileKernelOpInterface kernel,
                                const SemaphoreLayout &layout,
                                const CPUTileBody &body) {
  size_t waits = 0, posts = 0;
  body.getFunction()->walk([&](Operation *op) {
    waits += isa<tsync::WaitOp>(op);
    posts += isa<tsync::PostOp>(op);
  });
  llvm::SmallSet<int64_t, 4> waited;
  for (const SemaphoreWait &wait : layout.getWaits(kernel))
    waited.insert(wait.base);
  if (waits < waited.size())
    return refuse(kernel) << "made " << waits << " waits for tiles where "
                          << waited.size()
                          << " are needed; KernelSync makes all of them";
  if (posts < layout.getPosts(kernel).size())
    return refuse(kernel) << "made " << posts << " posts of tiles where "
                          << layout.getPosts(kernel).size()
                          << " are needed; KernelSync makes all of them";
  return success();
}

/// Checks that something may write each result, and that nothing surely writes
/// an operand in a buffer of which no result is a part: other tiles and
/// launches read that.
static LogicalResult verifyWrites(TileKernelOpInterface kernel,
                                  LaunchTensors &tensors,
                                  const CPUTileBody &body) {
  llvm::SmallPtrSet<Value, 4> written;
  for (OpResult result : kernel->getResults()) {
    FailureOr<BufferView> view = tensors.getView(result, kernel);
    if (failed(view))
      return failure();
    Value address = body.lookupAddress(view->buffer);
    if (!address || !isWritten(address, /*isUnknownWrite=*/true))
      return refuse(kernel) << "made code that writes nothing to result "
                            << result.getResultNumber();
    written.insert(address);
  }
  for (OpOperand &operand : kernel->getOpOperands()) {
    std::optional<BufferView> view = tensors.lookupView(operand.get());
    if (!view)
      continue;
    Value address = body.lookupAddress(view->buffer);
    if (address && !written.contains(address) &&
        isWritten(address, /*isUnknownWrite=*/false))
      return refuse(kernel)
             << "made code that writes to operand "
             << operand.getOperandNumber()
             << "; a result that updates it (getUpdatedOperand) may, or a "
                "local array (CPUTileBody::createLocal)";
  }
  return success();
}

LogicalResult cpu::verifyTileBody(TileKernelOpInterface kernel,
                                  LaunchTensors &tensors,
                                  const SemaphoreLayout &layout,
                                  const CPUTileBody &body) {
  return success(succeeded(verifyWrites(kernel, tensors, body)) &&
                 succeeded(verifySync(kernel, layout, body)));
}
