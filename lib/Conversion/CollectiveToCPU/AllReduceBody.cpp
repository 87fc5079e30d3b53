//===- AllReduceBody.cpp - collective.all_reduce on CPUs ------------------===//
//
// Part of Grout. The runtime exchanges the data (grout_tile_context::exchange).
// Its symmetric memory has a counter for each rank, and two places for the
// operand, which runs use in turn.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/CollectiveToCPU/AllReduceBody.h"

#include "grout/Conversion/Common/TileContext.h"
#include "grout/Dialect/Collective/IR/Collective.h"
#include "grout/Runtime/DeviceABI.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;
using collective::AllReduceOp;

static int64_t getBytes(AllReduceOp op) {
  auto type = cast<RankedTensorType>(op.getInput().getType());
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

/// Emits loops over `shape`, and `body` inside, with an index for each
/// dimension.
static void emitLoops(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape,
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

/// Returns `view` where its elements are dense, or else a copy of it in a
/// buffer of its own.
static BufferView getDense(ImplicitLocOpBuilder &b, AllReduceOp op,
                           const BufferView &view, LaunchTensors &tensors,
                           CPUTileBody &body) {
  if (view.strides == computeStrides(view.shape))
    return view;
  BufferView dense = tensors.createBuffer(
      op.getLoc(), cast<RankedTensorType>(op.getInput().getType()));
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

static Value emitWidened(ImplicitLocOpBuilder &b, Value value) {
  return value.getType().isF32()
             ? value
             : arith::ExtFOp::create(b, b.getF32Type(), value).getResult();
}

bool AllReduceBody::handles(Operation *kernel) const {
  return isa<AllReduceOp>(kernel);
}

launch::ExchangeAttr AllReduceBody::getExchange(Operation *kernel) const {
  auto op = cast<AllReduceOp>(kernel);
  int64_t bytes = kernelabi::getExchangeHeaderBytes(op.getRanks()) +
                  2 * kernelabi::getExchangeBytes(getBytes(op));
  return launch::ExchangeAttr::get(op.getContext(), op.getRanks(), bytes,
                                   /*offset=*/-1);
}

LogicalResult AllReduceBody::emit(TileKernelOpInterface kernel,
                                  LaunchTensors &tensors,
                                  const SemaphoreLayout &layout,
                                  CPUTileBody &body) const {
  auto op = cast<AllReduceOp>(kernel.getOperation());
  FailureOr<BufferView> input = tensors.getView(op.getInput(), op);
  FailureOr<BufferView> output = tensors.getView(op.getOutput(), op);
  if (failed(input) || failed(output))
    return failure();
  ImplicitLocOpBuilder b(body.loc, body.builder);
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Type element = input->elementType;
  BufferView dense = getDense(b, op, *input, tensors, body);
  Value data =
      LLVM::GEPOp::create(b, pointer, element, body.getAddress(dense.buffer),
                          ValueRange{arith::ConstantIntOp::create(
                              b, b.getI64Type(), dense.offset)});
  Value bytes = arith::ConstantIntOp::create(b, b.getI64Type(), getBytes(op));
  Value given =
      emitContextCall(b, op.getLoc(), body.getFunction().getArgument(0),
                      ContextFunction::exchange, {data, bytes}, pointer);
  SmallVector<Value> operands;
  for (int64_t rank = 0, ranks = op.getRanks(); rank != ranks; ++rank)
    operands.push_back(LLVM::LoadOp::create(
        b, pointer,
        LLVM::GEPOp::create(b, pointer, pointer, given,
                            ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(rank)})
            .getResult()));

  Value result = body.getMemRef(*output);
  emitLoops(b, output->shape, [&](ArrayRef<Value> indices) {
    Value number = emitNumber(b, indices, output->shape);
    Value sum;
    for (Value operand : operands) {
      Value address =
          LLVM::GEPOp::create(b, pointer, element, operand, ValueRange{number});
      Value term =
          emitWidened(b, LLVM::LoadOp::create(b, element, address).getResult());
      sum = sum ? arith::AddFOp::create(b, sum, term).getResult() : term;
    }
    if (!element.isF32())
      sum = arith::TruncFOp::create(b, element, sum);
    memref::StoreOp::create(b, sum, result, indices);
  });
  return success();
}
