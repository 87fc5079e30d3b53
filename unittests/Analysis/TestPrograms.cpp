//===- TestPrograms.cpp - Kernels to test the analysis with ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TestPrograms.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace grout::test {

MLIRContext *getContext() {
  static MLIRContext context(MLIRContext::Threading::DISABLED);
  return &context;
}

AffineMap parseMap(llvm::StringRef text) {
  Attribute attribute =
      parseAttribute(("affine_map<" + text + ">").str(), getContext());
  return cast<AffineMapAttr>(attribute).getValue();
}

AffineExpr parseExpr(llvm::StringRef dims, llvm::StringRef expr) {
  return parseMap(("(" + dims + ") -> (" + expr + ")").str()).getResult(0);
}

std::string str(AffineMap map) {
  std::string text;
  llvm::raw_string_ostream(text) << map;
  return text;
}

ElementAccess makeAccess(llvm::StringRef map,
                         llvm::ArrayRef<int64_t> localSizes,
                         llvm::ArrayRef<int64_t> shape,
                         llvm::ArrayRef<View> views) {
  ElementAccess access;
  access.map = parseMap(map);
  access.localSizes = llvm::to_vector(localSizes);
  access.shape = llvm::to_vector(shape);
  access.views = llvm::to_vector(views);
  return access;
}

Gemm makeGemm(llvm::StringRef name, int64_t m, int64_t n, int64_t k, int64_t tm,
              int64_t tn, int64_t tk) {
  Gemm gemm;
  gemm.kernel.name = name.str();
  gemm.kernel.grid = {llvm::divideCeilSigned(m, tm),
                      llvm::divideCeilSigned(n, tn)};
  gemm.kernel.steps = llvm::divideCeilSigned(k, tk);
  auto scaled = [](const char *dim, int64_t tile, const char *local) {
    return std::string(dim) + " * " + std::to_string(tile) + " + " + local;
  };
  std::string head = "(i, j, s, p, q) -> (";
  gemm.a = makeAccess(head + scaled("i", tm, "p") + ", " +
                          scaled("s", tk, "q") + ")",
                      {tm, tk}, {m, k});
  gemm.b = makeAccess(head + scaled("s", tk, "p") + ", " +
                          scaled("j", tn, "q") + ")",
                      {tk, tn}, {k, n});
  gemm.c = makeAccess(head + scaled("i", tm, "p") + ", " +
                          scaled("j", tn, "q") + ")",
                      {tm, tn}, {m, n});
  return gemm;
}

DerivedPolicy derive(const IslContext &context, const TileKernel &producer,
                     const ElementAccess &write, const TileKernel &consumer,
                     const ElementAccess &read, Granularity granularity) {
  TileDependence dependence = unwrapOrDie(
      deriveDependence(context, 0, producer, write, 1, consumer, 0, read));
  return unwrapOrDie(
      derivePolicy(dependence, producer, consumer, granularity, getContext()));
}

std::vector<AffineMap> kernelByKernel(llvm::ArrayRef<TileKernel> kernels) {
  size_t rank = 0;
  for (const TileKernel &kernel : kernels)
    rank = std::max(rank, kernel.grid.size());
  std::vector<AffineMap> maps;
  for (auto [index, kernel] : llvm::enumerate(kernels)) {
    llvm::SmallVector<AffineExpr> results = {
        getAffineConstantExpr(index, getContext())};
    for (size_t dim = 0; dim < rank; ++dim)
      results.push_back(dim < kernel.grid.size()
                            ? getAffineDimExpr(dim, getContext())
                            : getAffineConstantExpr(0, getContext()));
    maps.push_back(
        AffineMap::get(kernel.grid.size(), 0, results, getContext()));
  }
  return maps;
}

} // namespace grout::test
