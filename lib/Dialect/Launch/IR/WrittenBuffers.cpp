//===- WrittenBuffers.cpp - Launches read written buffers -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "WrittenBuffers.h"

#include "grout/Dialect/Launch/IR/BufferParts.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace grout;
using namespace grout::launch;

namespace {

/// The buffers that the launches of a plan have written so far.
class WrittenBuffers {
public:
  explicit WrittenBuffers(PlanOp plan) : plan(plan) {}

  void add(Value buffer) { written[getMemory(buffer)].insert(buffer); }

  /// Returns how many elements of `buffer` are not known to be written.
  int64_t countMissing(Value buffer) const;

private:
  bool isFilledBefore(Value memory) const;

  PlanOp plan;
  /// The written buffers of each memory.
  llvm::DenseMap<Value, llvm::SmallSetVector<Value, 2>> written;
};

} // namespace

/// Whether `memory` has contents when the plan starts.
bool WrittenBuffers::isFilledBefore(Value memory) const {
  if (auto buffer = memory.getDefiningOp<BufferOp>())
    return buffer.getValue().has_value();
  unsigned number = cast<BlockArgument>(memory).getArgNumber();
  PlanOp of = plan;
  return number < of.getNumInputs() ||
         of.getInPlaceInput(number - of.getNumInputs());
}

int64_t WrittenBuffers::countMissing(Value buffer) const {
  Value memory = getMemory(buffer);
  if (isFilledBefore(memory))
    return 0;
  auto it = written.find(memory);
  int64_t missing = cast<MemRefType>(buffer.getType()).getNumElements();
  if (it == written.end())
    return missing;
  // Count equal parts once: they have equal types.
  llvm::SmallDenseSet<Type> parts;
  for (Value part : it->second) {
    if (part == buffer || part == memory)
      return 0;
    if (mayOverlap(part, buffer) && parts.insert(part.getType()).second)
      missing -= cast<MemRefType>(part.getType()).getNumElements();
  }
  return std::max<int64_t>(missing, 0);
}

/// Returns "nothing", or says how much of `buffer` is written if `missing`
/// elements are not.
static std::string describeWritten(Value buffer, int64_t missing) {
  int64_t all = cast<MemRefType>(buffer.getType()).getNumElements();
  if (missing == all)
    return "nothing";
  return std::to_string(all - missing) + " of " + std::to_string(all) +
         " elements";
}

static LogicalResult verifyReads(LaunchOpInterface launch,
                                 const WrittenBuffers &written) {
  for (Value buffer : launch.getReads()) {
    int64_t missing = written.countMissing(buffer);
    if (missing == 0)
      continue;
    InFlightDiagnostic diag =
        launch->emitOpError()
        << "reads a buffer of which the launches before it write "
        << describeWritten(buffer, missing)
        << "; what a launch reads must be an input, a constant, or written "
           "before";
    diag.attachNote(buffer.getLoc()) << "the buffer is here";
    return diag;
  }
  return success();
}

LogicalResult launch::verifyWrittenBuffers(PlanOp plan) {
  WrittenBuffers written(plan);
  for (LaunchOpInterface launch : plan.getLaunches()) {
    if (failed(verifyReads(launch, written)))
      return failure();
    for (Value buffer : launch.getWrites())
      written.add(buffer);
  }
  auto outputs = plan.getBody().getArguments().drop_front(plan.getNumInputs());
  for (auto [number, output] : llvm::enumerate(outputs))
    if (int64_t missing = written.countMissing(output))
      return plan.emitOpError()
             << "has an output " << number << " of which its launches write "
             << describeWritten(output, missing)
             << "; a launch must write each output";
  return success();
}
