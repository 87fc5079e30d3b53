//===- EarlyLoads.cpp - Loads before a kernel's wait ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "EarlyLoads.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace grout;

/// The most bytes of registers that early loads may occupy in a thread while it
/// waits.
static constexpr int64_t kMostBytes = 128;

/// Returns the pointer from which `address` is computed: for example, a
/// parameter of the kernel.
static Value getBase(Value address) {
  while (Operation *op = address.getDefiningOp()) {
    if (!isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp>(op))
      break;
    address = op->getOperand(0);
  }
  return address;
}

namespace {

/// Moves loads before one wait.
class LoadMover {
public:
  LoadMover(Operation *wait, ArrayRef<Value> pointers)
      : wait(wait), pointers(pointers) {}

  void run() {
    auto behind = llvm::make_range(std::next(wait->getIterator()),
                                   wait->getBlock()->end());
    for (Operation &op : llvm::make_early_inc_range(behind))
      if (auto load = dyn_cast<LLVM::LoadOp>(op))
        move(load);
  }

private:
  bool mayMove(LLVM::LoadOp load) {
    return !load.getVolatile_() &&
           load.getOrdering() == LLVM::AtomicOrdering::not_atomic &&
           llvm::is_contained(pointers, getBase(load.getAddr()));
  }

  /// Adds to `slice`, in order, `op` and the ops behind the wait on which it
  /// depends. Fails if any of them has to stay.
  LogicalResult addSlice(Operation *op, llvm::SetVector<Operation *> &slice) {
    if (op->getBlock() != wait->getBlock() || op->isBeforeInBlock(wait) ||
        slice.contains(op))
      return success();
    auto load = dyn_cast<LLVM::LoadOp>(op);
    if (op->getNumRegions() != 0 ||
        !(load ? mayMove(load) : isMemoryEffectFree(op)))
      return failure();
    for (Value operand : op->getOperands())
      if (Operation *definition = operand.getDefiningOp())
        if (failed(addSlice(definition, slice)))
          return failure();
    slice.insert(op);
    return success();
  }

  void move(LLVM::LoadOp load) {
    llvm::SetVector<Operation *> slice;
    if (failed(addSlice(load, slice)))
      return;
    int64_t moved = bytes;
    DataLayout layout = DataLayout::closest(load);
    for (Operation *op : slice)
      if (isa<LLVM::LoadOp>(op))
        moved += layout.getTypeSize(op->getResult(0).getType());
    if (moved > kMostBytes)
      return;
    bytes = moved;
    for (Operation *op : slice)
      op->moveBefore(wait);
  }

  Operation *wait;
  ArrayRef<Value> pointers;
  int64_t bytes = 0;
};

} // namespace

void scop::moveLoadsBefore(Operation *wait, ArrayRef<Value> pointers) {
  LoadMover(wait, pointers).run();
}
