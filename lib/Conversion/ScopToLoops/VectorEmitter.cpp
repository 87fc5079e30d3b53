//===- VectorEmitter.cpp - A vector of instances --------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "VectorEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace grout::scop;

Operation *grout::scop::findScalarOp(StmtOp statement) {
  for (Operation &op : statement.getBody().front().without_terminator())
    if (!isa<IndexOp, arith::ConstantOp>(op) &&
        !OpTrait::hasElementwiseMappableTraits(&op))
      return &op;
  return nullptr;
}

namespace {

class VectorEmitter {
public:
  VectorEmitter(OpBuilder &builder, StmtOp statement, ArrayRef<Instance> lanes,
                const IRMapping &arrays)
      : builder(builder), loc(statement.getLoc()), lanes(lanes), arrays(arrays),
        mapping(arrays) {}

  void load(BlockArgument element, Value array, AffineMap map,
            VectorAccessKind kind) {
    Value memref = arrays.lookup(array);
    auto loadLane = [&](const Instance &lane) -> Value {
      return memref::LoadOp::create(builder, loc, memref,
                                    emitIndices(builder, loc, map, lane));
    };
    VectorType type = getVectorType(element.getType());
    switch (kind) {
    case VectorAccessKind::Uniform:
      mapping.map(element, loadLane(lanes.front()));
      break;
    case VectorAccessKind::Contiguous:
      mapping.map(element, vector::LoadOp::create(
                               builder, loc, type, memref,
                               emitIndices(builder, loc, map, lanes.front()),
                               /*nontemporal=*/false, getAlignment(type)));
      break;
    case VectorAccessKind::Scattered:
      mapping.map(element, vector::FromElementsOp::create(
                               builder, loc, type,
                               llvm::map_to_vector(lanes, loadLane)));
      break;
    }
  }

  void compute(Operation &op) {
    if (auto index = dyn_cast<IndexOp>(op)) {
      SmallVector<Value> values =
          llvm::map_to_vector(lanes, [&](const Instance &lane) {
            return emitIterator(builder, index, lane);
          });
      mapping.map(index.getValue(),
                  vector::FromElementsOp::create(
                      builder, loc, getVectorType(index.getType()), values));
      return;
    }
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      auto splat = DenseElementsAttr::get(getVectorType(constant.getType()),
                                          Attribute(constant.getValue()));
      mapping.map(constant.getResult(),
                  arith::ConstantOp::create(builder, loc, splat).getResult());
      return;
    }
    for (Value operand : op.getOperands())
      getVector(operand);
    Operation *copy = builder.clone(op, mapping);
    for (Value result : copy->getResults())
      result.setType(getVectorType(result.getType()));
  }

  void store(Value result, Value array, AffineMap map, VectorAccessKind kind) {
    Value memref = arrays.lookup(array);
    Value value = getVector(result);
    if (kind == VectorAccessKind::Contiguous) {
      vector::StoreOp::create(builder, loc, value, memref,
                              emitIndices(builder, loc, map, lanes.front()),
                              /*nontemporal=*/false,
                              getAlignment(cast<VectorType>(value.getType())));
      return;
    }
    for (auto [number, lane] : llvm::enumerate(lanes))
      memref::StoreOp::create(
          builder, loc,
          vector::ExtractOp::create(builder, loc, value,
                                    static_cast<int64_t>(number)),
          memref, emitIndices(builder, loc, map, lane));
  }

private:
  VectorType getVectorType(Type element) {
    return VectorType::get({static_cast<int64_t>(lanes.size())}, element);
  }

  /// Returns the proved alignment in bytes.
  static llvm::MaybeAlign getAlignment(VectorType type) {
    return llvm::MaybeAlign(type.getNumElements() *
                            type.getElementTypeBitWidth() / 8);
  }

  /// Returns the vector for a value of the region, with a copy in each lane if
  /// it is a scalar.
  Value getVector(Value value) {
    Value copy = mapping.lookup(value);
    if (isa<VectorType>(copy.getType()))
      return copy;
    copy = vector::BroadcastOp::create(builder, loc,
                                       getVectorType(copy.getType()), copy);
    mapping.map(value, copy);
    return copy;
  }

  OpBuilder &builder;
  Location loc;
  ArrayRef<Instance> lanes;
  const IRMapping &arrays;
  IRMapping mapping;
};

} // namespace

void grout::scop::emitVectorInstance(OpBuilder &builder, StmtOp statement,
                                     ArrayRef<Instance> lanes,
                                     const IRMapping &arrays,
                                     ArrayRef<VectorAccessKind> reads,
                                     ArrayRef<VectorAccessKind> writes) {
  VectorEmitter emitter(builder, statement, lanes, arrays);
  Block &block = statement.getBody().front();
  for (auto [read, array, kind] : llvm::enumerate(statement.getReads(), reads))
    emitter.load(block.getArgument(read), array, statement.getReadMap(read),
                 kind);
  for (Operation &op : block.without_terminator())
    emitter.compute(op);
  // All reads come before all writes.
  Operation *yield = block.getTerminator();
  for (auto [write, array, kind] :
       llvm::enumerate(statement.getWrites(), writes))
    emitter.store(yield->getOperand(write), array, statement.getWriteMap(write),
                  kind);
}
