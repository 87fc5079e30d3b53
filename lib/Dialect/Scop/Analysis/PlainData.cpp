//===- PlainData.cpp - Schedules and trees as plain data ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/Analysis/KernelProblem.h"
#include "grout/Isl/AffineConversion.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

static LoopExecution toExecution(ExecutionAttr attr) {
  LoopExecution execution;
  execution.mapping = attr.getMapping();
  execution.vectorWidth = attr.getVectorWidth();
  execution.masked = attr.getMasked();
  for (StringAttr statement : attr.getVectorStatements())
    execution.vectorStatements.push_back(statement.str());
  return execution;
}

static ScheduleDim toScheduleDim(DimAttr attr) {
  ScheduleDim dim;
  dim.kind = attr.getKind();
  dim.coincident = attr.getCoincident();
  dim.reductionParallel = attr.getReductionParallel();
  dim.band = attr.getBand();
  dim.execution = toExecution(attr.getExecution());
  return dim;
}

/// Returns the coefficients and the constant of each result of a linear map.
static std::vector<ScheduleRow> toRows(AffineMap map) {
  SmallVector<int64_t> point(map.getNumDims(), 0);
  SmallVector<int64_t> constants = evaluate(map, point);
  std::vector<ScheduleRow> rows(map.getNumResults());
  for (int64_t &coordinate : point) {
    coordinate = 1;
    for (auto [row, value, constant] :
         llvm::zip_equal(rows, evaluate(map, point), constants))
      row.push_back(value - constant);
    coordinate = 0;
  }
  for (auto [row, constant] : llvm::zip_equal(rows, constants))
    row.push_back(constant);
  return rows;
}

Schedule grout::scop::toSchedule(ScheduleAttr attr) {
  Schedule schedule;
  for (DimAttr dim : attr.getDims())
    schedule.dims.push_back(toScheduleDim(dim));
  for (auto [name, map] : llvm::zip_equal(attr.getStatements(), attr.getMaps()))
    schedule.statements.push_back({name.str(), map.getNumDims(), toRows(map)});
  return schedule;
}

static ExecutionAttr toAttr(MLIRContext *context,
                            const LoopExecution &execution) {
  SmallVector<StringAttr> statements;
  for (const std::string &statement : execution.vectorStatements)
    statements.push_back(StringAttr::get(context, statement));
  return ExecutionAttr::get(context, execution.mapping, execution.vectorWidth,
                            execution.masked, statements);
}

static DimAttr toAttr(MLIRContext *context, const ScheduleDim &dim) {
  return DimAttr::get(context, dim.kind, dim.band, dim.coincident,
                      dim.reductionParallel, toAttr(context, dim.execution));
}

static AffineMap toMap(MLIRContext *context,
                       const Schedule::StatementRows &statement) {
  unsigned numIterators = statement.numIterators;
  SmallVector<AffineExpr> results;
  for (const ScheduleRow &row : statement.rows) {
    AffineExpr expr = getAffineConstantExpr(row.back(), context);
    for (unsigned i = 0; i < numIterators; ++i)
      expr = expr + getAffineDimExpr(i, context) * row[i];
    results.push_back(expr);
  }
  return AffineMap::get(numIterators, 0, results, context);
}

ScheduleAttr grout::scop::toScheduleAttr(MLIRContext *context,
                                         const Schedule &schedule) {
  SmallVector<DimAttr> dims;
  for (const ScheduleDim &dim : schedule.dims)
    dims.push_back(toAttr(context, dim));
  SmallVector<StringAttr> statements;
  SmallVector<AffineMap> maps;
  for (const Schedule::StatementRows &statement : schedule.statements) {
    statements.push_back(StringAttr::get(context, statement.statement));
    maps.push_back(toMap(context, statement));
  }
  return ScheduleAttr::get(context, dims, statements, maps);
}

//===----------------------------------------------------------------------===//
// Constraint trees
//===----------------------------------------------------------------------===//

static CoefficientConstraint toConstraint(KernelOp kernel,
                                          ConstraintAttr attr) {
  CoefficientConstraint constraint;
  constraint.constant = attr.getConstant();
  constraint.equality = attr.getEquality();
  for (TermAttr term : attr.getTerms()) {
    StringRef name = term.getStatement();
    unsigned constant = kernel.lookupStatement(name).getNumIterators();
    constraint.terms.push_back(
        {term.getFactor(),
         {name.str(), term.getIterator().value_or(constant), term.getRow()}});
  }
  return constraint;
}

static std::vector<std::string> toNames(ArrayAttr symbols) {
  std::vector<std::string> names;
  for (auto symbol : symbols.getAsRange<FlatSymbolRefAttr>())
    names.push_back(symbol.getValue().str());
  return names;
}

