//===- LoopEmitter.cpp - Loops of a scheduled kernel ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/ScopToLoops/LoopEmitter.h"

#include "VectorEmitter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <isl/ast_build.h>
#include <isl/id.h>
#include <isl/options.h>

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// The name of the statement that copies elements.
static constexpr const char *kCopyName = "copy";

/// Returns the parameter for coordinate `number` of the tile.
static std::string getTileParameter(unsigned number) {
  return "p" + std::to_string(number);
}

/// Returns the space { [rank dims] } with the coordinates of the tile as
/// parameters.
static isl::space makeTileSpace(isl::ctx ctx, unsigned rank,
                                ArrayRef<TileLoop> tile) {
  isl::space space = grout::detail::makeSpace(ctx, "", rank);
  for (unsigned number = 0; number < tile.size(); ++number)
    space =
        space.add_param(grout::detail::makeId(ctx, getTileParameter(number)));
  return space;
}

static isl::aff getTileCoordinate(const isl::space &space, unsigned number) {
  return space.param_aff_on_domain(
      grout::detail::makeId(space.ctx(), getTileParameter(number)));
}

/// Returns { [time...] : in the tile }.
static isl::set getTileTimes(isl::ctx ctx, KernelOp kernel,
                             ArrayRef<TileLoop> tile) {
  isl::space space =
      makeTileSpace(ctx, kernel.getSchedule()->getDims().size(), tile);
  isl::set times = isl::set::universe(space);
  for (auto [number, loop] : llvm::enumerate(tile)) {
    isl::aff begin = getTileCoordinate(space, number)
                         .scale(isl::val(ctx, static_cast<long>(loop.size)));
    times = times.intersect(grout::detail::whereInRange(
        grout::detail::getDims(space)[loop.dim].sub(begin),
        grout::detail::makeSize(space, loop.size, "")));
  }
  return times;
}

/// Returns { : the tile exists }.
static isl::set getTileContext(isl::ctx ctx, ArrayRef<TileLoop> tile) {
  isl::space space = makeTileSpace(ctx, 0, tile);
  isl::set context = isl::set::universe(space);
  for (auto [number, loop] : llvm::enumerate(tile))
    context = context.intersect(grout::detail::whereInRange(
        getTileCoordinate(space, number),
        grout::detail::makeSize(space, loop.numTiles, "")));
  return context.params();
}

/// Returns the syntax tree of loops that run everything at the times of
/// `schedule`. Their iterators are called t0, t1, and so on.
static isl::ast_node buildTree(isl::ctx ctx, const isl::union_map &schedule,
                               unsigned numDims, ArrayRef<TileLoop> tile) {
  isl::id_list iterators(ctx, 0);
  for (unsigned dim = 0; dim < numDims; ++dim)
    iterators =
        iterators.add(grout::detail::makeId(ctx, "t" + std::to_string(dim)));
  isl_options_set_ast_build_scale_strides(ctx.get(), 0);
  isl_ast_build *build =
      isl_ast_build_from_context(getTileContext(ctx, tile).release());
  build = isl_ast_build_set_iterators(build, iterators.release());
  isl::ast_node node =
      isl::manage(isl_ast_build_node_from_schedule_map(build, schedule.copy()));
  isl_ast_build_free(build);
  return node;
}

isl::ast_node grout::scop::buildLoops(isl::ctx ctx, KernelOp kernel,
                                      ArrayRef<TileLoop> tile) {
  isl::union_map schedule = isl::union_map::empty(ctx);
  isl::set times = getTileTimes(ctx, kernel, tile);
  for (StmtOp statement : kernel.getStatements())
    schedule = schedule.unite(isl::union_map(
        getTimes(ctx, kernel, statement).intersect_range(times)));
  return buildTree(ctx, schedule, kernel.getSchedule()->getDims().size(), tile);
}

