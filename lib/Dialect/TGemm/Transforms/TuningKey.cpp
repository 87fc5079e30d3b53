//===- TuningKey.cpp - Keys of measured times -----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/Transforms/TuningKey.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

namespace {

/// Prints the ops of an epilogue that its result depends on, operands first,
/// with numbers for names.
class EpiloguePrinter {
public:
  explicit EpiloguePrinter(llvm::raw_ostream &os) : os(os) {}

  /// Prints the ops that compute `value`, unless they are printed already, and
  /// returns its name.
  std::string print(Value value);

private:
  llvm::raw_ostream &os;
  DenseMap<Value, std::string> names;
};

} // namespace

std::string EpiloguePrinter::print(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return "a" + std::to_string(argument.getArgNumber());
  if (auto it = names.find(value); it != names.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  SmallVector<std::string> operands;
  for (Value operand : op->getOperands())
    operands.push_back(print(operand));
  std::string name = std::to_string(names.size());
  os << name << "=" << op->getName() << "(" << llvm::join(operands, ",") << ")"
     << op->getAttrDictionary() << ":" << value.getType() << ";";
  return names[value] = name;
}

/// Whether the epilogue of `op` does the same as no epilogue.
static bool isTrivial(ProductOpInterface op) {
  if (op.getEpilogue().empty())
    return true;
  if (op.getNumProducts() != 1)
    return false;
  Block &block = op.getEpilogue().front();
  Value yielded = block.getTerminator()->getOperand(0);
  if (auto narrow = yielded.getDefiningOp<arith::TruncFOp>())
    yielded = narrow.getIn();
  return yielded == block.getArgument(0);
}

/// Returns a few letters of a cryptographic hash that stand for the epilogue,
/// whose text is long.
static std::string getEpilogueDigest(ProductOpInterface op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto [index, input] : llvm::enumerate(op.getEpilogueInputs()))
    os << input.getType() << op.getEpilogueMap(index) << ";";
  Operation *yield = op.getEpilogue().front().getTerminator();
  os << EpiloguePrinter(os).print(yield->getOperand(0));
  auto hash = llvm::SHA256::hash(llvm::arrayRefFromStringRef(text));
  return llvm::toHex(ArrayRef(hash).take_front(8), /*LowerCase=*/true);
}

std::string tgemm::getProductKey(ProductOpInterface op) {
  std::string key;
  llvm::raw_string_ostream os(key);
  os << op.getM() << "x" << op.getN() << "x" << op.getK();
  if (op.isBatched()) {
    os << " batch=" << op.getBatch();
    if (cast<RankedTensorType>(op.getLhs().getType()).getRank() == 2)
      os << " one-lhs";
    if (cast<RankedTensorType>(op.getRhs().front().getType()).getRank() == 2)
      os << " one-rhs";
  }
  os << " " << op.getInputElementType() << "->" << op.getResultElementType();
  if (op.getNumProducts() != 1)
    os << " products=" << op.getNumProducts();
  if (op.getTransposeLhs())
    os << " lhs^T";
  if (op.getTransposeRhs())
    os << " rhs^T";
  if (std::string operands = op.getOperandKey(); !operands.empty())
    os << " " << operands;
  if (std::optional<int64_t> depth = op.getSumDepth())
    os << " sum_depth=" << *depth;
  if (std::optional<int64_t> ranks = op.getSumRanks())
    os << " sum_ranks=" << *ranks;
  // An operand that occurs twice is loaded less often.
  for (OpOperand &operand : op->getOpOperands()) {
    auto *first = llvm::find_if(op->getOpOperands(), [&](OpOperand &other) {
      return other.get() == operand.get();
    });
    if (first != &operand)
      os << " " << operand.getOperandNumber()
         << "==" << first->getOperandNumber();
  }
  if (!isTrivial(op))
    os << " epilogue=" << getEpilogueDigest(op);
  return key;
}

/// Adds to `found` the positions in `ops` of the products from which `value` is
/// computed without another product in between.
static void findProducers(Value value, ArrayRef<ProductOpInterface> ops,
                          llvm::SmallPtrSetImpl<Operation *> &visited,
                          std::set<size_t> &found) {
  Operation *definition = value.getDefiningOp();
  if (!definition || !visited.insert(definition).second)
    return;
  if (auto product = dyn_cast<ProductOpInterface>(definition)) {
    const auto *position = llvm::find(ops, product);
    if (position != ops.end())
      found.insert(position - ops.begin());
    return;
  }
  definition->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      findProducers(operand, ops, visited, found);
  });
}

std::string tgemm::getChainKey(ArrayRef<ProductOpInterface> ops) {
  std::string key;
  llvm::raw_string_ostream os(key);
  llvm::interleave(
      ops, os,
      [&](ProductOpInterface op) {
        os << getProductKey(op);
        for (OpOperand &operand : op->getOpOperands()) {
          llvm::SmallPtrSet<Operation *, 8> visited;
          std::set<size_t> producers;
          findProducers(operand.get(), ops, visited, producers);
          for (size_t producer : producers)
            os << " " << operand.getOperandNumber() << "<-" << producer;
        }
      },
      "; ");
  return key;
}
