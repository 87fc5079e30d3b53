//===- LoopEmitter.h - Loops of a scheduled kernel --------------*- C++ -*-===//
//
// Part of Grout. Throws, as IslSupport.h says.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOLOOPS_LOOPEMITTER_H
#define GROUT_LIB_CONVERSION_SCOPTOLOOPS_LOOPEMITTER_H

#include "Analysis/IslSupport.h"
#include "StatementEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <isl/ast.h>

namespace grout::scop {

/// The syntax tree of the loops that execute `kernel` as its schedule says.
isl::ast_node buildLoops(isl::ctx ctx, KernelOp kernel);

/// Emits a syntax tree of isl as `scf` and `arith`.
class LoopEmitter {
public:
  LoopEmitter(mlir::OpBuilder &builder, KernelOp kernel,
              const mlir::IRMapping &arrays)
      : builder(builder), kernel(kernel), loc(kernel.getLoc()), arrays(arrays) {
  }

  void emit(const isl::ast_node &node);

private:
  void emitBlock(isl_ast_node *node);
  void emitFor(isl_ast_node *node);
  void emitIf(isl_ast_node *node);
  void emitUser(isl_ast_node *node);

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

  mlir::OpBuilder &builder;
  KernelOp kernel;
  mlir::Location loc;
  const mlir::IRMapping &arrays;
  /// What the loops around have defined, by isl's names.
  llvm::StringMap<mlir::AffineExpr> iterators;
  llvm::SmallVector<mlir::Value> operands;
};

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOLOOPS_LOOPEMITTER_H
