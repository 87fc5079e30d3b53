//===- LoopEmitter.h - Loops of a scheduled kernel --------------*- C++ -*-===//
//
// Part of Grout. Functions here may throw; see IslGuard.h.
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

/// A dimension of the schedule that is distributed to tiles. Tile i of
/// `numTiles` has the times i * size to (i + 1) * size - 1.
struct TileLoop {
  unsigned dim;
  int64_t size, numTiles;
};

/// Returns the syntax tree of the loops that execute a tile of `kernel` as its
/// schedule says, or all of the kernel if `tile` is empty. For example, the
/// loop of dimension 2 of the schedule has the iterator t2, which is the time
/// in that dimension, and coordinate 1 of the tile is the parameter p1.
isl::ast_node buildLoops(isl::ctx ctx, KernelOp kernel,
                         llvm::ArrayRef<TileLoop> tile = {});

/// Returns the syntax tree of loops over the elements of `array` that a tile
/// writes.
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

  /// Sets the coordinates of the tile.
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
  /// Emits a loop over whole vectors, and a loop over the remaining iterations.
  void emitVectorLoop(isl_ast_node *node, VectorLoop loop,
                      mlir::AffineExpr end);
  void emitIf(isl_ast_node *node);
  void emitUser(isl_ast_node *node);

  void emitLanes(StmtOp statement, const Instance &instance);
  void emitElementCopy(const Instance &instance);

  /// Emits the value of an isl expression: an index, or an i1 for a condition.
  mlir::Value emitValue(const isl::ast_expr &expr);
  mlir::Value emitIndex(mlir::AffineExpr expr);
  /// Returns the value of an index, as an expression of `operands`.
  mlir::AffineExpr toAffine(const isl::ast_expr &expr);
  /// Adds `value` to `operands`, and returns the expression for it.
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
  /// Values that the surrounding loops have defined, by isl's names.
  llvm::StringMap<mlir::AffineExpr> iterators;
  llvm::SmallVector<mlir::Value> operands;
  int64_t baseAlignment;
  /// In a loop over vectors: the loop, and the iterator that differs from lane
  /// to lane.
  std::optional<VectorLoop> vectorLoop;
  mlir::AffineExpr laneIterator;
  /// In a copy, which executes no statements: its source and target. Else null.
  mlir::Value copySource, copyTarget;
};

} // namespace grout::scop

#endif // GROUT_CONVERSION_SCOPTOLOOPS_LOOPEMITTER_H
