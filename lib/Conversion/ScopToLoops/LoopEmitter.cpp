//===- LoopEmitter.cpp - Loops of a scheduled kernel ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "LoopEmitter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <isl/ast_build.h>

using namespace mlir;
using namespace grout;
using namespace grout::scop;

isl::ast_node grout::scop::buildLoops(isl::ctx ctx, KernelOp kernel) {
  isl::union_map schedule = isl::union_map::empty(ctx);
  for (StmtOp statement : kernel.getStatements()) {
    isl::space space = grout::detail::makeSpace(ctx, statement.getSymName(),
                                                statement.getNumIterators());
    isl::map times = grout::detail::toMap(
        kernel.getSchedule()->getMap(statement.getSymName()), space);
    for (auto [dim, extent] :
         llvm::zip_equal(grout::detail::getDims(space), statement.getExtents()))
      times = times.intersect_domain(grout::detail::whereInRange(
          dim, grout::detail::makeSize(space, extent, "")));
    schedule = schedule.unite(isl::union_map(times));
  }
  isl_ast_build *build = isl_ast_build_alloc(ctx.get());
  isl::ast_node node = isl::manage(
      isl_ast_build_node_from_schedule_map(build, schedule.release()));
  isl_ast_build_free(build);
  return node;
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

void LoopEmitter::emitFor(isl_ast_node *node) {
  isl::ast_node body = isl::manage(isl_ast_node_for_get_body(node));
  isl::ast_expr iterator = isl::manage(isl_ast_node_for_get_iterator(node));
  isl::ast_expr init = isl::manage(isl_ast_node_for_get_init(node));
  std::string name = isl::manage(isl_ast_expr_get_id(iterator.get())).name();
  if (isl_ast_node_for_is_degenerate(node)) {
    iterators[name] = toAffine(init);
    return emit(body);
  }

  // iterator <= last, or iterator < end.
  isl::ast_expr cond = isl::manage(isl_ast_node_for_get_cond(node));
  isl_ast_expr_op_type comparison = isl_ast_expr_op_get_type(cond.get());
  AffineExpr end =
      toAffine(isl::manage(isl_ast_expr_op_get_arg(cond.get(), 1)));
  if (comparison == isl_ast_expr_op_le)
    end = end + 1;
  else if (comparison != isl_ast_expr_op_lt)
    grout::detail::fail(AnalysisErrorKind::Invalid,
                        "a loop has a condition of an unknown kind");
  AffineExpr step = toAffine(isl::manage(isl_ast_node_for_get_inc(node)));

  auto loop = scf::ForOp::create(builder, loc, emitIndex(toAffine(init)),
                                 emitIndex(end), emitIndex(step));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  iterators[name] = addOperand(loop.getInductionVar());
  unsigned numOperands = operands.size();
  emit(body);
  // What the body has computed is not known behind the loop.
  operands.truncate(numOperands);
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
  emitInstance(builder, kernel.lookupStatement(name), instance, arrays);
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

/// The operands of an operation.
static SmallVector<isl::ast_expr> getArguments(const isl::ast_expr &expr) {
  SmallVector<isl::ast_expr> arguments;
  for (int i = 0, e = isl_ast_expr_op_get_n_arg(expr.get()); i < e; ++i)
    arguments.push_back(isl::manage(isl_ast_expr_op_get_arg(expr.get(), i)));
  return arguments;
}

AffineExpr LoopEmitter::toAffine(const isl::ast_expr &expr) {
  switch (isl_ast_expr_get_type(expr.get())) {
  case isl_ast_expr_int:
    return getAffineConstantExpr(
        isl::manage(isl_ast_expr_get_val(expr.get())).num_si(),
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