static std::vector<std::unique_ptr<ConstraintTreeNode>> toNodes(KernelOp kernel,
                                                                Region &body);

static void fill(ConstraintTreeNode &node, KernelOp kernel, LinearOp op) {
  for (auto constraint : op.getConstraints().getAsRange<ConstraintAttr>())
    node.constraints.push_back(toConstraint(kernel, constraint));
  node.coincidence = op.getCoincidence();
  for (auto name : op.getCoincident().getAsValueRange<StringAttr>())
    node.coincidentDependences.push_back(name.str());
  node.newBand = op.getNewBand();
  node.execution = toExecution(op.getExecution());
  node.children = toNodes(kernel, op.getBody());
}

static void fill(ConstraintTreeNode &node, KernelOp kernel, SequenceOp op) {
  node.kind = DimKind::Sequence;
  for (auto group : op.getOrder().getAsRange<ArrayAttr>())
    node.order.push_back(toNames(group));
  node.newBand = op.getNewBand();
  node.children = toNodes(kernel, op.getBody());
}

static std::vector<std::unique_ptr<ConstraintTreeNode>> toNodes(KernelOp kernel,
                                                                Region &body) {
  std::vector<std::unique_ptr<ConstraintTreeNode>> nodes;
  for (Operation &op : body.getOps()) {
    nodes.push_back(std::make_unique<ConstraintTreeNode>());
    if (auto linear = dyn_cast<LinearOp>(op))
      fill(*nodes.back(), kernel, linear);
    else
      fill(*nodes.back(), kernel, cast<SequenceOp>(op));
  }
  return nodes;
}

ConstraintTree grout::scop::toConstraintTree(TreeOp tree) {
  ConstraintTree result;
  result.roots = toNodes(cast<KernelOp>(tree->getParentOp()), tree.getBody());
  return result;
}

static ConstraintAttr toAttr(KernelOp kernel,
                             const CoefficientConstraint &constraint) {
  MLIRContext *context = kernel.getContext();
  SmallVector<TermAttr> terms;
  for (const CoefficientConstraint::Term &term : constraint.terms) {
    const CoefficientRef &coefficient = term.coefficient;
    std::optional<unsigned> iterator;
    if (coefficient.position !=
        kernel.lookupStatement(coefficient.statement).getNumIterators())
      iterator = coefficient.position;
    terms.push_back(TermAttr::get(
        context, term.factor, StringAttr::get(context, coefficient.statement),
        iterator, coefficient.dim));
  }
  return ConstraintAttr::get(context, terms, constraint.constant,
                             constraint.equality);
}

static ArrayAttr toSymbols(MLIRContext *context,
                           const std::vector<std::string> &names) {
  SmallVector<Attribute> symbols;
  for (const std::string &name : names)
    symbols.push_back(FlatSymbolRefAttr::get(context, name));
  return ArrayAttr::get(context, symbols);
}

static void
createNodes(OpBuilder builder, KernelOp kernel, Region &body,
            const std::vector<std::unique_ptr<ConstraintTreeNode>> &nodes) {
  builder.createBlock(&body);
  for (const std::unique_ptr<ConstraintTreeNode> &node : nodes) {
    if (node->kind == DimKind::Sequence) {
      SmallVector<Attribute> order;
      for (const std::vector<std::string> &group : node->order)
        order.push_back(toSymbols(builder.getContext(), group));
      auto op = SequenceOp::create(builder, kernel.getLoc(),
                                   builder.getArrayAttr(order), node->newBand);
      createNodes(builder, kernel, op.getBody(), node->children);
      continue;
    }
    SmallVector<Attribute> constraints;
    for (const CoefficientConstraint &constraint : node->constraints)
      constraints.push_back(toAttr(kernel, constraint));
    SmallVector<StringRef> coincident(node->coincidentDependences.begin(),
                                      node->coincidentDependences.end());
    auto op = LinearOp::create(
        builder, kernel.getLoc(), builder.getArrayAttr(constraints),
        node->coincidence, builder.getStrArrayAttr(coincident), node->newBand,
        toAttr(builder.getContext(), node->execution));
    createNodes(builder, kernel, op.getBody(), node->children);
  }
}

TreeOp grout::scop::createTree(KernelOp kernel, const ConstraintTree &tree) {
  auto builder = OpBuilder::atBlockEnd(&kernel.getBody().front());
  auto op = TreeOp::create(builder, kernel.getLoc());
  createNodes(builder, kernel, op.getBody(), tree.roots);
  return op;
}
