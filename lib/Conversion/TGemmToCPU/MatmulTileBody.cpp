//===- MatmulTileBody.cpp - A tile of tgemm.matmul on the CPU -------------===//
//
// Part of Grout. Also of a tgemm.partial_sums, a tile of which is a part of the
// steps of a tile of its product. Each step packs its part of a rhs into a
// local array of f32, which converts and transposes it once rather than for
// each row; the updates that follow run along contiguous rows, so that LLVM
// vectorises them. The sums of a step are made apart, and then added to those
// of the steps before: the error of a long sum is that of a step's, and of as
// many terms as there are steps.
//
//===----------------------------------------------------------------------===//

#include "KernelCode.h"
#include "grout/Conversion/TGemmToCPU/KernelSync.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;

namespace {

/// The size of a tile, no larger than the product.
struct TileShape {
  explicit TileShape(tgemm::MatmulOp op)
      : m(std::min(op.getTiling()->getM(), op.getM())),
        n(std::min(op.getTiling()->getN(), op.getN())),
        k(std::min(op.getTiling()->getK(), op.getK())) {}
  int64_t m, n, k;
};

/// Emits the tile of one matmul, or of its partial sums, which `kernel` is.
class MatmulEmitter {
public:
  MatmulEmitter(tgemm::MatmulOp op, Operation *kernel,
                const KernelTensors &tensors, const SemaphoreLayout &layout,
                CPUTileBody &body);
  void emit();
  void emitPart();

private:
  void emitClear(OpBuilder &builder);
  void emitStep(OpBuilder &builder, Value step);
  void emitTileSteps(OpBuilder &builder);
  void emitAddSums(OpBuilder &builder);
  /// Whether the tile has parts, as an i1.
  Value isInParts(OpBuilder &builder);
  /// Calls `emit` for each accumulator of the tile, with its address in its
  /// array and in the sums of a part.
  void createSums(OpBuilder &builder,
                  function_ref<void(OpBuilder &, Value accumulator,
                                    ValueRange at, Value element)>
                      emit);
  void emitPack(OpBuilder &builder, Value rhs, Extent k);
  void emitUpdate(OpBuilder &builder, Value accumulator, Extent k);
  void emitRowUpdate(OpBuilder &builder, Value accumulator, Extent k, Value m);
  void emitEpilogue(OpBuilder &builder);

  /// Element (row, column) of a matrix operand, as f32.
  Value loadElement(OpBuilder &builder, Value matrix, bool transposed,
                    Value row, Value column);
  /// (b, m, n), or (m, n), of element (m, n) of the tile.
  SmallVector<Value> getCoordinates(OpBuilder &builder, Value m, Value n);
  Value add(OpBuilder &builder, Value a, Value b) {
    return arith::AddIOp::create(builder, body.loc, a, b);
  }

  tgemm::MatmulOp op;
  CPUTileBody &body;
  TileShape shape;
  std::optional<tgemm::StreamK> parts;
  KernelSync sync;
  SmallVector<Value> operands; // as memrefs
  Value result;
  SmallVector<Value> accumulators;
  Value panel; // k x n elements of a rhs
  Value row;   // n sums of a step
  Extent rows, columns;
};

} // namespace

MatmulEmitter::MatmulEmitter(tgemm::MatmulOp op, Operation *kernel,
                             const KernelTensors &tensors,
                             const SemaphoreLayout &layout, CPUTileBody &body)
    : op(op), body(body), shape(op), parts(op.getStreamK()),
      sync(kernel, layout, body, [](unsigned) { return false; }) {
  for (const KernelOperand &operand : tensors.operands)
    operands.push_back(body.getMemRef(operand.view));
  result = body.getMemRef(tensors.results[0]);
  Type f32 = body.builder.getF32Type();
  for (unsigned i = 0, e = op.getNumProducts(); i != e; ++i)
    accumulators.push_back(body.createLocal({shape.m, shape.n}, f32));
  panel = body.createLocal({shape.k, shape.n}, f32);
  row = body.createLocal({shape.n}, f32);
  ArrayRef<Value> tile = ArrayRef(body.tile).take_back(2);
  Value tileRow = tile[0], tileColumn = tile[1];
  if (kernel != op) {
    tileRow = body.tile[0];
    tileColumn =
        add(body.builder, body.tile[1], body.createIndex(parts->firstColumn));
  }
  rows = createTileExtent(body.builder, body.loc, tileRow, shape.m, op.getM());
  columns =
      createTileExtent(body.builder, body.loc, tileColumn, shape.n, op.getN());
}

