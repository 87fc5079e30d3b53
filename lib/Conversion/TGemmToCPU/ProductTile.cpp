//===- ProductTile.cpp - Shared by tiles of products ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ProductTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;

ProductTile::ProductTile(tgemm::ProductOpInterface op, Operation *kernel,
                         int64_t depth, const KernelTensors &tensors,
                         const SemaphoreLayout &layout, CPUTileBody &body)
    : op(op), body(body), tileM(std::min(op.getTiling()->getM(), op.getM())),
      tileN(std::min(op.getTiling()->getN(), op.getN())), depth(depth),
      sync(kernel, layout, body, [](unsigned) { return false; }) {
  for (const KernelOperand &operand : tensors.operands)
    operands.push_back(body.getMemRef(operand.view));
  result = body.getMemRef(tensors.results[0]);
  Type f32 = body.builder.getF32Type();
  for (unsigned i = 0, e = op.getNumProducts(); i != e; ++i)
    accumulators.push_back(body.createLocal({tileM, tileN}, f32));
  panel = body.createLocal({depth, tileN}, f32);
  row = body.createLocal({tileN}, f32);
}

void ProductTile::setPlace(Value tileRow, Value tileColumn) {
  rows = createTileExtent(body.builder, body.loc, tileRow, tileM, op.getM());
  columns =
      createTileExtent(body.builder, body.loc, tileColumn, tileN, op.getN());
}

Value ProductTile::add(OpBuilder &builder, Value a, Value b) {
  return arith::AddIOp::create(builder, body.loc, a, b);
}

Value ProductTile::loadElement(OpBuilder &builder, Value memref,
                               ValueRange at) {
  Value element = memref::LoadOp::create(builder, body.loc, memref, at);
  if (element.getType().isF32())
    return element;
  return arith::ExtFOp::create(builder, body.loc, builder.getF32Type(),
                               element);
}

void ProductTile::emitClear(OpBuilder &builder) {
  Value zero = arith::ConstantOp::create(builder, body.loc,
                                         builder.getF32FloatAttr(0.0f));
  createLoops(builder, body.loc, {rows.size, columns.size},
              [&](OpBuilder &builder, ValueRange at) {
                for (Value accumulator : accumulators)
                  memref::StoreOp::create(builder, body.loc, zero, accumulator,
                                          at);
              });
}

void ProductTile::emitRowUpdate(
    OpBuilder &builder, Value accumulator, Value depth, Value m,
    function_ref<Value(OpBuilder &, Value)> loadOperandA) {
  Location loc = body.loc;
  createLoops(builder, loc, columns.size,
              [&](OpBuilder &builder, ValueRange n) {
                Value zero = arith::ConstantOp::create(
                    builder, loc, builder.getF32FloatAttr(0.0f));
                memref::StoreOp::create(builder, loc, zero, row, n);
              });
  createLoops(builder, loc, depth, [&](OpBuilder &builder, ValueRange step) {
    Value factor = loadOperandA(builder, step[0]);
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

SmallVector<Value> ProductTile::getCoordinates(OpBuilder &builder, Value m,
                                               Value n) {
  SmallVector<Value> coordinates;
  if (op.isBatched())
    coordinates.push_back(body.tile[0]);
  coordinates.push_back(add(builder, rows.begin, m));
  coordinates.push_back(add(builder, columns.begin, n));
  return coordinates;
}

void ProductTile::emitEpilogue(OpBuilder &builder) {
  auto resultMap = AffineMap::getMultiDimIdentityMap(
      cast<RankedTensorType>(op.getResult().getType()).getRank(),
      builder.getContext());
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

LogicalResult cpu::checkProductTile(tgemm::ProductOpInterface op,
                                    int64_t depth) {
  int64_t m = std::min(op.getTiling()->getM(), op.getM());
  int64_t n = std::min(op.getTiling()->getN(), op.getN());
  int64_t elements = m * n * op.getNumProducts() + (depth + 1) * n;
  if (elements * int64_t(sizeof(float)) > kMaxLocalBytes)
    return op.emitOpError()
           << "cannot be compiled for the CPU: a tile needs "
           << elements * sizeof(float) << " bytes of local memory, more than "
           << kMaxLocalBytes << "; use a smaller tiling";
  if (op.getEpilogue().empty())
    return success();
  return checkScalarBlock(op, op.getEpilogue().front());
}
