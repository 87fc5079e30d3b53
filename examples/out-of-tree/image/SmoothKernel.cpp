//===- SmoothKernel.cpp - image.smooth on GPUs ----------------------------===//
//
// Part of Grout. A thread has one column of the tile, and every fourth row.
//
//===----------------------------------------------------------------------===//

#include "image/SmoothKernel.h"

#include "grout/Conversion/Common/CPUTileBody.h"
#include "grout/Conversion/Common/TileSynchronisation.h"
#include "image/Image.h"
#include "image/SmoothTiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace grout;
using namespace image;

/// The threads of a block.
static constexpr int64_t kThreads = 256;

namespace {

/// A matrix in global memory.
struct Matrix {
  Value pointer;
  BufferView view;
};

/// Emits the code of one launch into a function.
class SmoothEmitter {
public:
  SmoothEmitter(SmoothOp op, LLVM::LLVMFuncOp func,
                const TileSynchronisation &sync, const LaunchBuffers &buffers)
      : op(op), func(func), sync(sync),
        states(ValueRange(func.getArguments())
                   .drop_front(buffers.getBuffers().size())),
        b(op.getLoc(), OpBuilder::atBlockBegin(&func.getBody().front())) {}

  LogicalResult emit(const Matrix &input, const Matrix &output,
                     ArrayRef<int64_t> grid);

private:
  Value emitI32(int64_t value) {
    return arith::ConstantIntOp::create(b, b.getI32Type(), value);
  }
  Value emitF32(float value) {
    return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
  }
  Value emitIsBelow(Value value, int64_t end) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, value,
                                 emitI32(end));
  }
  /// Where the element at (`row`, `column`) is.
  Value emitAddress(const Matrix &matrix, Value row, Value column);
  /// The element, if its row is in the image, else zero.
  Value emitLoad(const Matrix &matrix, Value row, Value column);
  /// One element of the result.
  void emitElement(const Matrix &input, const Matrix &output, Value row,
                   Value column);
  /// The elements of this thread in the tile at `tile`.
  void emitTile(const Matrix &input, const Matrix &output, ValueRange tile);

  SmoothOp op;
  LLVM::LLVMFuncOp func;
  const TileSynchronisation &sync;
  ValueRange states;
  ImplicitLocOpBuilder b;
};

} // namespace

Value SmoothEmitter::emitAddress(const Matrix &matrix, Value row,
                                 Value column) {
  Type i64 = b.getI64Type();
  Value offset = arith::ConstantIntOp::create(b, i64, matrix.view.offset);
  for (auto [index, stride] :
       llvm::zip(ValueRange{row, column}, matrix.view.strides)) {
    Value wide = arith::ExtUIOp::create(b, i64, index);
    Value step = arith::ConstantIntOp::create(b, i64, stride);
    offset =
        arith::AddIOp::create(b, offset, arith::MulIOp::create(b, wide, step));
  }
  return LLVM::GEPOp::create(b, matrix.pointer.getType(), b.getF32Type(),
                             matrix.pointer, ValueRange{offset});
}

Value SmoothEmitter::emitLoad(const Matrix &matrix, Value row, Value column) {
  // The row above the first is a large number, too.
  auto choice = scf::IfOp::create(b, b.getF32Type(),
                                  emitIsBelow(row, matrix.view.shape[0]),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  Value element =
      LLVM::LoadOp::create(b, b.getF32Type(), emitAddress(matrix, row, column));
  scf::YieldOp::create(b, element);
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, emitF32(0));
  return choice.getResult(0);
}

void SmoothEmitter::emitElement(const Matrix &input, const Matrix &output,
                                Value row, Value column) {
  Value one = emitI32(1);
  Value above = emitLoad(input, arith::SubIOp::create(b, row, one), column);
  Value below = emitLoad(input, arith::AddIOp::create(b, row, one), column);
  Value outer = arith::MulFOp::create(b, arith::AddFOp::create(b, above, below),
                                      emitF32(0.25f));
  Value inner =
      arith::MulFOp::create(b, emitLoad(input, row, column), emitF32(0.5f));
  LLVM::StoreOp::create(b, arith::AddFOp::create(b, outer, inner),
                        emitAddress(output, row, column));
}

