//===- FactorLoader.cpp - Loads of operands A and B -----------------------===//
//
// Part of Grout. MatrixLoader::plan is in TensorMaps.cpp.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/TGemmToNVVM/FactorLoader.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

FactorLoader::~FactorLoader() = default;

bool MatrixLoader::handles(Operation *product) const {
  return isa<tgemm::MatmulOp>(product);
}

SmallVector<FactorCopy> MatrixLoader::getCopies(const KernelContext &context,
                                                const BodyPlan &body,
                                                const FactorPlan &factor,
                                                const FactorPart &part) const {
  DeviceBuilder &b = context.b;
  Value first = part.first;
  Value firstElement = b.mul(part.step, body.tiling.getK());
  // Rows of shared memory run along the tile or along the reduction: the row
  // offset is added to that coordinate.
  (factor.isMNMajor ? firstElement : first) =
      b.add(factor.isMNMajor ? firstElement : first, part.firstShared);
  SmallVector<FactorCopy> copies;
  for (int64_t chunk = 0; chunk != body.getChunksPerStep(); ++chunk) {
    Value element = b.add(firstElement, chunk * kChunk);
    for (int64_t copy = 0; copy != factor.copies; ++copy) {
      Value mn = b.add(first, copy * factor.getRowElements());
      SmallVector<Value> coordinates = factor.isMNMajor
                                           ? SmallVector<Value>{mn, element}
                                           : SmallVector<Value>{element, mn};
      if (factor.isBatched)
        coordinates.push_back(context.getBatch(body, part.task));
      copies.push_back({coordinates,
                        factor.offset + chunk * factor.chunkBytes +
                            copy * factor.getBlockBytes(),
                        /*im2colOffsets=*/{}});
    }
  }
  return copies;
}
