//===- PartitionKernel.cpp - Two kernels of one ---------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "PartitionKernel.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace grout::scop;

static bool reads(StmtOp op, Value array) {
  return llvm::is_contained(op.getReads(), array);
}

static bool writes(StmtOp op, Value array) {
  return llvm::is_contained(op.getWrites(), array);
}

/// Whether `op` reads an array, or its region a scalar.
static bool uses(StmtOp op, Value input) {
  return llvm::any_of(input.getUsers(),
                      [&](Operation *user) { return op->isAncestor(user); });
}

static int64_t getBytes(Value array) {
  auto type = cast<MemRefType>(array.getType());
  return *getSize(type.getShape(), type.getElementType());
}

void grout::scop::addDependentStatements(KernelOp kernel, StatementSet &late) {
  SmallVector<StmtOp> before;
  for (StmtOp op : kernel.getStatements()) {
    bool depends = llvm::any_of(before, [&](StmtOp other) {
      return llvm::any_of(other.getWrites(),
                          [&](Value array) {
                            return reads(op, array) || writes(op, array);
                          }) ||
             llvm::any_of(op.getWrites(),
                          [&](Value array) { return reads(other, array); });
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
  Partition(KernelOp kernel, const StatementSet &late)
      : kernel(kernel), builder(kernel) {
    for (StmtOp op : kernel.getStatements())
      (late.contains(op) ? second : first).push_back(op);
  }

  std::pair<KernelOp, KernelOp> run();

private:
  /// A kernel to be.
  struct Part {
    SmallVector<Value> inputs, outputs;
    /// The arrays of these.
    SmallVector<Value> inputArrays, outputArrays;
  };

  bool isLocal(Value array) {
    return array.getDefiningOp<LocalOp>() != nullptr;
  }
  bool isInput(Value array) {
    auto argument = dyn_cast<BlockArgument>(array);
    return argument && !kernel.isOutput(argument);
  }
  Value getOperand(Value array) {
    return kernel->getOperand(cast<BlockArgument>(array).getArgNumber());
  }

  /// What has to run for an array, and what has to be read for that.
  struct Producers {
    StatementSet statements;
    llvm::SetVector<Value> arrays;
  };
  /// Adds what has to run for `array`, if the second kernel can do that itself.
  bool addProducers(Value array, Producers &producers);
  /// Adds what has to be read for `read`, of the producer `op`, or be done.
  bool addRead(Value read, StmtOp op, Producers &producers);
  /// What it costs the second kernel to have `array`.
  int64_t getTransferBytes(Value array);
  /// Moves and copies producers to the second kernel.
  void copyProducers();
  /// Drops statements of the first kernel whose results nobody needs.
  void dropUnused();
  /// What operands the kernels have.
  void findOperands(Part &early, Part &late);
  KernelOp createKernel(const Part &part, ArrayRef<StmtOp> statements);

  KernelOp kernel;
  OpBuilder builder;
  SmallVector<StmtOp> first, second;
  /// What the second kernel computes itself, though the first may, too.
  llvm::SetVector<Value> copied;
  /// The results of the first kernel.
  llvm::MapVector<Value, Value> results;
};

} // namespace

bool Partition::addRead(Value read, StmtOp op, Producers &producers) {
  Producers others = producers;
  if (addProducers(read, others)) {
    producers = std::move(others);
    return true;
  }
  // It is a result of the first kernel, unless that goes on to change it.
  producers.arrays.insert(read);
  return llvm::none_of(first, [&](StmtOp other) {
    return writes(other, read) && !other->isBeforeInBlock(op);
  });
}

bool Partition::addProducers(Value array, Producers &producers) {
  if (isInput(array)) {
    producers.arrays.insert(array);
    return true;
  }
  bool isWritten = false;
  for (StmtOp op : first) {
    if (!writes(op, array)) {
      // Only a local can be computed twice.
      if (!isLocal(array) && reads(op, array))
        return false;
      continue;
    }
    isWritten = true;
    if (op.getWrites().size() != 1 || reads(op, array))
      return false;
    for (Value read : op.getReads())
      if (!addRead(read, op, producers))
        return false;
    producers.statements.insert(op);
  }
  // What an output holds before is nothing that can be computed.
  return isLocal(array) || isWritten;
}

int64_t Partition::getTransferBytes(Value array) {
  // Locals are written for it, too.
  return getBytes(array) * (isLocal(array) ? 2 : 1);
}

void Partition::copyProducers() {
  llvm::SetVector<Value> needed, alreadyRead;
  auto add = [&](StmtOp op) {
    for (Value array : op.getReads()) {
      if (isInput(array))
        alreadyRead.insert(array);
      else if (llvm::any_of(first,
                            [&](StmtOp other) { return writes(other, array); }))
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
    // Otherwise the first kernel writes it, and the second reads it.
    if (bytes > 2 * getBytes(array))
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
    bool isUsed = llvm::any_of(op.getWrites(), [&](Value array) {
      bool isRead =
          llvm::any_of(kept, [&](StmtOp later) { return reads(later, array); });
      if (copied.contains(array))
        return isRead;
      return isRead || !isLocal(array) ||
             llvm::any_of(second,
                          [&](StmtOp later) { return reads(later, array); });
    });
    if (isUsed)
      kept.push_back(op);
  }
  first = SmallVector<StmtOp>(llvm::reverse(kept));
}

void Partition::findOperands(Part &early, Part &late) {
  auto accesses = [](ArrayRef<StmtOp> statements, Value array, auto how) {
    return llvm::any_of(statements, [&](StmtOp op) { return how(op, array); });
  };
  auto addInput = [](Part &part, Value array, Value operand) {
    part.inputs.push_back(operand);
    part.inputArrays.push_back(array);
  };
  auto addOutput = [](Part &part, Value array, Value operand) {
    part.outputs.push_back(operand);
    part.outputArrays.push_back(array);
  };
  // The operand of the second kernel is the result of the first, once there is
  // one.
  for (Value array : kernel.getBody().getArguments()) {
    if (isInput(array)) {
      if (accesses(first, array, uses))
        addInput(early, array, getOperand(array));
      if (accesses(second, array, uses))
        addInput(late, array, getOperand(array));
      continue;
    }
    bool isEarly = accesses(first, array, writes);
    if (isEarly)
      addOutput(early, array, getOperand(array));
    else if (accesses(first, array, reads))
      addInput(early, array, getOperand(array));
    if (!isEarly || accesses(second, array, writes))
      addOutput(late, array, isEarly ? Value() : getOperand(array));
    else if (accesses(second, array, reads))
      addInput(late, array, Value());
  }
  for (auto local : kernel.getBody().getOps<LocalOp>()) {
    Value array = local.getArray();
    if (copied.contains(array) || !accesses(first, array, writes) ||
        !accesses(second, array, reads))
      continue;
    MemRefType type = local.getArray().getType();
    addOutput(early, array,
              tensor::EmptyOp::create(builder, local.getLoc(), type.getShape(),
                                      type.getElementType()));
    if (accesses(second, array, writes))
      addOutput(late, array, Value());
    else
      addInput(late, array, Value());
  }
}

KernelOp Partition::createKernel(const Part &part,
                                 ArrayRef<StmtOp> statements) {
  auto getOperands = [&](ArrayRef<Value> operands, ArrayRef<Value> arrays) {
    SmallVector<Value> found;
    for (auto [operand, array] : llvm::zip_equal(operands, arrays))
      found.push_back(operand ? operand : results.lookup(array));
    return found;
  };
  SmallVector<Value> inputs = getOperands(part.inputs, part.inputArrays);
  SmallVector<Value> outputs = getOperands(part.outputs, part.outputArrays);
  SmallVector<Location> locations;
  for (StmtOp op : statements)
    locations.push_back(op.getLoc());
  auto created = KernelOp::create(builder, builder.getFusedLoc(locations),
                                  TypeRange(ValueRange(outputs)), inputs,
                                  outputs, ScheduleAttr());
  created->setDiscardableAttrs(kernel->getDiscardableAttrDictionary());
  Block &body = created.getBody().emplaceBlock();
  IRMapping mapping;
  for (Value array :
       llvm::concat<const Value>(part.inputArrays, part.outputArrays))
    mapping.map(array, body.addArgument(array.getType(), array.getLoc()));
  OpBuilder inside = OpBuilder::atBlockEnd(&body);
  for (auto local : kernel.getBody().getOps<LocalOp>())
    if (!mapping.contains(local.getArray()) &&
        llvm::any_of(statements, [&](StmtOp op) {
          return reads(op, local.getArray()) || writes(op, local.getArray());
        }))
      inside.clone(*local, mapping);
  for (StmtOp op : statements)
    inside.clone(*op, mapping);
  for (auto [array, result] :
       llvm::zip_equal(part.outputArrays, created.getResults()))
    results[array] = result;
  return created;
}

std::pair<KernelOp, KernelOp> Partition::run() {
  copyProducers();
  dropUnused();
  Part early, late;
  findOperands(early, late);
  KernelOp created = createKernel(early, first);
  KernelOp next = createKernel(late, second);
  for (auto [number, result] : llvm::enumerate(kernel.getResults()))
    result.replaceAllUsesWith(results.lookup(
        kernel.getBody().getArgument(kernel.getInputs().size() + number)));
  kernel.erase();
  return {created, next};
}

std::pair<KernelOp, KernelOp>
grout::scop::partitionKernel(KernelOp kernel, const StatementSet &late) {
  return Partition(kernel, late).run();
}