Value MatmulEmitter::loadElement(OpBuilder &builder, Value matrix,
                                 bool transposed, Value row, Value column) {
  SmallVector<Value> indices;
  if (cast<MemRefType>(matrix.getType()).getRank() == 3)
    indices.push_back(body.tile[0]);
  if (transposed)
    std::swap(row, column);
  indices.append({row, column});
  Value element = memref::LoadOp::create(builder, body.loc, matrix, indices);
  if (element.getType().isF32())
    return element;
  return arith::ExtFOp::create(builder, body.loc, builder.getF32Type(),
                               element);
}

SmallVector<Value> MatmulEmitter::getCoordinates(OpBuilder &builder, Value m,
                                                 Value n) {
  SmallVector<Value> coordinates;
  if (op.isBatched())
    coordinates.push_back(body.tile[0]);
  coordinates.push_back(add(builder, rows.begin, m));
  coordinates.push_back(add(builder, columns.begin, n));
  return coordinates;
}

void MatmulEmitter::emitClear(OpBuilder &builder) {
  Value zero = arith::ConstantOp::create(builder, body.loc,
                                         builder.getF32FloatAttr(0.0f));
  createLoops(builder, body.loc, {rows.size, columns.size},
              [&](OpBuilder &builder, ValueRange at) {
                for (Value accumulator : accumulators)
                  memref::StoreOp::create(builder, body.loc, zero, accumulator,
                                          at);
              });
}

void MatmulEmitter::emitPack(OpBuilder &builder, Value rhs, Extent k) {
  bool transposed = op.getTransposeRhs();
  // The inner loop runs along the rows of rhs as it is stored.
  SmallVector<Value> sizes = {k.size, columns.size};
  if (transposed)
    std::swap(sizes[0], sizes[1]);
  createLoops(builder, body.loc, sizes, [&](OpBuilder &builder, ValueRange at) {
    Value row = at[transposed ? 1 : 0], column = at[transposed ? 0 : 1];
    Value element =
        loadElement(builder, rhs, transposed, add(builder, k.begin, row),
                    add(builder, columns.begin, column));
    memref::StoreOp::create(builder, body.loc, element, panel,
                            ValueRange{row, column});
  });
}

void MatmulEmitter::emitRowUpdate(OpBuilder &builder, Value accumulator,
                                  Extent k, Value m) {
  Location loc = body.loc;
  createLoops(builder, loc, columns.size,
              [&](OpBuilder &builder, ValueRange n) {
                Value zero = arith::ConstantOp::create(
                    builder, loc, builder.getF32FloatAttr(0.0f));
                memref::StoreOp::create(builder, loc, zero, row, n);
              });
  createLoops(builder, loc, k.size, [&](OpBuilder &builder, ValueRange step) {
    Value factor = loadElement(builder, operands[0], op.getTransposeLhs(),
                               add(builder, rows.begin, m),
                               add(builder, k.begin, step[0]));
    createLoops(builder, loc, columns.size,
                [&](OpBuilder &builder, ValueRange n) {
                  Value element = memref::LoadOp::create(
                      builder, loc, panel, ValueRange{step[0], n[0]});
                  Value sum = memref::LoadOp::create(builder, loc, row, n);
                  sum = math::FmaOp::create(builder, loc, factor, element, sum);
                  memref::StoreOp::create(builder, loc, sum, row, n);
                });
  });
  createLoops(
      builder, loc, columns.size, [&](OpBuilder &builder, ValueRange n) {
        SmallVector<Value> at = {m, n[0]};
        Value sum = memref::LoadOp::create(builder, loc, row, n);
        Value sums = memref::LoadOp::create(builder, loc, accumulator, at);
        sums = arith::AddFOp::create(builder, loc, sums, sum);
        memref::StoreOp::create(builder, loc, sums, accumulator, at);
      });
}