void SmoothEmitter::emitTile(const Matrix &input, const Matrix &output,
                             ValueRange tile) {
  OpBuilder::InsertionGuard guard(b);
  Value thread = NVVM::ThreadIdXOp::create(b, b.getI32Type());
  Value columns = emitI32(kTileColumns);
  Value column =
      arith::AddIOp::create(b, arith::MulIOp::create(b, tile[1], columns),
                            arith::RemUIOp::create(b, thread, columns));
  auto hasColumn =
      scf::IfOp::create(b, emitIsBelow(column, output.view.shape[1]));
  b.setInsertionPointToStart(hasColumn.thenBlock());
  auto loop =
      scf::ForOp::create(b, arith::DivUIOp::create(b, thread, columns),
                         emitI32(kTileRows), emitI32(kThreads / kTileColumns));
  b.setInsertionPointToStart(loop.getBody());
  Value row = arith::AddIOp::create(
      b, arith::MulIOp::create(b, tile[0], emitI32(kTileRows)),
      loop.getInductionVar());
  auto hasRow = scf::IfOp::create(b, emitIsBelow(row, output.view.shape[0]));
  b.setInsertionPointToStart(hasRow.thenBlock());
  emitElement(input, output, row, column);
}

LogicalResult SmoothEmitter::emit(const Matrix &input, const Matrix &output,
                                  ArrayRef<int64_t> grid) {
  emitStart(b, sync);
  Value block = NVVM::BlockIdXOp::create(b, b.getI32Type());
  Value gridColumns = emitI32(grid[1]);
  SmallVector<Value> tile{arith::DivUIOp::create(b, block, gridColumns),
                          arith::RemUIOp::create(b, block, gridColumns)};
  if (failed(emitTileWaits(b, sync, states, grid, tile)))
    return failure();
  emitTile(input, output, tile);
  if (failed(emitEnd(b, sync, states, tile)))
    return failure();
  LLVM::ReturnOp::create(b, ValueRange());
  return success();
}

/// Adds kernel `name`, whose parameters are `numParams` pointers, to `module`.
static LLVM::LLVMFuncOp createKernel(Operation *module, Location loc,
                                     StringRef name, size_t numParams) {
  auto builder =
      OpBuilder::atBlockEnd(cast<gpu::GPUModuleOp>(module).getBody());
  MLIRContext *context = module->getContext();
  SmallVector<Type> params(numParams, LLVM::LLVMPointerType::get(context));
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), params);
  auto func = LLVM::LLVMFuncOp::create(builder, loc, name, type);
  func->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                builder.getUnitAttr());
  func->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                builder.getDenseI32ArrayAttr({kThreads, 1, 1}));
  func.addEntryBlock(builder);
  return func;
}

bool SmoothKernel::handles(launch::TilesOp launch) const {
  SmallVector<TileKernelOpInterface> kernels = launch.getKernels();
  return kernels.size() == 1 && isa<SmoothOp>(kernels.front());
}

FailureOr<LaunchCode> SmoothKernel::generate(launch::TilesOp launch,
                                             LaunchTensors &tensors,
                                             Operation *module,
                                             const TargetSpec &) const {
  TileKernelOpInterface kernel = launch.getKernels().front();
  auto op = cast<SmoothOp>(kernel.getOperation());
  FailureOr<BufferView> input = tensors.getView(op.getInput(), op);
  FailureOr<BufferView> output = tensors.getView(op.getOutput(), op);
  FailureOr<SmallVector<int64_t>> grid = kernel.getTileGrid();
  if (failed(input) || failed(output) || failed(grid))
    return failure();

  // A kernel's parameters are its buffers, and then its synchronisation state.
  LaunchBuffers buffers;
  unsigned source = buffers.getIndex(input->buffer);
  unsigned target = buffers.getIndex(output->buffer);
  auto sync = TileSynchronisation::get(launch, kernel.getOperation());
  LaunchCode code;
  code.entries = {launch.getName().str()};
  llvm::append_range(code.buffers, buffers.getBuffers());
  code.args = buffers.getArgs(op.getContext());
  llvm::append_range(code.args, sync.getArgs(op.getContext()));
  code.grids = {{(*grid)[0] * (*grid)[1]}};
  code.block = kThreads;

  LLVM::LLVMFuncOp func =
      createKernel(module, op.getLoc(), launch.getName(), code.args.size());
  SmoothEmitter emitter(op, func, sync, buffers);
  if (failed(emitter.emit({func.getArgument(source), *input},
                          {func.getArgument(target), *output}, *grid)))
    return failure();
  return code;
}
