//===- MatrixTile.cpp - Steps of products of matrices ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "MatrixTile.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;

/// Returns how many elements of the reduction a step has.
static int64_t getDepth(tgemm::ProductOpInterface op) {
  return std::min(op.getTiling()->getK(), op.getK());
}

MatrixTile::MatrixTile(tgemm::ProductOpInterface op, Operation *kernel,
                       const KernelTensors &tensors,
                       const SemaphoreLayout &layout, CPUTileBody &body)
    : ProductTile(op, kernel, getDepth(op), tensors, layout, body) {}

Value MatrixTile::loadOperand(OpBuilder &builder, Value operand,
                              bool transposed, Value row, Value column) {
  SmallVector<Value> indices;
  if (cast<MemRefType>(operand.getType()).getRank() == 3)
    indices.push_back(matrix);
  if (transposed)
    std::swap(row, column);
  indices.append({row, column});
  return loadElement(builder, operand, indices);
}

void MatrixTile::emitPack(OpBuilder &builder, Value rhs, Extent k) {
  bool transposed = op.getTransposeRhs();
  // The inner loop goes along the rows of rhs in the order in which they are
  // stored.
  SmallVector<Value> sizes = {k.size, columns.size};
  if (transposed)
    std::swap(sizes[0], sizes[1]);
  createLoops(builder, body.loc, sizes, [&](OpBuilder &builder, ValueRange at) {
    Value row = at[transposed ? 1 : 0], column = at[transposed ? 0 : 1];
    Value element =
        loadOperand(builder, rhs, transposed, add(builder, k.begin, row),
                    add(builder, columns.begin, column));
    memref::StoreOp::create(builder, body.loc, element, panel,
                            ValueRange{row, column});
  });
}

void MatrixTile::emitUpdate(OpBuilder &builder, Value accumulator, Extent k) {
  createLoops(
      builder, body.loc, rows.size, [&](OpBuilder &builder, ValueRange m) {
        emitRowUpdate(builder, accumulator, k.size, m[0],
                      [&](OpBuilder &builder, Value step) {
                        return loadOperand(builder, operands[0],
                                           op.getTransposeLhs(),
                                           add(builder, rows.begin, m[0]),
                                           add(builder, k.begin, step));
                      });
      });
}

void MatrixTile::emitStep(OpBuilder &builder, Value step) {
  Extent k = createTileExtent(builder, body.loc, step, depth, op.getK());
  for (unsigned i = 0, e = op.getNumProducts(); i != e; ++i) {
    emitPack(builder, operands[1 + i], k);
    emitUpdate(builder, accumulators[i], k);
  }
}

LogicalResult cpu::checkMatrixTile(tgemm::ProductOpInterface op) {
  return checkProductTile(op, getDepth(op));
}
