//===- ParsedChain.cpp - Chains of real kernels as programs ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ParsedChain.h"

#include "BruteForce.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace grout::test {

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string getTensorType(llvm::ArrayRef<int64_t> shape,
                          llvm::StringRef element) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element.str() + ">";
}

std::string ChainText::addInput(llvm::ArrayRef<int64_t> shape) {
  std::string name = "%v" + std::to_string(numValues++);
  arguments +=
      (arguments.empty() ? "" : ", ") + name + ": " + getTensorType(shape);
  return name;
}

std::string ChainText::add(llvm::StringRef op, llvm::ArrayRef<int64_t> shape,
                           llvm::StringRef element) {
  last = "%v" + std::to_string(numValues++);
  type = getTensorType(shape, element);
  body += ("    " + last + " = " + op + "\n").str();
  return last;
}

std::string ChainText::reshape(llvm::StringRef op, llvm::StringRef tensor,
                               llvm::ArrayRef<int64_t> from,
                               llvm::StringRef reassociation,
                               llvm::ArrayRef<int64_t> to) {
  std::string shape;
  if (op == "expand_shape")
    for (int64_t extent : to)
      shape +=
          (shape.empty() ? " output_shape [" : ", ") + std::to_string(extent);
  if (!shape.empty())
    shape += "]";
  return add(("tensor." + op + " " + tensor + " " + reassociation + shape +
              " : " + getTensorType(from) + " into " + getTensorType(to))
                 .str(),
             to);
}

std::string ChainText::str() const {
  return "func.func @f(" + arguments + ") -> " + type +
         " {\n  %chain = tsync.chain mode(persistent) : " + type + " {\n" +
         body + "    tsync.yield " + last + " : " + type +
         "\n  }\n  return %chain : " + type + "\n}\n";
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

ParsedChain::ParsedChain(const ChainText &text) {
  // All maps of the tests are of one context.
  MLIRContext *context = getContext();
  context->loadDialect<arith::ArithDialect, func::FuncDialect,
                       tensor::TensorDialect, tgemm::TGemmDialect,
                       tsync::TSyncDialect>();
  module = parseSourceString<ModuleOp>(text.str(), context);
  if (!module)
    llvm::report_fatal_error(llvm::StringRef("cannot parse\n" + text.str()));
  module->walk([&](tsync::ChainOp op) {
    FailureOr<tsync::ChainProgram> program = tsync::ChainProgram::get(op);
    if (failed(program))
      llvm::report_fatal_error(llvm::StringRef("no program of " + text.str()));
    chain = std::move(*program);
  });
  chain.program.order = kernelByKernel(chain.program.kernels);
}

int checkDependences(const TileProgram &program) {
  int dependences = 0;
  for (const ProgramAccess &read : program.reads)
    for (const ProgramAccess &write : program.writes) {
      if (read.tensor != write.tensor)
        continue;
      const TileKernel &producer = program.kernels[write.kernel];
      const TileKernel &consumer = program.kernels[read.kernel];
      SCOPED_TRACE(consumer.name + " reads " + producer.name);
      IslContext context;
      TileDependence derived = unwrapOrDie(
          deriveDependence(context, write.kernel, producer, write.access,
                           read.kernel, consumer, read.operand, read.access));
      context.setMaxOperations(0);
      Dependence expected = enumerateDependence(program, read, write.kernel);
      EXPECT_TRUE(enumerateRelation(derived.relation) == expected)
          << derived.relation.str() << "\n"
          << formatRelation(expected, producer, consumer);
      dependences += !expected.empty();
    }
  return dependences;
}

/// Lets kernels run row by row, all of them together.
static void mixRows(TileProgram &program) {
  for (auto [number, kernel] : llvm::enumerate(program.kernels)) {
    unsigned rank = kernel.grid.size();
    AffineMap &order = program.order[number];
    // Their places were (number, tile...).
    llvm::SmallVector<AffineExpr> places(order.getResults());
    std::swap(places[0], places[1]);
    order = AffineMap::get(rank, 0, places, getContext());
  }
}

void compareWithMutants(Random &random, TileProgram program, Tally &tally) {
  addDerivedEdges(IslContext(), random, program);
  if (random.oneIn(3))
    mixRows(program);
  compare(program, /*exhaustive=*/false, tally);
  for (int i = 0; i != 3; ++i) {
    TileProgram mutant = program;
    SCOPED_TRACE(mutate(random, mutant));
    compare(mutant, /*exhaustive=*/false, tally);
    if (testing::Test::HasFatalFailure())
      return;
  }
}

} // namespace grout::test
