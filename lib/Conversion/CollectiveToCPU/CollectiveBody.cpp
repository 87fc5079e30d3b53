//===- CollectiveBody.cpp - Tiles that exchange data on CPUs --------------===//
//
// Part of Grout. The runtime exchanges the data (grout_tile_context::exchange).
// Its symmetric memory has a counter for each rank, and two places for the
// operand, which runs use in turn.
//
//===----------------------------------------------------------------------===//

#include "CollectiveBody.h"

#include "grout/Conversion/Common/TileContext.h"
#include "grout/Runtime/DeviceABI.h"
#include "grout/Support/TensorSize.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;
using collective::CollectiveOpInterface;

static int64_t getBytes(CollectiveOpInterface op) {
  RankedTensorType type = op.getInput().getType();
  return *getSize(type.getShape(), type.getElementType());
}

void cpu::emitLoops(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape,
                    function_ref<void(ArrayRef<Value>)> body) {
  OpBuilder::InsertionGuard guard(b);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  SmallVector<Value> indices;
  for (int64_t extent : shape) {
    Value end = arith::ConstantIndexOp::create(b, extent);
    auto loop = scf::ForOp::create(b, zero, end, one);
    indices.push_back(loop.getInductionVar());
    b.setInsertionPointToStart(loop.getBody());
  }
  body(indices);
}

SmallVector<Value> cpu::emitMoved(ImplicitLocOpBuilder &b,
                                  ArrayRef<Value> indices, uint64_t dim,
                                  Value distance) {
  SmallVector<Value> moved(indices);
  moved[dim] = arith::AddIOp::create(b, moved[dim], distance);
  return moved;
}

/// Returns `view` where its elements are dense, or else a copy of it in a
/// buffer of its own.
static BufferView getDense(ImplicitLocOpBuilder &b, CollectiveOpInterface op,
                           const BufferView &view, LaunchTensors &tensors,
                           CPUTileBody &body) {
  if (view.strides == computeStrides(view.shape))
    return view;
  BufferView dense = tensors.createBuffer(op.getLoc(), op.getInput().getType());
  // Not memref.copy, which needs a library of MLIR's.
  Value from = body.getMemRef(view), to = body.getMemRef(dense);
  emitLoops(b, view.shape, [&](ArrayRef<Value> indices) {
    Value element = memref::LoadOp::create(b, from, indices);
    memref::StoreOp::create(b, element, to, indices);
  });
  return dense;
}

/// Returns the number, as an i64, of the element at `indices` of a dense tensor
/// of `shape`.
static Value emitNumber(ImplicitLocOpBuilder &b, ArrayRef<Value> indices,
                        ArrayRef<int64_t> shape) {
  Value number = arith::ConstantIndexOp::create(b, 0);
  for (auto [index, extent] : llvm::zip_equal(indices, shape)) {
    Value size = arith::ConstantIndexOp::create(b, extent);
    number =
        arith::AddIOp::create(b, arith::MulIOp::create(b, number, size), index);
  }
  return arith::IndexCastOp::create(b, b.getI64Type(), number);
}

Value GivenOperands::emitOwnRank(ImplicitLocOpBuilder &b) const {
  return arith::IndexCastUIOp::create(b, b.getIndexType(),
                                      emitContextRank(b, b.getLoc(), context));
}

Value GivenOperands::emitLoad(ImplicitLocOpBuilder &b, unsigned rank,
                              ArrayRef<Value> indices) const {
  Value number = emitNumber(b, indices, shape);
  Value operand = addresses[rank];
  Value address = LLVM::GEPOp::create(b, operand.getType(), elementType,
                                      operand, ValueRange{number});
  return LLVM::LoadOp::create(b, elementType, address);
}

/// Gives the operand at `view`, which is dense, to all ranks. Returns the
/// operands that they give.
static GivenOperands emitExchange(ImplicitLocOpBuilder &b,
                                  CollectiveOpInterface op,
                                  const BufferView &view, CPUTileBody &body) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value data = LLVM::GEPOp::create(
      b, pointer, view.elementType, body.getAddress(view.buffer),
      ValueRange{arith::ConstantIntOp::create(b, b.getI64Type(), view.offset)});
  Value bytes = arith::ConstantIntOp::create(b, b.getI64Type(), getBytes(op));
  Value context = body.getFunction().getArgument(0);
  Value all =
      emitContextCall(b, op.getLoc(), context, ContextFunction::exchange,
                      {data, bytes}, pointer);
  GivenOperands given{
      context, {}, op.getInput().getType().getShape(), view.elementType};
  for (int32_t rank = 0, ranks = op.getRanks(); rank != ranks; ++rank)
    given.addresses.push_back(
        LLVM::LoadOp::create(b, pointer,
                             LLVM::GEPOp::create(b, pointer, pointer, all,
                                                 ArrayRef<LLVM::GEPArg>{rank})
                                 .getResult()));
  return given;
}

launch::ExchangeAttr CollectiveBody::getExchange(Operation *kernel) const {
  auto op = cast<CollectiveOpInterface>(kernel);
  int64_t ranks = op.getRanks();
  int64_t bytes = kernelabi::getExchangeHeaderBytes(ranks) +
                  2 * kernelabi::getExchangeBytes(getBytes(op));
  return launch::ExchangeAttr::get(op.getContext(), ranks, bytes,
                                   /*offset=*/-1, /*cleared=*/false);
}

LogicalResult CollectiveBody::emit(TileKernelOpInterface kernel,
                                   LaunchTensors &tensors,
                                   const SemaphoreLayout &layout,
                                   CPUTileBody &body) const {
  auto op = cast<CollectiveOpInterface>(kernel.getOperation());
  FailureOr<BufferView> input = tensors.getView(op.getInput(), op);
  FailureOr<BufferView> output = tensors.getView(op.getOutput(), op);
  if (failed(input) || failed(output))
    return failure();
  ImplicitLocOpBuilder b(body.loc, body.builder);
  BufferView dense = getDense(b, op, *input, tensors, body);
  GivenOperands given = emitExchange(b, op, dense, body);
  emitResult(b, op, given, body.getMemRef(*output));
  return success();
}
