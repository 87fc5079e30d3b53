//===- RandomChain.cpp - Functions with fuzz.sum among others -------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "RandomChain.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace grout;
using namespace grout::test;

static constexpr llvm::StringLiteral kType = "tensor<50x24xf32>";

RandomChain::RandomChain(std::mt19937 &random) {
  unsigned numOps = 1 + random() % 4;
  unsigned firstSum = random() % numOps;
  for (unsigned op = 0; op != numOps; ++op) {
    auto kind = op == firstSum ? ChainOp::Sum
                               : ChainOp::Kind(random() % (ChainOp::Last + 1));
    // Mostly of the last value, so that ops depend on each other.
    unsigned operand = op;
    if (random() % 4 == 0)
      operand = random() % (op + 1);
    ChainOp next = {kind, {operand}};
    if (kind == ChainOp::Add || (kind == ChainOp::Sum && random() % 2 == 0))
      next.operands.push_back(random() % (op + 1));
    ops.push_back(next);
  }
  otherResult = 1 + random() % numOps;
}

unsigned RandomChain::getNumSums() const {
  return llvm::count_if(
      ops, [](const ChainOp &op) { return op.kind == ChainOp::Sum; });
}

/// The text of `op`, which makes value `result`.
static std::string print(const ChainOp &op, unsigned result,
                         unsigned numAnswers) {
  auto operands = llvm::map_to_vector(op.operands, [](unsigned operand) {
    return "%v" + std::to_string(operand);
  });
  llvm::SmallVector<llvm::StringRef> types(operands.size(), kType);
  std::string names = llvm::join(operands, ", ");
  std::string of = llvm::join(types, ", ");
  switch (op.kind) {
  case ChainOp::Product:
    return llvm::formatv("%v{0} = tgemm.matmul {1}, %p : {2}, "
                         "tensor<24x24xf32> -> {2}\n",
                         result, names, kType);
  case ChainOp::Add:
    return llvm::formatv("%e{0} = tensor.empty() : {3} %v{0} = linalg.add "
                         "ins({1} : {2}) outs(%e{0} : {3}) -> {3}\n",
                         result, names, of, kType);
  case ChainOp::Sum:
    return llvm::formatv(
        "%v{0} = \"fuzz.sum\"({1}) {{answers = {2}} : ({3}) -> {4}\n", result,
        names, numAnswers, of, kType);
  }
  llvm_unreachable("unknown op");
}

std::string RandomChain::str() const {
  std::string text = llvm::formatv("func.func @f(%v0: {0}, %p: "
                                   "tensor<24x24xf32>) -> ({0}, {0}) {{\n",
                                   kType);
  unsigned numAnswers = 0;
  for (auto [number, op] : llvm::enumerate(ops)) {
    text += print(op, number + 1, numAnswers);
    numAnswers += op.kind == ChainOp::Sum;
  }
  text += llvm::formatv("return %v{0}, %v{1} : {2}, {2}\n}\n", ops.size(),
                        otherResult, kType);
  return text;
}

static Matrix computeSum(llvm::ArrayRef<const Matrix *> operands,
                         int64_t halo) {
  Matrix sum = {};
  for (int64_t row = 0; row != kRows; ++row)
    for (int64_t column = 0; column != kColumns; ++column) {
      int64_t above = std::max<int64_t>(row - halo, 0);
      float &element = sum[row * kColumns + column];
      element = (*operands[0])[above * kColumns + column];
      for (const Matrix *operand : operands)
        element += (*operand)[row * kColumns + column];
    }
  return sum;
}

static Matrix compute(const ChainOp &op,
                      llvm::ArrayRef<const Matrix *> operands, int64_t halo) {
  if (op.kind == ChainOp::Sum)
    return computeSum(operands, halo);
  Matrix result = {};
  for (size_t i = 0; i != result.size(); ++i)
    result[i] = op.kind == ChainOp::Add
                    ? (*operands[0])[i] + (*operands[1])[i]
                    : (*operands[0])[i - i % kColumns + permute(i % kColumns)];
  return result;
}

std::array<Matrix, 2> RandomChain::compute(const Matrix &x) const {
  std::vector<Matrix> values = {x};
  unsigned numSums = 0;
  for (const ChainOp &op : ops) {
    auto operands = llvm::map_to_vector(
        op.operands,
        [&](unsigned operand) -> const Matrix * { return &values[operand]; });
    int64_t halo = op.kind == ChainOp::Sum ? allAnswers[numSums++].halo : 0;
    values.push_back(::compute(op, operands, halo));
  }
  return {values.back(), values[otherResult]};
}
