//===- ScopDistribute.cpp - One kernel for each part of a sequence --------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/Analysis/KernelProblem.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include <map>

namespace grout::scop {
#define GEN_PASS_DEF_SCOPDISTRIBUTE
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout;
using namespace grout::scop;

namespace {
/// Statements of one kernel, in their order.
using Group = SmallVector<StmtOp>;
} // namespace

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Whether each statement has one instance.
static bool isPoint(const Group &group) {
  return llvm::all_of(group, [](StmtOp op) {
    return llvm::all_of(op.getExtents(),
                        [](int64_t extent) { return extent == 1; });
  });
}

/// Whether the outermost loop of a statement is one over which it combines.
static bool startsWithReduction(const Group &group, ScheduleAttr schedule) {
  return llvm::any_of(group, [&](StmtOp op) {
    ArrayRef<AffineExpr> rows = schedule.getMap(op.getSymName()).getResults();
    auto *first = llvm::find_if(rows, [&](AffineExpr row) {
      auto iterator = dyn_cast<AffineDimExpr>(row);
      return iterator && op.getExtents()[iterator.getPosition()] != 1;
    });
    return first != rows.end() &&
           llvm::is_contained(op.getReductions(),
                              cast<AffineDimExpr>(*first).getPosition());
  });
}

/// The groups of the sequence with which the schedule of `kernel` begins, in
/// order; one if it begins with none. What starts or ends a sum of everything
/// is no kernel of its own.
static std::vector<Group> getGroups(KernelOp kernel) {
  ScheduleAttr schedule = *kernel.getSchedule();
  unsigned numSequences = 0;
  for (DimAttr dim : schedule.getDims()) {
    if (dim.getKind() != DimKind::sequence)
      break;
    ++numSequences;
  }
  std::map<SmallVector<int64_t>, Group> byTime;
  for (StmtOp op : kernel.getStatements()) {
    SmallVector<int64_t> time;
    for (AffineExpr row :
         schedule.getMap(op.getSymName()).getResults().take_front(numSequences))
      time.push_back(cast<AffineConstantExpr>(row).getValue());
    byTime[time].push_back(op);
  }
  std::vector<Group> groups;
  for (auto &entry : byTime)
    groups.push_back(std::move(entry.second));

  for (size_t i = groups.size() - 1; i-- > 0;)
    if (isPoint(groups[i]) && startsWithReduction(groups[i + 1], schedule)) {
      llvm::append_range(groups[i], groups[i + 1]);
      groups.erase(groups.begin() + i + 1);
    }
  for (size_t i = 1; i < groups.size();)
    if (isPoint(groups[i]) && startsWithReduction(groups[i - 1], schedule)) {
      llvm::append_range(groups[i - 1], groups[i]);
      groups.erase(groups.begin() + i);
    } else {
      ++i;
    }
  return groups;
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

/// What `schedule` says of `group`, without dimensions that order nothing.
static ScheduleAttr getPart(ScheduleAttr schedule, const Group &group) {
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
    SmallVector<StringAttr> vectorStatements;
    for (StringAttr name : dim.getVectorStatements())
      if (llvm::is_contained(names, name))
        vectorStatements.push_back(name);
    // Vectors of none of these statements.
    bool isScalar =
        vectorStatements.empty() && !dim.getVectorStatements().empty();
    dims.push_back(DimAttr::get(
        schedule.getContext(), dim.getKind(), band, dim.getCoincident(),
        dim.getReductionParallel(), dim.getMapping(),
        isScalar ? 1 : dim.getVectorWidth(), vectorStatements));
    for (auto [op, ofStatement] : llvm::zip_equal(group, rows))
      ofStatement.push_back(getRow(op));
  }
  SmallVector<AffineMap> maps;
  for (auto [op, ofStatement] : llvm::zip_equal(group, rows))
    maps.push_back(AffineMap::get(StmtOp(op).getNumIterators(), 0, ofStatement,
                                  schedule.getContext()));
  return ScheduleAttr::get(schedule.getContext(), dims, names, maps);
}

/// Marks loops of `kernel` parallel that only statements of other kernels had
/// kept from being so.
static LogicalResult markParallelLoops(KernelOp kernel) {
  FailureOr<SchedulingProblem> problem = buildSchedulingProblem(kernel);
  if (failed(problem))
    return failure();
  Schedule schedule = toSchedule(kernel, *kernel.getSchedule());
  auto isLegal = [&] {
    llvm::Error error = problem->verify(schedule);
    bool isFine = !error;
    llvm::consumeError(std::move(error));
    return isFine;
  };
  for (ScheduleDim &dim : schedule.dims) {
    if (dim.kind != ScheduleDim::Kind::Linear || dim.coincident)
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

/// Makes the kernels of one.
class Distribution {
public:
  Distribution(KernelOp kernel, ArrayRef<Group> groups)
      : kernel(kernel), groups(groups), builder(kernel) {}

  LogicalResult run();

private:
  /// The arrays and scalars that the statements use, in the order of the
  /// kernel.
  SmallVector<Value> getUsed(const Group &group);
  bool isUsedOutside(Value local, const Group &group);
  LogicalResult makeKernel(const Group &group);

  KernelOp kernel;
  ArrayRef<Group> groups;
  OpBuilder builder;
  /// The tensor that has the contents of an array by now, or the scalar.
  llvm::DenseMap<Value, Value> current;
};

} // namespace

SmallVector<Value> Distribution::getUsed(const Group &group) {
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

bool Distribution::isUsedOutside(Value local, const Group &group) {
  return llvm::any_of(local.getUsers(), [&](Operation *user) {
    return !llvm::is_contained(group, cast<StmtOp>(user));
  });
}

LogicalResult Distribution::makeKernel(const Group &group) {
  llvm::SmallDenseSet<Value> written;
  for (StmtOp op : group)
    written.insert_range(op.getWrites());
  SmallVector<Value> inputs, outputs, locals;
  for (Value value : getUsed(group)) {
    if (isa_and_nonnull<LocalOp>(value.getDefiningOp()) &&
        !isUsedOutside(value, group))
      locals.push_back(value);
    else
      (written.contains(value) ? outputs : inputs).push_back(value);
  }
  // Nobody needs what it computes.
  if (outputs.empty())
    return success();

  Location loc = kernel.getLoc();
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
  auto part =
      KernelOp::create(builder, loc, TypeRange(outputTensors), inputTensors,
                       outputTensors, getPart(*kernel.getSchedule(), group));
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
  return markParallelLoops(part);
}

LogicalResult Distribution::run() {
  for (OpOperand &operand : kernel->getOpOperands())
    current[kernel.getArgument(operand)] = operand.get();
  for (const Group &group : groups)
    if (failed(makeKernel(group)))
      return failure();
  for (OpOperand &init : kernel.getDpsInitsMutable())
    kernel.getTiedOpResult(&init).replaceAllUsesWith(
        current.at(kernel.getArgument(init)));
  kernel.erase();
  return success();
}

namespace {

struct ScopDistribute : grout::scop::impl::ScopDistributeBase<ScopDistribute> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    getOperation()->walk([&](KernelOp kernel) {
      if (kernel.hasTensors() && kernel.getSchedule())
        kernels.push_back(kernel);
    });
    for (KernelOp kernel : kernels) {
      std::vector<Group> groups = getGroups(kernel);
      // A schedule that is not legal would become another program.
      if (groups.size() > 1 && (failed(verifySchedule(kernel)) ||
                                failed(Distribution(kernel, groups).run())))
        return signalPassFailure();
    }
  }
};

} // namespace
