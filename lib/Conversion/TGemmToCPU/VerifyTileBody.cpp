//===- VerifyTileBody.cpp - Rules for tile bodies -------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "VerifyTileBody.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;

namespace {

/// How ops count that do not declare which memory they access.
enum class Unknown { isAccess, isNone };

} // namespace

/// Adds to `accesses` the ops with an effect of type `Effect` at `address`, or
/// at an address that is computed from it.
template <typename Effect>
static void collectAccesses(Value address, Unknown unknown,
                            SmallVector<Operation *> &accesses) {
  for (Operation *user : address.getUsers()) {
    if (isMemoryEffectFree(user)) {
      for (Value made : user->getResults())
        collectAccesses<Effect>(made, unknown, accesses);
      continue;
    }
    auto of = dyn_cast<MemoryEffectOpInterface>(user);
    SmallVector<MemoryEffects::EffectInstance> effects;
    if (of)
      of.getEffects(effects);
    bool isUnknown = unknown == Unknown::isAccess;
    if (of ? llvm::any_of(effects,
                          [&](const auto &effect) {
                            return isa<Effect>(effect.getEffect()) &&
                                   (effect.getValue()
                                        ? effect.getValue() == address
                                        : isUnknown);
                          })
           : isUnknown)
      accesses.push_back(user);
  }
}

/// Whether `op` comes before `other`, or is nested in an op that does.
static bool isBefore(Operation *op, Operation *other) {
  for (Block *block = other->getBlock(); block;
       block = block->getParentOp()->getBlock()) {
    Operation *ancestor = block->findAncestorOpInBlock(*op);
    if (ancestor)
      return ancestor->isBeforeInBlock(block->findAncestorOpInBlock(*other));
  }
  return false;
}

static InFlightDiagnostic refuse(TileKernelOpInterface kernel) {
  return kernel->emitOpError()
         << "cannot be compiled for the CPU: the generator of its tile body ";
}

namespace {

/// Checks the waits, posts and writes of one tile body.
class TileBodyVerifier {
public:
  TileBodyVerifier(TileKernelOpInterface kernel, LaunchTensors &tensors,
                   const SemaphoreLayout &layout, const CPUTileBody &body)
      : kernel(kernel), tensors(tensors), layout(layout), body(body) {
    body.getFunction()->walk([&](Operation *op) {
      if (isa<tsync::WaitOp>(op))
        waits.push_back(op);
      if (isa<tsync::PostOp>(op))
        posts.push_back(op);
    });
  }

  /// Checks that the code is valid. For each array of semaphores there must be
  /// waits before the code that reads; each post must be done once, behind the
  /// code that writes. No op may be known to write an operand in a buffer of
  /// which no result is a part, as other kernels read that.
  LogicalResult verify() {
    return success(succeeded(verifyCode()) && succeeded(verifyNumbers()) &&
                   succeeded(verifyReads()) && succeeded(verifyWrites()) &&
                   succeeded(verifyOperands()));
  }

private:
  LogicalResult verifyCode();
  LogicalResult verifyNumbers();
  LogicalResult verifyReads();
  LogicalResult verifyWrites();
  LogicalResult verifyOperands();
  /// Returns the ops that may have such an effect on the buffer of `tensor`.
  template <typename Effect>
  FailureOr<SmallVector<Operation *>> getAccesses(Value tensor);

  TileKernelOpInterface kernel;
  LaunchTensors &tensors;
  const SemaphoreLayout &layout;
  const CPUTileBody &body;
  SmallVector<Operation *> waits, posts;
};

} // namespace

LogicalResult TileBodyVerifier::verifyCode() {
  if (succeeded(mlir::verify(body.getFunction())))
    return success();
  return refuse(kernel) << "made code that is not valid";
}

LogicalResult TileBodyVerifier::verifyNumbers() {
  llvm::SmallSet<int64_t, 4> waited;
  for (const SemaphoreWait &wait : layout.getWaits(kernel))
    waited.insert(wait.base);
  if (waits.size() < waited.size())
    return refuse(kernel) << "made " << waits.size()
                          << " waits for tiles where " << waited.size()
                          << " are needed; KernelSync makes all of them";
  size_t needed = layout.getPosts(kernel).size();
  if (posts.size() != needed)
    return refuse(kernel) << "made " << posts.size() << " posts of tiles where "
                          << needed
                          << " are needed; KernelSync makes all of them";
  return success();
}

template <typename Effect>
FailureOr<SmallVector<Operation *>>
TileBodyVerifier::getAccesses(Value tensor) {
  FailureOr<BufferView> view = tensors.getView(tensor, kernel);
  if (failed(view))
    return failure();
  SmallVector<Operation *> accesses;
  if (Value address = body.lookupAddress(view->buffer))
    collectAccesses<Effect>(address, Unknown::isAccess, accesses);
  return accesses;
}

LogicalResult TileBodyVerifier::verifyReads() {
  for (const SemaphoreWait &wait : layout.getWaits(kernel)) {
    auto reads =
        getAccesses<MemoryEffects::Read>(kernel->getOperand(wait.operand));
    if (failed(reads))
      return failure();
    for (Operation *read : *reads)
      if (llvm::none_of(waits,
                        [&](Operation *op) { return isBefore(op, read); }))
        return refuse(kernel) << "made code that reads operand " << wait.operand
                              << " before it waits for the tiles that make it";
  }
  return success();
}

LogicalResult TileBodyVerifier::verifyWrites() {
  for (Operation *post : posts)
    if (post->getParentOp() != body.getFunction())
      return refuse(kernel) << "made a post of tiles in a loop or a condition; "
                               "a tile posts once, when it is done";
  for (OpResult result : kernel->getResults()) {
    auto writes = getAccesses<MemoryEffects::Write>(result);
    if (failed(writes))
      return failure();
    if (writes->empty())
      return refuse(kernel) << "made code that writes nothing to result "
                            << result.getResultNumber();
    for (Operation *write : *writes)
      if (!llvm::all_of(posts,
                        [&](Operation *post) { return isBefore(write, post); }))
        return refuse(kernel)
               << "made code that writes result " << result.getResultNumber()
               << " after it posts that the tile is done";
  }
  return success();
}

LogicalResult TileBodyVerifier::verifyOperands() {
  llvm::SmallPtrSet<Value, 4> written;
  for (OpResult result : kernel->getResults()) {
    FailureOr<BufferView> view = tensors.getView(result, kernel);
    if (failed(view))
      return failure();
    written.insert(body.lookupAddress(view->buffer));
  }
  for (OpOperand &operand : kernel->getOpOperands()) {
    std::optional<BufferView> view = tensors.lookupView(operand.get());
    Value address = view ? body.lookupAddress(view->buffer) : Value();
    if (!address || written.contains(address))
      continue;
    SmallVector<Operation *> writes;
    collectAccesses<MemoryEffects::Write>(address, Unknown::isNone, writes);
    if (!writes.empty())
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
  return TileBodyVerifier(kernel, tensors, layout, body).verify();
}
