//===- CPUTileBody.cpp - The frame of a CPU tile body ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/CPUTileBody.h"

#include "grout/Dialect/TSync/IR/TSync.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace grout;

unsigned LaunchBuffers::getIndex(Value buffer) {
  auto *it = llvm::find(buffers, buffer);
  if (it == buffers.end()) {
    buffers.push_back(buffer);
    return buffers.size() - 1;
  }
  return it - buffers.begin();
}

SmallVector<Attribute> LaunchBuffers::getArgs(MLIRContext *context) const {
  SmallVector<Attribute> args;
  for (unsigned index = 0, e = buffers.size(); index != e; ++index)
    args.push_back(
        launch::ArgAttr::get(context, launch::ArgKind::buffer, index));
  return args;
}

/// Returns how many of the outermost dimensions of a grid of `rank` dimensions
/// are packed into the first coordinate of a task.
static unsigned getNumPacked(unsigned rank) {
  return rank > kMaxGridRank ? rank - kMaxGridRank + 1 : 1;
}

void grout::packGrid(SmallVectorImpl<int64_t> &grid, AffineMap &order) {
  MLIRContext *context = order.getContext();
  if (grid.empty()) {
    grid.push_back(1);
    order = AffineMap::get(1, 0, order.getResults(), context);
    return;
  }
  unsigned numPacked = getNumPacked(grid.size());
  SmallVector<AffineExpr> coordinates(grid.size());
  AffineExpr packed = getAffineDimExpr(0, context);
  int64_t extent = 1;
  for (unsigned dim = numPacked; dim-- > 0;) {
    coordinates[dim] = dim == 0 ? packed : packed % grid[dim];
    packed = packed.floorDiv(grid[dim]);
    extent *= grid[dim];
  }
  for (unsigned dim = numPacked, e = grid.size(); dim != e; ++dim)
    coordinates[dim] = getAffineDimExpr(dim - numPacked + 1, context);
  grid.erase(grid.begin(), grid.begin() + numPacked);
  grid.insert(grid.begin(), extent);
  order = order.compose(AffineMap::get(grid.size(), 0, coordinates, context));
}

CPUTileBody::CPUTileBody(ModuleOp module, StringRef name, Location loc,
                         ArrayRef<int64_t> grid, LaunchBuffers &buffers)
    : builder(module.getContext()), loc(loc), buffers(buffers) {
  builder.setInsertionPointToEnd(module.getBody());
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type i32 = builder.getI32Type();
  // Every body has kMaxGridRank coordinates, regardless of the rank of its
  // grid.
  func = func::FuncOp::create(
      builder, loc, name,
      builder.getFunctionType({pointer, i32, i32, i32}, {}));
  Block *entry = func.addEntryBlock();
  builder.setInsertionPointToEnd(entry);
  auto end = func::ReturnOp::create(builder, loc);
  builder.setInsertionPoint(end);
  auto getCoordinate = [&](unsigned position) -> Value {
    return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                        entry->getArgument(1 + position));
  };
  tile.resize(grid.size());
  if (grid.empty())
    return;
  unsigned numPacked = getNumPacked(grid.size());
  Value packed = getCoordinate(0);
  for (unsigned dim = numPacked - 1; dim > 0; --dim) {
    Value extent = createIndex(grid[dim]);
    tile[dim] = arith::RemUIOp::create(builder, loc, packed, extent);
    packed = arith::DivUIOp::create(builder, loc, packed, extent);
  }
  tile[0] = packed;
  for (unsigned dim = numPacked, e = grid.size(); dim != e; ++dim)
    tile[dim] = getCoordinate(dim - numPacked + 1);
}

OpBuilder CPUTileBody::getEntryBuilder() {
  return OpBuilder::atBlockBegin(&func.getBody().front());
}

Value CPUTileBody::getAddress(Value buffer) {
  Value &address = addresses[buffer];
  if (address)
    return address;
  OpBuilder entry = getEntryBuilder();
  auto pointer = LLVM::LLVMPointerType::get(entry.getContext());
  // The list of addresses is the context's first field.
  Value list = LLVM::LoadOp::create(entry, loc, pointer, func.getArgument(0));
  Value place = LLVM::GEPOp::create(
      entry, loc, pointer, pointer, list,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(buffers.getIndex(buffer))});
  address = LLVM::LoadOp::create(entry, loc, pointer, place);
  return address;
}

Value CPUTileBody::getMemRef(const BufferView &view) {
  auto layout =
      StridedLayoutAttr::get(builder.getContext(), view.offset, view.strides);
  auto type = MemRefType::get(view.shape, view.elementType, layout);
  LLVMTypeConverter converter(builder.getContext());
  Value descriptor = MemRefDescriptor::fromStaticShape(
      builder, loc, converter, type, getAddress(view.buffer));
  return UnrealizedConversionCastOp::create(builder, loc, type, descriptor)
      .getResult(0);
}

Value CPUTileBody::getSemaphores() {
  return UnrealizedConversionCastOp::create(
             builder, loc, tsync::SemaphoresType::get(builder.getContext()),
             func.getArgument(0))
      .getResult(0);
}

Value CPUTileBody::createLocal(ArrayRef<int64_t> shape, Type elementType) {
  OpBuilder entry = getEntryBuilder();
  // Aligned to a cache line, so that no vector straddles two.
  return memref::AllocaOp::create(entry, loc,
                                  MemRefType::get(shape, elementType),
                                  entry.getI64IntegerAttr(64));
}

Value CPUTileBody::createIndex(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}