void MatmulEmitter::emitUpdate(OpBuilder &builder, Value accumulator,
                               Extent k) {
  createLoops(builder, body.loc, rows.size,
              [&](OpBuilder &builder, ValueRange m) {
                emitRowUpdate(builder, accumulator, k, m[0]);
              });
}

void MatmulEmitter::emitStep(OpBuilder &builder, Value step) {
  Extent k = createTileExtent(builder, body.loc, step, shape.k, op.getK());
  for (unsigned i = 0, e = op.getNumProducts(); i != e; ++i) {
    emitPack(builder, operands[1 + i], k);
    emitUpdate(builder, accumulators[i], k);
  }
}

void MatmulEmitter::emitEpilogue(OpBuilder &builder) {
  auto resultMap = AffineMap::getMultiDimIdentityMap(
      op.getResult().getType().getRank(), builder.getContext());
  unsigned firstInput = 1 + op.getNumProducts();
  createLoops(
      builder, body.loc, {rows.size, columns.size},
      [&](OpBuilder &builder, ValueRange at) {
        SmallVector<Value> coordinates = getCoordinates(builder, at[0], at[1]);
        SmallVector<Value> arguments;
        for (Value accumulator : accumulators)
          arguments.push_back(
              memref::LoadOp::create(builder, body.loc, accumulator, at));
        Value element = arguments[0];
        if (!op.getEpilogue().empty()) {
          for (unsigned i = 0, e = op.getEpilogueInputs().size(); i != e; ++i)
            arguments.push_back(createLoad(builder, body.loc,
                                           operands[firstInput + i],
                                           op.getEpilogueMap(i), coordinates));
          element = inlineScalarBlock(builder, op.getEpilogue().front(),
                                      arguments, coordinates)[0];
        } else if (!op.getResultElementType().isF32()) {
          element = arith::TruncFOp::create(builder, body.loc,
                                            op.getResultElementType(), element);
        }
        createStore(builder, body.loc, element, result, resultMap, coordinates);
      });
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
        // Waits are for all steps, also for those of a tile's parts.
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
  createLoops(builder, body.loc, {rows.size, columns.size},
              [&](OpBuilder &builder, ValueRange at) {
                Value width = body.createIndex(shape.n);
                Value element =
                    add(builder,
                        arith::MulIOp::create(builder, body.loc, at[0], width),
                        at[1]);
                for (auto [index, accumulator] : llvm::enumerate(accumulators))
                  emit(builder, accumulator, at,
                       add(builder, element,
                           body.createIndex(index * shape.m * shape.n)));
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
  TileShape shape(op);
  int64_t elements =
      shape.m * shape.n * op.getNumProducts() + (shape.k + 1) * shape.n;
  if (elements * int64_t(sizeof(float)) > kMaxLocalBytes)
    return op.emitOpError()
           << "cannot be compiled for the CPU: a tile needs "
           << elements * sizeof(float) << " bytes of local memory, more than "
           << kMaxLocalBytes << "; use a smaller tiling";
  if (op.getEpilogue().empty())
    return success();
  return checkScalarBlock(op, op.getEpilogue().front());
}

void cpu::emitMatmulTile(tgemm::MatmulOp op, const KernelTensors &tensors,
                         const SemaphoreLayout &layout, CPUTileBody &body) {
  MatmulEmitter(op, op, tensors, layout, body).emit();
}

void cpu::emitPartTile(tgemm::PartialSumsOp op, const KernelTensors &tensors,
                       const SemaphoreLayout &layout, CPUTileBody &body) {
  MatmulEmitter(*getProduct(op), op, tensors, layout, body).emitPart();
}
