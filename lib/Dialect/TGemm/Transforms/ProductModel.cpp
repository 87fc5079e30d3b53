//===- ProductModel.cpp - Interface of a target's product model -----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/Transforms/ProductModel.h"

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

std::string tgemm::findPartsProblem(ProductOpInterface op, TilingAttr tiling) {
  if (!tiling.hasParts())
    return "";
  if (!op.takesParts())
    return "cannot use stream-K: no kernel makes its partial sums";
  if (op.isBatched())
    return "cannot use stream-K in a batch";
  return findPartsProblem(tiling, op.getN(), op.getK());
}

int64_t tgemm::getOperandBytes(ProductOpInterface op) {
  return op.getOperandElements() * (op.getInputElementType().getWidth() / 8);
}

bool tgemm::stayInCache(ProductOpInterface op, const TargetSpec &target) {
  return getOperandBytes(op) <= target.getKeptBytes();
}

std::array<std::pair<StringRef, double>, 12> TilingTime::getParts() const {
  return {{{"products", products},
           {"cache", cache},
           {"entry", entry},
           {"latency", latency},
           {"memory", memory},
           {"epilogue", epilogue},
           {"exchange", exchange},
           {"sums", sums},
           {"clusters", clusters},
           {"early", early},
           {"waves", waves},
           {"hidden", hidden}}};
}

StringRef TilingTime::getBound() const {
  auto parts = getParts();
  // The last part is time that other work hides, which bounds nothing.
  return llvm::max_element(ArrayRef(parts).drop_back(), llvm::less_second())
      ->first;
}
