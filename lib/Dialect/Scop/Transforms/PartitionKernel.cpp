//===- PartitionKernel.cpp - Splits a kernel into two ---------------------===//
//
// Part of Grout. Chooses the statements of each; distributeKernel makes them.
//
//===----------------------------------------------------------------------===//

#include "PartitionKernel.h"

#include "DistributeKernel.h"

using namespace mlir;
using namespace grout::scop;

void grout::scop::addDependentStatements(KernelOp kernel, StatementSet &late) {
  SmallVector<StmtOp> before;
  for (StmtOp op : kernel.getStatements()) {
    bool depends = llvm::any_of(before, [&](StmtOp other) {
      return llvm::any_of(other.getWrites(),
                          [&](Value array) {
                            return op.reads(array) || op.writes(array);
                          }) ||
             llvm::any_of(op.getWrites(),
                          [&](Value array) { return other.reads(array); });
    });
    if (depends)
      late.insert(op);
    if (late.contains(op))
      before.push_back(op);
  }
}

namespace {

class Partition {
public:
  Partition(KernelOp kernel, const StatementSet &late) : kernel(kernel) {
    for (StmtOp op : kernel.getStatements())
      (late.contains(op) ? second : first).push_back(op);
  }

  FailureOr<std::pair<KernelOp, KernelOp>> run();

private:
  bool isLocal(Value array) {
    return array.getDefiningOp<LocalOp>() != nullptr;
  }
  bool isInput(Value array) {
    auto argument = dyn_cast<BlockArgument>(array);
    return argument && !kernel.isOutput(argument);
  }

  /// The statements that compute an array, and the arrays that these have to
  /// read.
  struct Producers {
    StatementSet statements;
    llvm::SetVector<Value> arrays;
  };
  /// Adds the statements that compute `array`, if the second kernel can run
  /// them. Returns whether it can.
  bool addProducers(Value array, Producers &producers);
  /// Adds the producers of `read`, an array that producer `op` reads, or else
  /// `read` itself as an array to read. Returns whether the second kernel can
  /// have it.
  bool addRead(Value read, StmtOp op, Producers &producers);
  /// Returns the bytes that move if the second kernel reads `array`.
  int64_t getTransferBytes(Value array);
  /// Moves and copies producers to the second kernel.
  void copyProducers();
  /// Drops statements of the first kernel whose results nothing uses.
  void dropUnused();

  KernelOp kernel;
  SmallVector<StmtOp> first, second;
  /// Arrays that the second kernel computes itself. The first kernel may
  /// compute them, too.
  llvm::SetVector<Value> copied;
};

} // namespace

bool Partition::addRead(Value read, StmtOp op, Producers &producers) {
  Producers others = producers;
  if (addProducers(read, others)) {
    producers = std::move(others);
    return true;
  }
  // The first kernel passes it on, unless it changes the array again later.
  producers.arrays.insert(read);
  return llvm::none_of(first, [&](StmtOp other) {
    return other.writes(read) && !other->isBeforeInBlock(op);
  });
}

bool Partition::addProducers(Value array, Producers &producers) {
  if (isInput(array)) {
    producers.arrays.insert(array);
    return true;
  }
  bool isWritten = false;
  for (StmtOp op : first) {
    if (!op.writes(array)) {
      // Only a local can be computed twice.
      if (!isLocal(array) && op.reads(array))
        return false;
      continue;
    }
    isWritten = true;
    if (op.getWrites().size() != 1 || op.reads(array))
      return false;
    for (Value read : op.getReads())
      if (!addRead(read, op, producers))
        return false;
    producers.statements.insert(op);
  }
  // The initial contents of an output cannot be computed.
  return isLocal(array) || isWritten;
}

int64_t Partition::getTransferBytes(Value array) {
  // The first kernel must also write a local to memory.
  return getArrayBytes(array) * (isLocal(array) ? 2 : 1);
}

void Partition::copyProducers() {
  llvm::SetVector<Value> needed, alreadyRead;
  auto add = [&](StmtOp op) {
    for (Value array : op.getReads()) {
      if (isInput(array))
        alreadyRead.insert(array);
      else if (llvm::any_of(first,
                            [&](StmtOp other) { return other.writes(array); }))
        needed.insert(array);
    }
  };
  llvm::for_each(second, add);
  StatementSet moved;
  for (Value array : needed) {
    Producers producers;
    if (!addProducers(array, producers))
      continue;
    int64_t bytes = 0;
    for (Value read : producers.arrays)
      if (!alreadyRead.contains(read))
        bytes += getTransferBytes(read);
    // Otherwise, the first kernel writes the array, and the second reads it.
    if (bytes > 2 * getArrayBytes(array))
      continue;
    alreadyRead.insert_range(producers.arrays);
    moved.insert_range(producers.statements);
    for (StmtOp op : producers.statements)
      copied.insert(op.getWrites().front());
  }
  SmallVector<StmtOp> all;
  for (StmtOp op : kernel.getStatements())
    if (moved.contains(op) || llvm::is_contained(second, op))
      all.push_back(op);
  second = std::move(all);
}

void Partition::dropUnused() {
  SmallVector<StmtOp> kept;
  for (StmtOp op : llvm::reverse(first)) {
    bool isUsed = llvm::any_of(op.getWrittenArrays(), [&](Value array) {
      bool isRead =
          llvm::any_of(kept, [&](StmtOp later) { return later.reads(array); });
      if (copied.contains(array))
        return isRead;
      return isRead || !isLocal(array) ||
             llvm::any_of(second,
                          [&](StmtOp later) { return later.reads(array); });
    });
    if (isUsed)
      kept.push_back(op);
  }
  first = SmallVector<StmtOp>(llvm::reverse(kept));
}

FailureOr<std::pair<KernelOp, KernelOp>> Partition::run() {
  copyProducers();
  dropUnused();
  FailureOr<SmallVector<KernelOp>> parts =
      distributeKernel(kernel, {first, second}, copied);
  if (failed(parts))
    return failure();
  return std::pair((*parts)[0], (*parts)[1]);
}

FailureOr<std::pair<KernelOp, KernelOp>>
grout::scop::partitionKernel(KernelOp kernel, const StatementSet &late) {
  return Partition(kernel, late).run();
}
