//===- KernelModel.cpp - Strides and dependences of a kernel --------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "KernelModel.h"

#include "grout/Dialect/Scop/ConstraintTrees/ConstraintTrees.h"
#include "grout/Dialect/Scop/IR/LinearAccess.h"
#include "grout/Support/Reshapes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

static AccessModel modelAccess(Value array, AffineMap map, bool isWrite) {
  auto type = cast<MemRefType>(array.getType());
  AccessModel access;
  access.array = array;
  access.isWrite = isWrite;
  access.bytes = getElementBytes(array);
  access.arrayBytes = getArrayBytes(array);
  auto [strides, offset] = type.getStridesAndOffset();
  bool isStatic = !ShapedType::isDynamic(offset) &&
                  llvm::none_of(strides, ShapedType::isDynamic);
  std::optional<LinearAccess> found;
  if (isStatic)
    found = getLinearAccess(map, strides);
  access.isLinear = found.has_value();
  if (isStatic && !found)
    found = getAccessWithoutQuotients(map, strides);
  if (found) {
    access.offset = offset + found->offset;
    access.strides = found->strides;
  }
  return access;
}

StatementModel scop::modelStatement(StmtOp op) {
  StatementModel statement;
  statement.op = op;
  statement.name = op.getSymName().str();
  statement.extents = llvm::to_vector(op.getExtents());
  statement.reduces.assign(op.getNumIterators(), false);
  for (int64_t iterator : op.getReductions())
    statement.reduces[iterator] = true;
  for (auto [index, array] : llvm::enumerate(op.getReads()))
    statement.accesses.push_back(
        modelAccess(array, op.getReadMap(index), /*isWrite=*/false));
  for (auto [index, array] : llvm::enumerate(op.getWrites()))
    statement.accesses.push_back(
        modelAccess(array, op.getWriteMap(index), /*isWrite=*/true));
  return statement;
}

bool scop::isComputed(Value operand) {
  Value source = getReshaped(operand);
  while (auto slice = source.getDefiningOp<tensor::ExtractSliceOp>())
    source = getReshaped(slice.getSource());
  Operation *op = source.getDefiningOp();
  return op && !op->hasTrait<OpTrait::ConstantLike>() &&
         !isa<tensor::EmptyOp>(op);
}

/// Marks the statements that depend on results of other ops of the program.
static void findLateStatements(KernelModel &model, KernelOp kernel) {
  llvm::SmallDenseSet<Value> late;
  for (OpOperand &operand : kernel->getOpOperands())
    if (isComputed(operand.get()))
      late.insert(kernel.getArgument(operand));
  // Statements come in the order of the program.
  for (StatementModel &statement : model.statements) {
    statement.op->walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        statement.isLate |= late.contains(operand);
    });
    if (statement.isLate)
      late.insert_range(statement.op.getWrites());
  }
}

llvm::Expected<KernelModel>
KernelModel::create(KernelOp kernel, const SchedulingProblem &problem) {
  KernelModel model;
  llvm::StringMap<unsigned> positions;
  for (StmtOp op : kernel.getStatements()) {
    positions[op.getSymName()] = model.statements.size();
    model.statements.push_back(modelStatement(op));
  }
  for (const ScopDependence &dependence : problem.getDependences()) {
    auto equal = dependence.findEqualIterators();
    if (!equal)
      return equal.takeError();
    model.dependences.push_back({positions.lookup(dependence.source),
                                 positions.lookup(dependence.target),
                                 std::move(*equal)});
  }
  findLateStatements(model, kernel);
  return model;
}
