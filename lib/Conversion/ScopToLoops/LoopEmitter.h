//===- LoopEmitter.h - Loops of a scheduled kernel --------------*- C++ -*-===//
//
// Part of Grout. Throws, as IslSupport.h says.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOLOOPS_LOOPEMITTER_H
#define GROUT_LIB_CONVERSION_SCOPTOLOOPS_LOOPEMITTER_H

#include "Analysis/IslSupport.h"
#include "StatementEmitter.h"
#include "VectorAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <isl/ast.h>

namespace grout::scop {

/// The syntax tree of the loops that execute `kernel` as its schedule says.
/// The loop of dimension 2 of the schedule, say, has the iterator t2, which is
/// the time in that dimension.
isl::ast_node buildLoops(isl::ctx ctx, KernelOp kernel);

/// Emits a syntax tree of isl as `scf` and `arith`.
class LoopEmitter {
public:
  /// The addresses of all arrays are multiples of `baseAlignment` bytes.
  LoopEmitter(isl::ctx ctx, mlir::OpBuilder &builder, KernelOp kernel,
              const mlir::IRMapping &arrays, int64_t baseAlignment)
      : ctx(ctx), builder(builder), kernel(kernel), loc(kernel.getLoc()),
        arrays(arrays), baseAlignment(baseAlignment) {}

  void emit(const isl::ast_node &node);

private:
  void emitBlock(isl_ast_node *node);
  void emitFor(isl_ast_node *node);
  /// Emits iterations from `begin` to `end` of a loop.
  void emitLoop(isl_ast_node *node, mlir::AffineExpr begin,
                mlir::AffineExpr end, mlir::AffineExpr step);
  /// Emits a loop over whole vectors, and one over what is left.
  void emitVectorLoop(isl_ast_node *node, VectorLoop loop,
                      mlir::AffineExpr end);
  void emitIf(isl_ast_node *node);
  void emitUser(isl_ast_node *node);

  void emitLanes(StmtOp statement, const Instance &instance);

  /// The value of an expression of isl: an index, or an i1 for a condition.
  mlir::Value emitValue(const isl::ast_expr &expr);
  mlir::Value emitIndex(mlir::AffineExpr expr);
  /// The value of an index, as an expression of `operands`.
  mlir::AffineExpr toAffine(const isl::ast_expr &expr);
  /// The operand of an expression that stands for `value`.
  mlir::AffineExpr addOperand(mlir::Value value);
  /// Combines all operands of `expr` by one operation.
  template <typename Op> mlir::Value fold(const isl::ast_expr &expr);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate,
                      const isl::ast_expr &expr);

  isl::ctx ctx;
  mlir::OpBuilder &builder;
  KernelOp kernel;
  mlir::Location loc;
  const mlir::IRMapping &arrays;
  /// What the loops around have defined, by isl's names.
  llvm::StringMap<mlir::AffineExpr> iterators;
  llvm::SmallVector<mlir::Value> operands;
  int64_t baseAlignment;
  /// In a loop over vectors: which, and the iterator that its lanes differ in.
  std::optional<VectorLoop> vectorLoop;
  mlir::AffineExpr laneIterator;
};

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOLOOPS_LOOPEMITTER_H
