//===- TestProducts.cpp - Matrix products for tests -----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TestProducts.h"

#include "grout/InitAllTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

static std::string getType(int64_t rows, int64_t columns) {
  return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) +
         "xf16>";
}

/// A function that computes `shape`.
static std::string getText(const Shape &shape, size_t number) {
  std::string lhs = getType(shape.m, shape.k),
              rhs = shape.transposesRhs ? getType(shape.n, shape.k)
                                        : getType(shape.k, shape.n),
              result = getType(shape.m, shape.n);
  std::string transpose = shape.transposesRhs ? " {transpose_rhs}" : "";
  std::string text = "func.func @f" + std::to_string(number) + "(%x: " + lhs +
                     ", %w: " + rhs + ") -> " + result +
                     " {\n  %y = tgemm.matmul %x, %w";
  if (shape.isGated)
    text += ", %w" + transpose + " : " + lhs + ", " + rhs + ", " + rhs +
            " -> " + result + R"( {
  ^bb0(%a: f32, %b: f32):
    %product = arith.mulf %a, %b : f32
    %out = arith.truncf %product : f32 to f16
    tgemm.yield %out : f16
  })";
  else
    text += transpose + " : " + lhs + ", " + rhs + " -> " + result;
  return text + "\n  return %y : " + result + "\n}\n";
}

TestProducts::TestProducts(const std::vector<Shape> &shapes) {
  context.loadDialect<arith::ArithDialect, func::FuncDialect, TGemmDialect>();
  std::string text;
  for (size_t i = 0; i != shapes.size(); ++i)
    text += getText(shapes[i], i);
  module = parseSourceString<ModuleOp>(text, &context);
  module->walk([&](ProductOpInterface op) { ops.push_back(op); });
}

std::vector<std::vector<Shape>> tgemm::getMLPs(int64_t m) {
  return {{{m, 6144, 12288}, {m, 12288, 6144}},
          {{m, 2816, 8192, /*isGated=*/true}, {m, 8192, 2816}},
          {{m, 14336, 4096, /*isGated=*/true}, {m, 4096, 14336}},
          {{m, 3072, 768}, {m, 768, 3072}}};
}

const hopper::HopperProductModel &tgemm::getGPU() {
  registerAllTargets();
  return *static_cast<const hopper::HopperProductModel *>(
      lookupTarget("h200")->getInterface<ProductModel>());
}

hopper::HopperProductModel tgemm::getModel(const TargetSpec &target) {
  return {target, getGPU().getConstants()};
}
