//===- DistributeKernel.cpp - Splits a kernel into several ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "DistributeKernel.h"

#include "grout/Dialect/Scop/Analysis/KernelProblem.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

/// Returns `schedule` for the statements of `group`, without dimensions that
/// order nothing.
static ScheduleAttr getPart(ScheduleAttr schedule,
                            const StatementGroup &group) {
  SmallVector<DimAttr> dims;
  SmallVector<StringAttr> names;
  SmallVector<SmallVector<AffineExpr>> rows(group.size());
  for (StmtOp op : group)
    names.push_back(op.getSymNameAttr());
  unsigned band = 0;
  std::optional<unsigned> oldBand;
  for (auto [index, dim] : llvm::enumerate(schedule.getDims())) {
    auto getRow = [&, dim = index](StmtOp op) {
      return schedule.getMap(op.getSymName()).getResult(dim);
    };
    AffineExpr first = getRow(group.front());
    if (isa<AffineConstantExpr>(first) &&
        llvm::all_of(group, [&](StmtOp op) { return getRow(op) == first; }))
      continue;
    if (oldBand && oldBand != dim.getBand())
      ++band;
    oldBand = dim.getBand();
    ExecutionAttr execution = dim.getExecution();
    SmallVector<StringAttr> vectorStatements;
    for (StringAttr name : execution.getVectorStatements())
      if (llvm::is_contained(names, name))
        vectorStatements.push_back(name);
    // Whether other statements have the vectors of this dimension.
    bool isScalar =
        vectorStatements.empty() && !execution.getVectorStatements().empty();
    execution = ExecutionAttr::get(
        schedule.getContext(), execution.getMapping(),
        isScalar ? 1 : execution.getVectorWidth(),
        !isScalar && execution.getMasked(), vectorStatements);
    dims.push_back(DimAttr::get(schedule.getContext(), dim.getKind(), band,
                                dim.getCoincident(), dim.getReductionParallel(),
                                execution));
    for (auto [op, ofStatement] : llvm::zip_equal(group, rows))
      ofStatement.push_back(getRow(op));
  }
  SmallVector<AffineMap> maps;
  for (auto [op, ofStatement] : llvm::zip_equal(group, rows))
    maps.push_back(AffineMap::get(StmtOp(op).getNumIterators(), 0, ofStatement,
                                  schedule.getContext()));
  return ScheduleAttr::get(schedule.getContext(), dims, names, maps);
}