isl::ast_node grout::scop::buildCopy(isl::ctx ctx, KernelOp kernel, Value array,
                                     ArrayRef<TileLoop> tile) {
  unsigned rank = cast<MemRefType>(array.getType()).getRank();
  isl::set elements = isl::set::empty(grout::detail::makeSpace(ctx, "", rank));
  isl::set times = getTileTimes(ctx, kernel, tile);
  for (StmtOp statement : kernel.getStatements())
    for (auto [write, written] : llvm::enumerate(statement.getWrites()))
      if (written == array)
        elements = elements.unite(
            getTimes(ctx, kernel, statement)
                .intersect_range(times)
                .domain()
                .apply(getAccessRelation(ctx, statement,
                                         statement.getWriteMap(write))));
  isl::map order = elements.coalesce().identity();
  order = isl::manage(
      isl_map_set_tuple_name(order.release(), isl_dim_in, kCopyName));
  return buildTree(ctx, isl::union_map(order), rank, tile);
}

void LoopEmitter::bindTile(ValueRange tile) {
  for (auto [number, coordinate] : llvm::enumerate(tile))
    iterators[getTileParameter(number)] = addOperand(coordinate);
}

void LoopEmitter::emitCopy(const isl::ast_node &node, Value source,
                           Value target) {
  copySource = source;
  copyTarget = target;
  emit(node);
  copySource = copyTarget = Value();
}

void LoopEmitter::emitElementCopy(const Instance &instance) {
  AffineMap map = AffineMap::getMultiDimIdentityMap(instance.iterators.size(),
                                                    builder.getContext());
  SmallVector<Value> indices = emitIndices(builder, loc, map, instance);
  Value element = memref::LoadOp::create(builder, loc, copySource, indices);
  memref::StoreOp::create(builder, loc, element, copyTarget, indices);
}

