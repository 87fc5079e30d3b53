//===- OperandLoader.cpp - Loads of operands A and B
//-----------------------===//
//
// Part of Grout. MatrixLoader::plan is in TensorMaps.cpp.
//
//===----------------------------------------------------------------------===//

#include "grout/Hopper/Gemm/OperandLoader.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

OperandLoader::~OperandLoader() = default;

bool MatrixLoader::handles(Operation *product) const {
  return isa<tgemm::MatmulOp, tgemm::GroupedMatmulOp>(product);
}

SmallVector<OperandCopy>
MatrixLoader::getCopies(const GemmContext &context, const BodyPlan &body,
                        const OperandPlan &operand,
                        const OperandPart &part) const {
  DeviceBuilder &b = context.b;
  Value first = part.first;
  Value firstElement = b.mul(part.step, body.tiling.getK());
  // Rows of shared memory run along the tile or along the reduction: the row
  // offset is added to that coordinate.
  (operand.isMNMajor ? firstElement : first) =
      b.add(operand.isMNMajor ? firstElement : first, part.firstShared);
  SmallVector<OperandCopy> copies;
  for (int64_t chunk = 0; chunk != body.getChunksPerStep(); ++chunk) {
    Value element = b.add(firstElement, chunk * operand.getChunk());
    for (int64_t copy = 0; copy != operand.copies; ++copy) {
      Value mn = b.add(first, copy * operand.getRowElements());
      SmallVector<Value> coordinates = operand.isMNMajor
                                           ? SmallVector<Value>{mn, element}
                                           : SmallVector<Value>{element, mn};
      if (operand.isBatched)
        coordinates.push_back(context.getBatch(body, part.task));
      copies.push_back({coordinates,
                        operand.offset + chunk * operand.chunkBytes +
                            copy * operand.getBlockBytes(),
                        /*im2colOffsets=*/{}});
    }
  }
  return copies;
}
