//===- MatmulTileBody.cpp - A tile of tgemm.matmul on the CPU -------------===//
//
// Part of Grout. Also emits tiles of tgemm.partial_sums. Such a tile has a part
// of the steps of a tile of its product. A step computes a part of the sums.
//
//===----------------------------------------------------------------------===//

#include "ProductTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;

namespace {

/// Emits the tile of one matmul, or of its partial sums. `kernel` is the op
/// whose tile it is.
class MatmulEmitter : ProductTile {
public:
  MatmulEmitter(tgemm::MatmulOp op, Operation *kernel,
                const KernelTensors &tensors, const SemaphoreLayout &layout,
                CPUTileBody &body);
  void emit();
  void emitPart();

private:
  void emitStep(OpBuilder &builder, Value step);
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
  void emitPack(OpBuilder &builder, Value rhs, Extent k);
  void emitUpdate(OpBuilder &builder, Value accumulator, Extent k);

  /// Returns element (row, column) of a matrix operand as f32.
  Value loadOperand(OpBuilder &builder, Value matrix, bool transposed,
                    Value row, Value column);

  std::optional<tgemm::StreamK> parts;
};

} // namespace

/// Returns how many elements of the reduction a step has.
static int64_t getDepth(tgemm::MatmulOp op) {
  return std::min(op.getTiling()->getK(), op.getK());
}

MatmulEmitter::MatmulEmitter(tgemm::MatmulOp op, Operation *kernel,
                             const KernelTensors &tensors,
                             const SemaphoreLayout &layout, CPUTileBody &body)
    : ProductTile(op, kernel, getDepth(op), tensors, layout, body),
      parts(op.getStreamK()) {
  ArrayRef<Value> tile = ArrayRef(body.tile).take_back(2);
  Value tileRow = tile[0], tileColumn = tile[1];
  if (kernel != op) {
    tileRow = body.tile[0];
    tileColumn =
        add(body.builder, body.tile[1], body.createIndex(parts->firstColumn));
  }
  setPlace(tileRow, tileColumn);
}

Value MatmulEmitter::loadOperand(OpBuilder &builder, Value matrix,
                                 bool transposed, Value row, Value column) {
  SmallVector<Value> indices;
  if (cast<MemRefType>(matrix.getType()).getRank() == 3)
    indices.push_back(body.tile[0]);
  if (transposed)
    std::swap(row, column);
  indices.append({row, column});
  return loadElement(builder, matrix, indices);
}

void MatmulEmitter::emitPack(OpBuilder &builder, Value rhs, Extent k) {
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

void MatmulEmitter::emitUpdate(OpBuilder &builder, Value accumulator,
                               Extent k) {
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

void MatmulEmitter::emitStep(OpBuilder &builder, Value step) {
  Extent k = createTileExtent(builder, body.loc, step, depth, op.getK());
  for (unsigned i = 0, e = op.getNumProducts(); i != e; ++i) {
    emitPack(builder, operands[1 + i], k);
    emitUpdate(builder, accumulators[i], k);
  }
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
  return checkProductTile(op, getDepth(op));
}

void cpu::emitMatmulTile(tgemm::MatmulOp op, const KernelTensors &tensors,
                         const SemaphoreLayout &layout, CPUTileBody &body) {
  MatmulEmitter(op, op, tensors, layout, body).emit();
}

void cpu::emitPartTile(tgemm::PartialSumsOp op, const KernelTensors &tensors,
                       const SemaphoreLayout &layout, CPUTileBody &body) {
  MatmulEmitter(*getProduct(op), op, tensors, layout, body).emitPart();
}