/// Returns the dimension of the schedule to which the loop with this iterator
/// belongs.
static unsigned getDimension(StringRef iterator) {
  unsigned dimension = 0;
  bool failed = iterator.drop_front().getAsInteger(10, dimension);
  if (failed)
    grout::detail::fail(AnalysisErrorKind::Invalid,
                        "a loop has an iterator of an unknown name");
  return dimension;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

void LoopEmitter::emit(const isl::ast_node &node) {
  switch (isl_ast_node_get_type(node.get())) {
  case isl_ast_node_for:
    return emitFor(node.get());
  case isl_ast_node_if:
    return emitIf(node.get());
  case isl_ast_node_block:
    return emitBlock(node.get());
  case isl_ast_node_user:
    return emitUser(node.get());
  default:
    grout::detail::fail(AnalysisErrorKind::Invalid,
                        "the loops have a node of an unknown kind");
  }
}

void LoopEmitter::emitBlock(isl_ast_node *node) {
  isl::ast_node_list children =
      isl::manage(isl_ast_node_block_get_children(node));
  for (unsigned i = 0; i < children.size(); ++i)
    emit(children.at(i));
}

/// Returns the operands of an operation.
static SmallVector<isl::ast_expr> getArguments(const isl::ast_expr &expr) {
  SmallVector<isl::ast_expr> arguments;
  for (int i = 0, e = isl_ast_expr_op_get_n_arg(expr.get()); i < e; ++i)
    arguments.push_back(isl::manage(isl_ast_expr_op_get_arg(expr.get(), i)));
  return arguments;
}

/// Whether `expr` consists of iterators, constants and affine operations.
static bool isAffine(const isl::ast_expr &expr) {
  if (isl_ast_expr_get_type(expr.get()) != isl_ast_expr_op)
    return true;
  switch (isl_ast_expr_op_get_type(expr.get())) {
  case isl_ast_expr_op_minus:
  case isl_ast_expr_op_add:
  case isl_ast_expr_op_sub:
  case isl_ast_expr_op_mul:
  case isl_ast_expr_op_div:
  case isl_ast_expr_op_fdiv_q:
  case isl_ast_expr_op_pdiv_q:
  case isl_ast_expr_op_pdiv_r:
  case isl_ast_expr_op_call:
    return llvm::all_of(getArguments(expr), isAffine);
  default:
    return false;
  }
}

/// Explains why a loop with this body cannot be vectorised; "" if it can.
static StringRef getVectorObstacle(const isl::ast_node &body) {
  switch (isl_ast_node_get_type(body.get())) {
  case isl_ast_node_for:
    if (!isl_ast_node_for_is_degenerate(body.get()))
      return "there is a loop in it";
    return getVectorObstacle(
        isl::manage(isl_ast_node_for_get_body(body.get())));
  case isl_ast_node_block: {
    isl::ast_node_list children =
        isl::manage(isl_ast_node_block_get_children(body.get()));
    for (unsigned i = 0; i < children.size(); ++i)
      if (StringRef obstacle = getVectorObstacle(children.at(i));
          !obstacle.empty())
        return obstacle;
    return {};
  }
  case isl_ast_node_user:
    if (!isAffine(isl::manage(isl_ast_node_user_get_expr(body.get()))))
      return "a statement in it depends on it in a way that is not affine";
    return {};
  default:
    return "there are conditions in it";
  }
}

void LoopEmitter::emitFor(isl_ast_node *node) {
  isl::ast_node body = isl::manage(isl_ast_node_for_get_body(node));
  isl::ast_expr iterator = isl::manage(isl_ast_node_for_get_iterator(node));
  isl::ast_expr init = isl::manage(isl_ast_node_for_get_init(node));
  std::string name = isl::manage(isl_ast_expr_get_id(iterator.get())).name();
  if (isl_ast_node_for_is_degenerate(node)) {
    iterators[name] = toAffine(init);
    return emit(body);
  }

  // The condition is iterator <= last, or iterator < end.
  isl::ast_expr cond = isl::manage(isl_ast_node_for_get_cond(node));
  isl_ast_expr_op_type comparison = isl_ast_expr_op_get_type(cond.get());
  AffineExpr end =
      toAffine(isl::manage(isl_ast_expr_op_get_arg(cond.get(), 1)));
  if (comparison == isl_ast_expr_op_le)
    end = end + 1;
  else if (comparison != isl_ast_expr_op_lt)
    grout::detail::fail(AnalysisErrorKind::Invalid,
                        "a loop has a condition of an unknown kind");
  AffineExpr begin = toAffine(init);
  AffineExpr step = toAffine(isl::manage(isl_ast_node_for_get_inc(node)));

  if (copySource)
    return emitLoop(node, begin, end, step);
  // Instances with the same time are in loops that isl adds, inside the loops
  // of the schedule.
  unsigned dimension = getDimension(name);
  ArrayRef<DimAttr> dims = kernel.getSchedule()->getDims();
  if (dimension >= dims.size())
    return emitLoop(node, begin, end, step);
  ExecutionAttr execution = dims[dimension].getExecution();
  if (execution.getVectorWidth() == 1)
    return emitLoop(node, begin, end, step);
  StringRef obstacle = getVectorObstacle(body);
  if (execution.getMasked())
    obstacle = "masked vectors are for GPUs";
  else if (!isa<AffineConstantExpr>(begin))
    obstacle = "its first iteration is not constant";
  else if (step != 1)
    obstacle = "it has a stride";
  if (!obstacle.empty()) {
    kernel.emitRemark() << "dimension " << dimension
                        << " of the schedule is not vectorised: " << obstacle;
    return emitLoop(node, begin, end, step);
  }
  emitVectorLoop(node,
                 {dimension, execution.getVectorWidth(),
                  cast<AffineConstantExpr>(begin).getValue(), baseAlignment},
                 end);
}

void LoopEmitter::emitLoop(isl_ast_node *node, AffineExpr begin, AffineExpr end,
                           AffineExpr step) {
  isl::ast_expr iterator = isl::manage(isl_ast_node_for_get_iterator(node));
  auto loop = scf::ForOp::create(builder, loc, emitIndex(begin), emitIndex(end),
                                 emitIndex(step));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  unsigned numOperands = operands.size();
  AffineExpr time = addOperand(loop.getInductionVar());
  iterators[isl::manage(isl_ast_expr_get_id(iterator.get())).name()] = time;
  laneIterator = time;
  emit(isl::manage(isl_ast_node_for_get_body(node)));
  // Values that the body has computed are not known behind the loop.
  operands.truncate(numOperands);
}

void LoopEmitter::emitVectorLoop(isl_ast_node *node, VectorLoop loop,
                                 AffineExpr end) {
  MLIRContext *context = builder.getContext();
  AffineExpr begin = getAffineConstantExpr(loop.first, context);
  AffineExpr width = getAffineConstantExpr(loop.width, context);
  AffineExpr middle = begin + (end - begin).floorDiv(width) * width;
  if (middle != begin) {
    vectorLoop = loop;
    emitLoop(node, begin, middle, width);
    vectorLoop.reset();
  }
  if (middle != end)
    emitLoop(node, middle, end, getAffineConstantExpr(1, context));
}

void LoopEmitter::emitIf(isl_ast_node *node) {
  Value condition = emitValue(isl::manage(isl_ast_node_if_get_cond(node)));
  bool hasElse = isl_ast_node_if_has_else_node(node);
  auto branch = scf::IfOp::create(builder, loc, condition, hasElse);
  OpBuilder::InsertionGuard guard(builder);
  unsigned numOperands = operands.size();
  builder.setInsertionPointToStart(branch.thenBlock());
  emit(isl::manage(isl_ast_node_if_get_then_node(node)));
  operands.truncate(numOperands);
  if (!hasElse)
    return;
  builder.setInsertionPointToStart(branch.elseBlock());
  emit(isl::manage(isl_ast_node_if_get_else_node(node)));
  operands.truncate(numOperands);
}

void LoopEmitter::emitUser(isl_ast_node *node) {
  isl::ast_expr call = isl::manage(isl_ast_node_user_get_expr(node));
  int numArguments = isl_ast_expr_op_get_n_arg(call.get());
  isl::ast_expr callee = isl::manage(isl_ast_expr_op_get_arg(call.get(), 0));
  std::string name = isl::manage(isl_ast_expr_get_id(callee.get())).name();
  Instance instance;
  for (int i = 1; i < numArguments; ++i)
    instance.iterators.push_back(
        toAffine(isl::manage(isl_ast_expr_op_get_arg(call.get(), i))));
  instance.operands = operands;
  if (copySource)
    return emitElementCopy(instance);
  StmtOp statement = kernel.lookupStatement(name);
  if (vectorLoop)
    emitLanes(statement, instance);
  else
    emitInstance(builder, statement, instance, arrays);
}

/// Explains why `statement` is not computed on the vectors of a dimension; ""
/// if it is.
static std::string findVectorProblem(StmtOp statement,
                                     ExecutionAttr execution) {
  ArrayRef<StringAttr> names = execution.getVectorStatements();
  if (!names.empty() && !llvm::is_contained(names, statement.getSymNameAttr()))
    return "the schedule does not ask for it";
  if (Operation *op = findScalarOp(statement))
    return ("'" + op->getName().getStringRef() + "' has no form on vectors")
        .str();
  return {};
}

void LoopEmitter::emitLanes(StmtOp statement, const Instance &instance) {
  SmallVector<Instance> lanes;
  for (int64_t lane = 0; lane < vectorLoop->width; ++lane) {
    lanes.push_back(instance);
    for (AffineExpr &iterator : lanes.back().iterators)
      iterator = iterator.replace(laneIterator, laneIterator + lane);
  }
  DimAttr dim = kernel.getSchedule()->getDims()[vectorLoop->dim];
  std::string reason = findVectorProblem(statement, dim.getExecution());
  auto classify = [&](Value array, AffineMap map) {
    // Arrays in the code may have other layouts than in the kernel.
    auto type = cast<MemRefType>(arrays.lookup(array).getType());
    return classifyAccess(ctx, kernel, statement, type, map, *vectorLoop);
  };
  SmallVector<VectorAccessKind> reads, writes;
  for (auto [read, array] : llvm::enumerate(statement.getReads()))
    reads.push_back(classify(array, statement.getReadMap(read)));
  for (auto [write, array] : llvm::enumerate(statement.getWrites()))
    writes.push_back(classify(array, statement.getWriteMap(write)));
  bool areNeighbours = llvm::all_of(writes, [](VectorAccessKind kind) {
    return kind == VectorAccessKind::Contiguous;
  });
  if (reason.empty() && statement.isReduction() && !areNeighbours)
    reason = "lanes may combine into one element";
  if (!reason.empty()) {
    statement.emitRemark() << "not vectorised: " << reason;
    for (const Instance &lane : lanes)
      emitInstance(builder, statement, lane, arrays);
    return;
  }
  emitVectorInstance(builder, statement, lanes, arrays, reads, writes);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

AffineExpr LoopEmitter::addOperand(Value value) {
  operands.push_back(value);
  return getAffineDimExpr(operands.size() - 1, builder.getContext());
}

Value LoopEmitter::emitIndex(AffineExpr expr) {
  AffineMap map = AffineMap::get(operands.size(), 0, expr);
  return getValueOrCreateConstantIndexOp(
      builder, loc,
      affine::makeComposedFoldedAffineApply(builder, loc, map,
                                            getAsOpFoldResult(operands)));
}

AffineExpr LoopEmitter::toAffine(const isl::ast_expr &expr) {
  switch (isl_ast_expr_get_type(expr.get())) {
  case isl_ast_expr_int:
    return getAffineConstantExpr(
        ::grout::detail::toInt64(isl::manage(isl_ast_expr_get_val(expr.get()))),
        builder.getContext());
  case isl_ast_expr_id:
    return iterators.lookup(
        isl::manage(isl_ast_expr_get_id(expr.get())).name());
  default:
    break;
  }
  SmallVector<isl::ast_expr> arguments = getArguments(expr);
  auto argument = [&](unsigned i) { return toAffine(arguments[i]); };
  switch (isl_ast_expr_op_get_type(expr.get())) {
  case isl_ast_expr_op_minus:
    return -argument(0);
  case isl_ast_expr_op_add:
    return argument(0) + argument(1);
  case isl_ast_expr_op_sub:
    return argument(0) - argument(1);
  case isl_ast_expr_op_mul:
    return argument(0) * argument(1);
  case isl_ast_expr_op_div:
  case isl_ast_expr_op_fdiv_q:
  case isl_ast_expr_op_pdiv_q:
    return argument(0).floorDiv(argument(1));
  case isl_ast_expr_op_pdiv_r:
  case isl_ast_expr_op_zdiv_r:
    return argument(0) % argument(1);
  default:
    return addOperand(emitValue(expr));
  }
}

template <typename Op> Value LoopEmitter::fold(const isl::ast_expr &expr) {
  Value result;
  for (const isl::ast_expr &argument : getArguments(expr)) {
    Value value = emitValue(argument);
    result = result ? builder.createOrFold<Op>(loc, result, value) : value;
  }
  return result;
}

Value LoopEmitter::compare(arith::CmpIPredicate predicate,
                           const isl::ast_expr &expr) {
  SmallVector<isl::ast_expr> arguments = getArguments(expr);
  Value lhs = emitValue(arguments[0]), rhs = emitValue(arguments[1]);
  return arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
}

Value LoopEmitter::emitValue(const isl::ast_expr &expr) {
  if (isl_ast_expr_get_type(expr.get()) != isl_ast_expr_op)
    return emitIndex(toAffine(expr));
  switch (isl_ast_expr_op_get_type(expr.get())) {
  case isl_ast_expr_op_and:
  case isl_ast_expr_op_and_then:
    return fold<arith::AndIOp>(expr);
  case isl_ast_expr_op_or:
  case isl_ast_expr_op_or_else:
    return fold<arith::OrIOp>(expr);
  case isl_ast_expr_op_max:
    return fold<arith::MaxSIOp>(expr);
  case isl_ast_expr_op_min:
    return fold<arith::MinSIOp>(expr);
  case isl_ast_expr_op_cond:
  case isl_ast_expr_op_select: {
    SmallVector<isl::ast_expr> arguments = getArguments(expr);
    Value condition = emitValue(arguments[0]);
    Value yes = emitValue(arguments[1]), no = emitValue(arguments[2]);
    return arith::SelectOp::create(builder, loc, condition, yes, no);
  }
  case isl_ast_expr_op_eq:
    return compare(arith::CmpIPredicate::eq, expr);
  case isl_ast_expr_op_le:
    return compare(arith::CmpIPredicate::sle, expr);
  case isl_ast_expr_op_lt:
    return compare(arith::CmpIPredicate::slt, expr);
  case isl_ast_expr_op_ge:
    return compare(arith::CmpIPredicate::sge, expr);
  case isl_ast_expr_op_gt:
    return compare(arith::CmpIPredicate::sgt, expr);
  case isl_ast_expr_op_call:
  case isl_ast_expr_op_access:
  case isl_ast_expr_op_member:
  case isl_ast_expr_op_address_of:
  case isl_ast_expr_op_error:
    grout::detail::fail(AnalysisErrorKind::Invalid,
                        "the loops have an expression of an unknown kind");
  default:
    return emitIndex(toAffine(expr));
  }
}
