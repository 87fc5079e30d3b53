//===- PlainData.cpp - Schedules and trees as plain data ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/AffineConversion.h"
#include "grout/Dialect/Scop/Analysis/KernelProblem.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

static ScheduleDim toScheduleDim(DimAttr attr) {
  ScheduleDim dim;
  dim.kind = attr.getKind() == DimKind::linear ? ScheduleDim::Kind::Linear
                                               : ScheduleDim::Kind::Sequence;
  dim.coincident = attr.getCoincident();
  dim.reductionParallel = attr.getReductionParallel();
  dim.band = attr.getBand();
  dim.vectorWidth = attr.getVectorWidth();
  dim.masked = attr.getMasked();
  for (StringAttr statement : attr.getVectorStatements())
    dim.vectorStatements.push_back(statement.str());
  dim.mapping = attr.getMapping().str();
  return dim;
}

/// The coefficients and the constant of each result of a linear map.
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

Schedule grout::scop::toSchedule(KernelOp kernel, ScheduleAttr attr) {
  Schedule schedule;
  for (DimAttr dim : attr.getDims())
    schedule.dims.push_back(toScheduleDim(dim));
  for (StmtOp statement : kernel.getStatements()) {
    StringRef name = statement.getSymName();
    schedule.statements.push_back({name.str(), toRows(attr.getMap(name))});
  }
  return schedule;
}

static DimAttr toDimAttr(MLIRContext *context, const ScheduleDim &dim) {
  SmallVector<StringAttr> statements;
  for (const std::string &statement : dim.vectorStatements)
    statements.push_back(StringAttr::get(context, statement));
  return DimAttr::get(context,
                      dim.kind == ScheduleDim::Kind::Linear ? DimKind::linear
                                                            : DimKind::sequence,
                      dim.band, dim.coincident, dim.reductionParallel,
                      StringAttr::get(context, dim.mapping), dim.vectorWidth,
                      dim.masked, statements);
}

ScheduleAttr grout::scop::toScheduleAttr(KernelOp kernel,
                                         const Schedule &schedule) {
  MLIRContext *context = kernel.getContext();
  SmallVector<DimAttr> dims;
  for (const ScheduleDim &dim : schedule.dims)
    dims.push_back(toDimAttr(context, dim));
  SmallVector<StringAttr> statements;
  SmallVector<AffineMap> maps;
  for (const Schedule::StatementRows &statement : schedule.statements) {
    unsigned numIterators =
        kernel.lookupStatement(statement.statement).getNumIterators();
    SmallVector<AffineExpr> results;
    for (const ScheduleRow &row : statement.rows) {
      AffineExpr expr = getAffineConstantExpr(row.back(), context);
      for (unsigned i = 0; i < numIterators; ++i)
        expr = expr + getAffineDimExpr(i, context) * row[i];
      results.push_back(expr);
    }
    statements.push_back(StringAttr::get(context, statement.statement));
    maps.push_back(AffineMap::get(numIterators, 0, results, context));
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
  switch (op.getCoincidence()) {
  case Coincidence::none:
    node.coincidence = ConstraintTreeNode::Coincidence::None;
    break;
  case Coincidence::all:
    node.coincidence = ConstraintTreeNode::Coincidence::All;
    break;
  case Coincidence::listed:
    node.coincidence = ConstraintTreeNode::Coincidence::Listed;
    break;
  }
  for (auto name : op.getCoincident().getAsValueRange<StringAttr>())
    node.coincidentDependences.push_back(name.str());
  node.newBand = op.getNewBand();
  node.vectorWidth = op.getVectorWidth();
  node.masked = op.getMasked();
  node.vectorStatements = toNames(op.getVectorStatements());
  node.mapping = op.getMapping().value_or("").str();
  node.children = toNodes(kernel, op.getBody());
}

static void fill(ConstraintTreeNode &node, KernelOp kernel, SequenceOp op) {
  node.kind = ConstraintTreeNode::Kind::Sequence;
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
    if (node->kind == ConstraintTreeNode::Kind::Sequence) {
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
    Coincidence coincidence = Coincidence::none;
    if (node->coincidence == ConstraintTreeNode::Coincidence::All)
      coincidence = Coincidence::all;
    else if (node->coincidence == ConstraintTreeNode::Coincidence::Listed)
      coincidence = Coincidence::listed;
    SmallVector<StringRef> coincident(node->coincidentDependences.begin(),
                                      node->coincidentDependences.end());
    auto op = LinearOp::create(
        builder, kernel.getLoc(), builder.getArrayAttr(constraints),
        coincidence, builder.getStrArrayAttr(coincident), node->newBand,
        node->vectorWidth, node->masked,
        toSymbols(builder.getContext(), node->vectorStatements),
        node->mapping.empty() ? StringAttr()
                              : builder.getStringAttr(node->mapping));
    createNodes(builder, kernel, op.getBody(), node->children);
  }
}

TreeOp grout::scop::createTree(KernelOp kernel, const ConstraintTree &tree) {
  auto builder = OpBuilder::atBlockEnd(&kernel.getBody().front());
  auto op = TreeOp::create(builder, kernel.getLoc());
  createNodes(builder, kernel, op.getBody(), tree.roots);
  return op;
}
