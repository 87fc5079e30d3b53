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

void RandomChain::keepSums() {
  for (ChainOp &op : ops)
    op.kind = ChainOp::Sum;
}

std::string RandomChain::getType() const {
  return "tensor<50x24x" + elementType + ">";
}

/// The text of `op`, which makes value `result` of type `type`.
static std::string print(const ChainOp &op, unsigned result,
                         unsigned numAnswers, const std::string &type,
                         const std::string &square) {
  auto operands = llvm::map_to_vector(op.operands, [](unsigned operand) {
    return "%v" + std::to_string(operand);
  });
  llvm::SmallVector<llvm::StringRef> types(operands.size(), type);
  std::string names = llvm::join(operands, ", ");
  std::string of = llvm::join(types, ", ");
  switch (op.kind) {
  case ChainOp::Product:
    return llvm::formatv("%v{0} = tgemm.matmul {1}, %p : {2}, {3} -> {2}\n",
                         result, names, type, square);
  case ChainOp::Add:
    return llvm::formatv("%e{0} = tensor.empty() : {3} %v{0} = linalg.add "
                         "ins({1} : {2}) outs(%e{0} : {3}) -> {3}\n",
                         result, names, of, type);
  case ChainOp::Sum:
    return llvm::formatv(
        "%v{0} = \"fuzz.sum\"({1}) {{answers = {2}} : ({3}) -> {4}\n", result,
        names, numAnswers, of, type);
  }
  llvm_unreachable("unknown op");
}

std::string RandomChain::str() const {
  std::string type = getType();
  std::string square = "tensor<24x24x" + elementType + ">";
  std::string args = "%v0: " + type + ", %p: " + square;
  std::string values = llvm::formatv("%v{0}, %v{1}", ops.size(), otherResult);
  std::string types = type + ", " + type;
  std::string last;
  if (stray) {
    args += ", %s: " + stray->operandType;
    values += ", %t";
    types += ", " + stray->resultType;
    last = llvm::formatv("%t = {0} : ({1}, {2}) -> {3}\n", stray->text, type,
                         stray->operandType, stray->resultType);
  }
  std::string text =
      llvm::formatv("func.func @f({0}) -> ({1}) {{\n", args, types);
  unsigned numAnswers = 0;
  for (auto [number, op] : llvm::enumerate(ops)) {
    text += print(op, number + 1, numAnswers, type, square);
    numAnswers += op.kind == ChainOp::Sum;
  }
  return text + last + "return " + values + " : " + types + "\n}\n";
}

static Matrix computeSum(llvm::ArrayRef<const Matrix *> operands,
                         const Answers &answers, bool asDecomposed) {
  Matrix sum = {};
  bool isWrong = asDecomposed && answers.decomposition == Decomposition::wrong;
  for (int64_t row = 0; row != kRows; ++row)
    for (int64_t column = 0; column != kColumns; ++column) {
      int64_t above = std::max<int64_t>(row - answers.halo, 0);
      double &element = sum[row * kColumns + column];
      element = (*operands[0])[above * kColumns + column];
      for (const Matrix *operand : operands)
        element += (*operand)[row * kColumns + column];
      if (isWrong)
        element += 2 * (*operands[0])[row * kColumns + column];
    }
  return sum;
}

/// What `op`, no fuzz.sum, makes of `operands`.
static Matrix compute(const ChainOp &op,
                      llvm::ArrayRef<const Matrix *> operands) {
  Matrix result = {};
  for (size_t i = 0; i != result.size(); ++i)
    result[i] = op.kind == ChainOp::Add
                    ? (*operands[0])[i] + (*operands[1])[i]
                    : (*operands[0])[i - i % kColumns + permute(i % kColumns)];
  return result;
}

std::array<Matrix, 2> RandomChain::compute(const Matrix &x,
                                           bool asDecomposed) const {
  std::vector<Matrix> values = {x};
  unsigned numSums = 0;
  for (const ChainOp &op : ops) {
    auto operands = llvm::map_to_vector(
        op.operands,
        [&](unsigned operand) -> const Matrix * { return &values[operand]; });
    values.push_back(
        op.kind == ChainOp::Sum
            ? computeSum(operands, allAnswers[numSums++], asDecomposed)
            : ::compute(op, operands));
  }
  return {values.back(), values[otherResult]};
}
