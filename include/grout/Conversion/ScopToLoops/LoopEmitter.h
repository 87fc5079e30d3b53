//===- LoopEmitter.h - Loops of a scheduled kernel --------------*- C++ -*-===//
//
// Part of Grout. Throws, as IslGuard.h says.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_SCOPTOLOOPS_LOOPEMITTER_H
#define GROUT_CONVERSION_SCOPTOLOOPS_LOOPEMITTER_H

#include "grout/Conversion/ScopToLoops/StatementEmitter.h"
#include "grout/Conversion/ScopToLoops/VectorAccess.h"
#include "grout/Isl/AffineSets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <isl/ast.h>

namespace grout::scop {

/// A dimension of the schedule that tiles share out: tile i of `numTiles` has
/// the times i * size to (i + 1) * size - 1.
struct TileLoop {
  unsigned dim;
  int64_t size, numTiles;
};

/// The syntax tree of the loops that execute a tile of `kernel`, or all of it
/// if there are no `tile` loops, as its schedule says. The loop of dimension 2
/// of the schedule, say, has the iterator t2, which is the time in that
/// dimension. Coordinate 1 of the tile, say, is the parameter p1.
isl::ast_node buildLoops(isl::ctx ctx, KernelOp kernel,
                         llvm::ArrayRef<TileLoop> tile = {});

/// The syntax tree of loops over the elements of `array` that a tile writes.
isl::ast_node buildCopy(isl::ctx ctx, KernelOp kernel, mlir::Value array,
                        llvm::ArrayRef<TileLoop> tile);

/// Emits a syntax tree of isl as `scf` and `arith`.
class LoopEmitter {
public:
  /// The addresses of all arrays are multiples of `baseAlignment` bytes.
  LoopEmitter(isl::ctx ctx, mlir::OpBuilder &builder, KernelOp kernel,
              const mlir::IRMapping &arrays, int64_t baseAlignment)
      : ctx(ctx), builder(builder), kernel(kernel), loc(kernel.getLoc()),
        arrays(arrays), baseAlignment(baseAlignment) {}

  /// Says what the coordinates of the tile are.
  void bindTile(mlir::ValueRange tile);

  void emit(const isl::ast_node &node);

  /// Emits a tree of `buildCopy`, from memref `source` to memref `target`.
  void emitCopy(const isl::ast_node &node, mlir::Value source,
                mlir::Value target);

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
  void emitElementCopy(const Instance &instance);

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
  /// What is copied, instead of executing statements, if that is asked for.
  mlir::Value copySource, copyTarget;
};

} // namespace grout::scop

#endif // GROUT_CONVERSION_SCOPTOLOOPS_LOOPEMITTER_H
