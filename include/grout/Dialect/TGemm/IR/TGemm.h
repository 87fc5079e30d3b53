//===- TGemm.h - The tgemm dialect ------------------------------*- C++ -*-===//
//
// Part of Grout. Everything of the tgemm dialect's IR.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_IR_TGEMM_H
#define GROUT_DIALECT_TGEMM_IR_TGEMM_H

#include "grout/Interfaces/TileKernelInterface.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "grout/Dialect/TGemm/IR/TGemmDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "grout/Dialect/TGemm/IR/TGemmAttrs.h.inc"

namespace grout::tgemm {

/// How stream-K splits the K loops of the tiles in the last columns. Each of
/// these tiles has `parts` parts. All parts but the last are tiles of a
/// tgemm.partial_sums, and have `partSteps` steps. The last part completes the
/// tile. It has the steps from `firstStep` on, which are at most `partSteps`.
struct StreamK {
  int64_t parts;
  int64_t partSteps, firstStep;
  /// The first column of such tiles, the number of such columns, and the number
  /// of rows of tiles.
  int64_t firstColumn, columns, rows;
  /// Accumulators of a tile, for all operands B together.
  int64_t elements;

  static StreamK get(TilingAttr tiling, int64_t m, int64_t n, int64_t k,
                     int64_t products);
  /// Returns the shape of the partial sums: rows, columns, parts, elements.
  llvm::SmallVector<int64_t, 4> getShape() const {
    return {rows, columns, parts - 1, elements};
  }
};

/// Returns why a GEMM of M x K by K x N cannot have the stream-K parts of
/// `tiling`; empty if it can.
std::string findPartsProblem(TilingAttr tiling, int64_t n, int64_t k);

} // namespace grout::tgemm

#include "grout/Dialect/TGemm/IR/ProductOpInterface.h.inc"

namespace grout::tgemm {

/// Returns why a tile of `tiling` would need several operands A of `op`, where
/// each block of columns has an operand A of its own; empty if it would not.
std::string findColumnBlockProblem(ProductOpInterface op, TilingAttr tiling);

} // namespace grout::tgemm

#define GET_OP_CLASSES
#include "grout/Dialect/TGemm/IR/TGemmOps.h.inc"

#endif // GROUT_DIALECT_TGEMM_IR_TGEMM_H
