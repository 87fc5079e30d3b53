//===- MatmulTileBody.cpp - A tile of tgemm.matmul on the CPU -------------===//
//
// Part of Grout. Also emits tiles of tgemm.partial_sums. Such a tile has a part
// of the steps of a tile of its product. A step computes a part of the sums.
//
//===----------------------------------------------------------------------===//

#include "MatrixTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;

namespace {

/// Emits the tile of one matmul, or of its partial sums. `kernel` is the op
/// whose tile it is.
class MatmulEmitter : MatrixTile {
public:
  MatmulEmitter(tgemm::MatmulOp op, Operation *kernel,
                const KernelTensors &tensors, const SemaphoreLayout &layout,
                CPUTileBody &body);
  void emit();
  void emitPart();

private:
  void emitTileSteps(OpBuilder &builder);
  void emitAddSums(OpBuilder &builder);
  /// Emits whether the tile has parts, as an i1.
  Value isInParts(OpBuilder &builder);
  /// Calls `emit` for each accumulator of the tile, with its index in the local
  /// array, and its index in the sums of a part.
  void createSums(OpBuilder &builder,
                  function_ref<void(OpBuilder &, Value accumulator,
                                    ValueRange at, Value element)>
                      emit);

  std::optional<tgemm::StreamK> parts;
};

} // namespace

MatmulEmitter::MatmulEmitter(tgemm::MatmulOp op, Operation *kernel,
                             const KernelTensors &tensors,
                             const SemaphoreLayout &layout, CPUTileBody &body)
    : MatrixTile(op, kernel, tensors, layout, body), parts(op.getStreamK()) {
  matrix = body.tile[0];
  ArrayRef<Value> tile = ArrayRef(body.tile).take_back(2);
  Value tileRow = tile[0], tileColumn = tile[1];
  if (kernel != op) {
    tileRow = body.tile[0];
    tileColumn =
        add(body.builder, body.tile[1], body.createIndex(parts->firstColumn));
  }
  setPlace(tileRow, tileColumn);
}

Value MatmulEmitter::isInParts(OpBuilder &builder) {
  return arith::CmpIOp::create(builder, body.loc, arith::CmpIPredicate::sge,
                               body.tile[1],
                               body.createIndex(parts->firstColumn));
}

void MatmulEmitter::emitTileSteps(OpBuilder &builder) {
  Value steps = body.createIndex(op.getStepCount());
  createLoops(
      builder, body.loc, steps, [&](OpBuilder &builder, ValueRange step) {
        // A tile waits in all steps, even in those that its parts compute.
        sync.emitAtStep(builder, step[0]);
        if (!parts)
          return emitStep(builder, step[0]);
        Value isOther =
            arith::CmpIOp::create(builder, body.loc, arith::CmpIPredicate::slt,
                                  step[0], body.createIndex(parts->firstStep));
        Value isSkipped = arith::AndIOp::create(builder, body.loc, isOther,
                                                isInParts(builder));
        auto choice = scf::IfOp::create(builder, body.loc, isSkipped,
                                        /*withElseRegion=*/true);
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToStart(choice.elseBlock());
        emitStep(builder, step[0]);
      });
}

void MatmulEmitter::createSums(
    OpBuilder &builder,
    function_ref<void(OpBuilder &, Value, ValueRange, Value)> emit) {
  createLoops(
      builder, body.loc, {rows.size, columns.size},
      [&](OpBuilder &builder, ValueRange at) {
        Value width = body.createIndex(tileN);
        Value element =
            add(builder, arith::MulIOp::create(builder, body.loc, at[0], width),
                at[1]);
        for (auto [index, accumulator] : llvm::enumerate(accumulators))
          emit(builder, accumulator, at,
               add(builder, element, body.createIndex(index * tileM * tileN)));
      });
}

void MatmulEmitter::emitAddSums(OpBuilder &builder) {
  if (!parts)
    return;
  Value sums = operands[*op.getPartialSumsOperand()];
  auto branch = scf::IfOp::create(builder, body.loc, isInParts(builder));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value column = arith::SubIOp::create(builder, body.loc, body.tile[1],
                                       body.createIndex(parts->firstColumn));
  createLoops(
      builder, body.loc, body.createIndex(parts->parts - 1),
      [&](OpBuilder &builder, ValueRange part) {
        createSums(builder, [&](OpBuilder &builder, Value accumulator,
                                ValueRange at, Value element) {
          Value own =
              memref::LoadOp::create(builder, body.loc, accumulator, at);
          Value other = memref::LoadOp::create(
              builder, body.loc, sums,
              ValueRange{body.tile[0], column, part[0], element});
          Value sum = arith::AddFOp::create(builder, body.loc, own, other);
          memref::StoreOp::create(builder, body.loc, sum, accumulator, at);
        });
      });
}

void MatmulEmitter::emit() {
  OpBuilder &builder = body.builder;
  emitClear(builder);
  sync.emitBeforeSteps(builder);
  emitTileSteps(builder);
  sync.emitAfterSteps(builder);
  emitAddSums(builder);
  emitEpilogue(builder);
  sync.emitPosts(builder);
}

void MatmulEmitter::emitPart() {
  OpBuilder &builder = body.builder;
  emitClear(builder);
  sync.emitBeforeSteps(builder);
  Value steps = body.createIndex(parts->partSteps);
  createLoops(
      builder, body.loc, steps, [&](OpBuilder &builder, ValueRange step) {
        sync.emitAtStep(builder, step[0]);
        Value first =
            arith::MulIOp::create(builder, body.loc, body.tile[2], steps);
        emitStep(builder, add(builder, first, step[0]));
      });
  sync.emitAfterSteps(builder);
  createSums(builder, [&](OpBuilder &builder, Value accumulator, ValueRange at,
                          Value element) {
    Value sum = memref::LoadOp::create(builder, body.loc, accumulator, at);
    memref::StoreOp::create(
        builder, body.loc, sum, result,
        ValueRange{body.tile[0], body.tile[1], body.tile[2], element});
  });
  sync.emitPosts(builder);
}

FailureOr<tgemm::MatmulOp> cpu::getProduct(tgemm::PartialSumsOp op) {
  for (Operation *user : op->getUsers())
    if (auto product = dyn_cast<tgemm::MatmulOp>(user))
      return product;
  return op.emitOpError("cannot be compiled: no product takes it");
}

LogicalResult cpu::checkMatmul(tgemm::MatmulOp op) {
  if (op.getStreamK() && !op.getPartialSums())
    return op.emitOpError("cannot be compiled: its tiling has stream-K tiles, "
                          "but it has no partial sums; run "
                          "tgemm-expand-stream-k");
  if (op.getSumRanks())
    return op.emitOpError("cannot be compiled for the CPU: it sums over ranks; "
                          "use collective.all_reduce");
  return checkMatrixTile(op);
}

void cpu::emitMatmulTile(tgemm::MatmulOp op, const KernelTensors &tensors,
                         const SemaphoreLayout &layout, CPUTileBody &body) {
  MatmulEmitter(op, op, tensors, layout, body).emit();
}

void cpu::emitPartTile(tgemm::PartialSumsOp op, const KernelTensors &tensors,
                       const SemaphoreLayout &layout, CPUTileBody &body) {
  MatmulEmitter(*getProduct(op), op, tensors, layout, body).emitPart();
}