/// Marks loops of `kernel` parallel that were not parallel only because of
/// statements of other kernels.
static LogicalResult markParallelLoops(KernelOp kernel) {
  FailureOr<SchedulingProblem> problem = buildSchedulingProblem(kernel);
  if (failed(problem))
    return failure();
  Schedule schedule = toSchedule(*kernel.getSchedule());
  auto isLegal = [&] {
    llvm::Error error = problem->verify(schedule);
    bool isFine = !error;
    llvm::consumeError(std::move(error));
    return isFine;
  };
  for (ScheduleDim &dim : schedule.dims) {
    if (dim.kind != DimKind::Linear || dim.coincident)
      continue;
    bool wasReduction = dim.reductionParallel;
    dim.coincident = true;
    dim.reductionParallel = false;
    if (isLegal())
      continue;
    dim.coincident = false;
    dim.reductionParallel = true;
    if (!wasReduction && !isLegal())
      dim.reductionParallel = false;
  }
  kernel.setScheduleAttr(toScheduleAttr(kernel.getContext(), schedule));
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {

/// Makes several kernels of one.
class Distribution {
public:
  Distribution(KernelOp kernel, ArrayRef<StatementGroup> groups,
               const llvm::SetVector<Value> &own)
      : kernel(kernel), groups(groups), own(own), builder(kernel) {}

  FailureOr<SmallVector<KernelOp>> run();

private:
  /// Returns the arrays and scalars that the statements use, in the order of
  /// the kernel.
  SmallVector<Value> getUsed(const StatementGroup &group);
  /// Whether a group reads elements of `local` that an earlier group has
  /// written.
  bool isPassedOn(Value local);
  FailureOr<KernelOp> makeKernel(const StatementGroup &group);

  KernelOp kernel;
  ArrayRef<StatementGroup> groups;
  const llvm::SetVector<Value> &own;
  OpBuilder builder;
  /// The tensor that holds the contents of an array so far; or the scalar.
  llvm::DenseMap<Value, Value> current;
};

} // namespace

SmallVector<Value> Distribution::getUsed(const StatementGroup &group) {
  llvm::SmallDenseSet<Value> used;
  for (StmtOp op : group)
    op->walk(
        [&](Operation *inner) { used.insert_range(inner->getOperands()); });
  SmallVector<Value> result;
  Block &body = kernel.getBody().front();
  llvm::append_range(result, body.getArguments());
  for (auto local : body.getOps<LocalOp>())
    result.push_back(local.getArray());
  llvm::erase_if(result, [&](Value value) { return !used.contains(value); });
  return result;
}

bool Distribution::isPassedOn(Value local) {
  if (own.contains(local))
    return false;
  bool isWritten = false;
  for (const StatementGroup &group : groups) {
    if (isWritten &&
        llvm::any_of(group, [&](StmtOp op) { return op.reads(local); }))
      return true;
    isWritten |=
        llvm::any_of(group, [&](StmtOp op) { return op.writes(local); });
  }
  return false;
}

FailureOr<KernelOp> Distribution::makeKernel(const StatementGroup &group) {
  llvm::SmallDenseSet<Value> written;
  for (StmtOp op : group)
    written.insert_range(op.getWrittenArrays());
  SmallVector<Value> inputs, outputs, locals;
  for (Value value : getUsed(group)) {
    if (isa_and_nonnull<LocalOp>(value.getDefiningOp()) && !isPassedOn(value))
      locals.push_back(value);
    else
      (written.contains(value) ? outputs : inputs).push_back(value);
  }
  // Nothing uses the results of this group.
  if (outputs.empty())
    return KernelOp();

  SmallVector<Location> locations;
  for (StmtOp op : group)
    locations.push_back(op.getLoc());
  Location loc = builder.getFusedLoc(locations);
  SmallVector<Value> inputTensors, outputTensors;
  for (Value value : inputs)
    inputTensors.push_back(current.at(value));
  for (Value value : outputs) {
    Value &tensor = current[value];
    auto type = cast<MemRefType>(value.getType());
    if (!tensor)
      tensor = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                       type.getElementType());
    outputTensors.push_back(tensor);
  }
  auto part = KernelOp::create(
      builder, loc, TypeRange(outputTensors), inputTensors, outputTensors,
      kernel.getSchedule() ? getPart(*kernel.getSchedule(), group)
                           : ScheduleAttr());
  part->setDiscardableAttrs(kernel->getDiscardableAttrDictionary());
  Block &block = part.getBody().emplaceBlock();
  IRMapping mapping;
  for (Value value : llvm::concat<Value>(inputs, outputs))
    mapping.map(value, block.addArgument(value.getType(), value.getLoc()));
  OpBuilder body = OpBuilder::atBlockBegin(&block);
  for (Value value : locals)
    body.clone(*value.getDefiningOp(), mapping);
  for (StmtOp op : group)
    body.clone(*op, mapping);
  for (auto [value, result] : llvm::zip_equal(outputs, part.getResults()))
    current[value] = result;
  if (part.getSchedule() && failed(markParallelLoops(part)))
    return failure();
  return part;
}

FailureOr<SmallVector<KernelOp>> Distribution::run() {
  for (OpOperand &operand : kernel->getOpOperands())
    current[kernel.getArgument(operand)] = operand.get();
  SmallVector<KernelOp> parts;
  for (const StatementGroup &group : groups) {
    FailureOr<KernelOp> part = makeKernel(group);
    if (failed(part))
      return failure();
    parts.push_back(*part);
  }
  for (OpOperand &init : kernel.getDpsInitsMutable())
    kernel.getTiedOpResult(&init).replaceAllUsesWith(
        current.at(kernel.getArgument(init)));
  kernel.erase();
  return parts;
}

FailureOr<SmallVector<KernelOp>>
scop::distributeKernel(KernelOp kernel, ArrayRef<StatementGroup> groups,
                       const llvm::SetVector<Value> &own) {
  return Distribution(kernel, groups, own).run();
}
