//===- TileKernel.cpp - Tile grids and element accesses -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/TileKernel.h"

namespace grout {

std::string TileKernel::getGridParameter(unsigned dim) const {
  if (dim < gridParameters.size() && !gridParameters[dim].empty())
    return gridParameters[dim];
  return name + "_" + std::to_string(dim);
}

View View::slice(llvm::ArrayRef<int64_t> offsets, llvm::ArrayRef<int64_t> sizes,
                 llvm::ArrayRef<int64_t> strides) {
  return {Slice{llvm::to_vector(offsets), llvm::to_vector(sizes),
                llvm::to_vector(strides)}};
}

View View::reshape(llvm::ArrayRef<int64_t> viewShape,
                   llvm::ArrayRef<int64_t> sourceShape) {
  return {Reshape{llvm::to_vector(viewShape), llvm::to_vector(sourceShape)}};
}

View View::transpose(llvm::ArrayRef<int64_t> permutation) {
  return {Transpose{llvm::to_vector(permutation)}};
}

} // namespace grout
