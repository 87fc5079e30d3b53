//===- TestPrograms.h - Kernels to test the analysis with -------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_ANALYSIS_TESTPROGRAMS_H
#define GROUT_UNITTESTS_ANALYSIS_TESTPROGRAMS_H

#include "grout/Analysis/DerivePolicy.h"
#include "grout/Analysis/TileProgram.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/ErrorHandling.h"

namespace grout::test {

/// The context of all affine maps in the tests.
mlir::MLIRContext *getContext();

/// Parses "(d0, d1) -> (d0)"; names are free.
mlir::AffineMap parseMap(llvm::StringRef text);
mlir::AffineExpr parseExpr(llvm::StringRef dims, llvm::StringRef expr);

/// "(d0, d1) -> (d0)".
std::string str(mlir::AffineMap map);

/// An access with a parsed map.
ElementAccess makeAccess(llvm::StringRef map,
                         llvm::ArrayRef<int64_t> localSizes,
                         llvm::ArrayRef<int64_t> shape,
                         llvm::ArrayRef<View> views = {});

/// c[m, n] = a[m, k] * b[k, n], in tiles of tm * tn with steps of tk.
struct Gemm {
  TileKernel kernel;
  ElementAccess a, b, c;
};
Gemm makeGemm(llvm::StringRef name, int64_t m, int64_t n, int64_t k, int64_t tm,
              int64_t tn, int64_t tk);

/// The value of an expected one; ends the test program with its error.
template <typename T> T unwrapOrDie(llvm::Expected<T> value) {
  if (!value)
    llvm::report_fatal_error(value.takeError());
  return std::move(*value);
}

/// Derives the policy of a dependence between two accesses.
DerivedPolicy derive(const IslContext &context, const TileKernel &producer,
                     const ElementAccess &write, const TileKernel &consumer,
                     const ElementAccess &read, Granularity granularity);

/// The maps (i, j, ...) -> (kernel, i, j, ...), padded to one rank: kernels one
/// after another.
std::vector<mlir::AffineMap> kernelByKernel(llvm::ArrayRef<TileKernel> kernels);

} // namespace grout::test

#endif // GROUT_UNITTESTS_ANALYSIS_TESTPROGRAMS_H
