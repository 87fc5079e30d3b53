//===- TestProducts.h - Matrix products for tests ---------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_TGEMM_TESTPRODUCTS_H
#define GROUT_UNITTESTS_TGEMM_TESTPRODUCTS_H

#include "grout/Hopper/Gemm/ProductModel.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <string>
#include <vector>

namespace grout::tgemm {

/// A product of m x k by k x n in f16, or by n x k; gated ones have two.
struct Shape {
  int64_t m, n, k;
  bool isGated = false, transposesRhs = false;
};

/// Ops of several shapes, that do not depend on each other, without tilings.
class TestProducts {
public:
  explicit TestProducts(const std::vector<Shape> &shapes);

  std::vector<ProductOpInterface> ops;

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// The products of MLPs with `m` rows, in pairs: those of GPT-3 and of LLaMA on
/// 8 GPUs, of Llama 3 and of GPT-2.
std::vector<std::vector<Shape>> getMLPs(int64_t m);

/// The H200's model of products.
const hopper::HopperProductModel &getGPU();

/// The same of a processor like it.
hopper::HopperProductModel getModel(const TargetSpec &target);

} // namespace grout::tgemm

#endif // GROUT_UNITTESTS_TGEMM_TESTPRODUCTS_H
