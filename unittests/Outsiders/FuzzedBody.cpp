//===- FuzzedBody.cpp - Code of tiles that does anything ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "FuzzedBody.h"

#include "FuzzedOp.h"
#include "grout/Conversion/TGemmToCPU/KernelSync.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace grout;
using namespace grout::test;

namespace {

/// Writes the code of one tile.
class SumTile {
public:
  SumTile(Operation *op, const SemaphoreLayout &layout, CPUTileBody &body)
      : op(op), answers(getAnswers(op)), body(body), b(body.builder),
        loc(body.loc), sync(op, layout, body, [](unsigned) { return true; }) {}

  LogicalResult emit(LaunchTensors &tensors) {
    for (Value operand : op->getOperands())
      if (failed(addMemRef(tensors, operand, inputs)))
        return failure();
    if (failed(addMemRef(tensors, op->getResult(0), outputs)))
      return failure();
    if (hasFault(BodyFault::postsFirst))
      sync.emitPosts(b);
    if (!hasFault(BodyFault::noWaits) && !hasFault(BodyFault::waitsLast))
      sync.emitBeforeSteps(b);
    emitForeignOps();
    emitLoops();
    if (hasFault(BodyFault::waitsLast))
      sync.emitBeforeSteps(b);
    if (hasFault(BodyFault::postsTwice))
      sync.emitPosts(b);
    if (!hasFault(BodyFault::noPosts) && !hasFault(BodyFault::postsFirst) &&
        !hasFault(BodyFault::postsInLoop))
      sync.emitPosts(b);
    return success();
  }

private:
  bool hasFault(BodyFault fault) const { return answers.bodyFault == fault; }

  LogicalResult addMemRef(LaunchTensors &tensors, Value value,
                          SmallVector<Value> &memrefs) {
    FailureOr<BufferView> view = tensors.getView(value, op);
    if (succeeded(view))
      memrefs.push_back(body.getMemRef(*view));
    return view;
  }

  /// What no tile body may have.
  void emitForeignOps() {
    Type type = op->getResult(0).getType();
    if (hasFault(BodyFault::foreignValue))
      b.create(loc, op->getName().getIdentifier(), op->getOperand(0), type);
    if (hasFault(BodyFault::tensorOp))
      tensor::EmptyOp::create(b, loc, getShape(op), b.getF32Type());
  }

  /// The row and the column of the tile.
  std::pair<Value, Value> getPosition() {
    Value row = body.tile[0], column = body.tile.back();
    if (answers.numbering == Numbering::columnsFirst)
      std::swap(row, column);
    if (answers.numbering == Numbering::linear) {
      Value columns = body.createIndex(getTileColumns(op));
      column = arith::RemUIOp::create(b, loc, row, columns);
      row = arith::DivUIOp::create(b, loc, row, columns);
    }
    return {row, column};
  }

  /// A loop over what a tile has of `extent`. The builder is in it then.
  scf::ForOp createLoop(Value tile, int64_t size, int64_t extent) {
    Value sizeValue = body.createIndex(size);
    Value begin = arith::MulIOp::create(b, loc, tile, sizeValue);
    Value end = arith::MinSIOp::create(
        b, loc, arith::AddIOp::create(b, loc, begin, sizeValue),
        body.createIndex(extent));
    auto loop = scf::ForOp::create(b, loc, begin, end, body.createIndex(1));
    b.setInsertionPointToStart(loop.getBody());
    return loop;
  }

  void emitLoops() {
    ArrayRef<int64_t> shape = getShape(op);
    // An op without tiles is a single tile.
    bool isWhole = body.tile.empty();
    Value zero = body.createIndex(0);
    auto [row, column] = isWhole ? std::pair(zero, zero) : getPosition();
    auto rows =
        createLoop(row, isWhole ? shape[0] : answers.tileRows, shape[0]);
    auto columns =
        createLoop(column, isWhole ? shape[1] : answers.tileColumns, shape[1]);
    emitElement(rows.getInductionVar(), columns.getInductionVar());
    if (hasFault(BodyFault::postsInLoop))
      sync.emitPosts(b);
    b.setInsertionPointAfter(rows);
  }

  void emitElement(Value row, Value column) {
    Value above = arith::MaxSIOp::create(
        b, loc,
        arith::SubIOp::create(b, loc, row, body.createIndex(answers.halo)),
        body.createIndex(0));
    Value sum = load(inputs[0], above, column);
    for (Value input : inputs)
      sum = createAdd(b, loc, sum, load(input, row, column));
    if (hasFault(BodyFault::writesOperand))
      memref::StoreOp::create(b, loc, sum, inputs[0], {row, column});
    if (!hasFault(BodyFault::writesNothing))
      memref::StoreOp::create(b, loc, sum, outputs[0], {row, column});
  }

  Value load(Value memref, Value row, Value column) {
    return memref::LoadOp::create(b, loc, memref, {row, column});
  }

  Operation *op;
  const Answers &answers;
  CPUTileBody &body;
  OpBuilder &b;
  Location loc;
  cpu::KernelSync sync;
  SmallVector<Value> inputs, outputs;
};

class SumBody : public cpu::TileBodyGenerator {
public:
  bool handles(Operation *kernel) const override {
    return isa<SumOp, EffectsOp>(kernel) &&
           getAnswers(kernel).bodyFault != BodyFault::notHandled;
  }

  LogicalResult emit(TileKernelOpInterface kernel, LaunchTensors &tensors,
                     const SemaphoreLayout &layout,
                     CPUTileBody &body) const override {
    BodyFault fault = getAnswers(kernel).bodyFault;
    if (fault == BodyFault::fails)
      return failure();
    if (fault == BodyFault::empty)
      return success();
    return SumTile(kernel, layout, body).emit(tensors);
  }
};

} // namespace

std::unique_ptr<cpu::TileBodyGenerator> test::createFuzzedBody() {
  return std::make_unique<SumBody>();
}
