//===- TileAnswers.cpp - Answers of a tile kernel -------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Interfaces/TileAnswers.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace grout;

static std::string print(const TileAccess &access) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (access.map)
    os << access.map;
  else
    os << "no map";
  os << " with boxes of [" << llvm::interleaved(access.localSizes) << "]";
  for (AffineExpr guard : access.guards) {
    os << ", where ";
    if (guard)
      os << guard << " >= 0";
    else
      os << "nothing";
  }
  if (access.hasPadding)
    os << ", with padding";
  if (access.isChosenAtRunTime)
    os << ", chosen at run time";
  return text;
}

static std::string print(const TileWork &work) {
  return llvm::formatv("{0} FLOPs, {1} and {2} bytes, clusters of {3}",
                       work.flops, work.bytesRead, work.bytesWritten,
                       work.clusterSize);
}

TileAnswers::TileAnswers(TileKernelOpInterface kernel) : kernel(kernel) {
  auto add = [&](const Twine &method, std::string text) {
    answers.push_back({method.str(), std::move(text)});
  };
  auto addBool = [&](const Twine &method, bool answer) {
    add(method, answer ? "true" : "false");
  };
  FailureOr<SmallVector<int64_t>> grid = kernel.getTileGrid();
  if (failed(grid)) {
    add("getTileGrid", "failure");
    return;
  }
  add("getTileGrid", llvm::formatv("[{0}]", llvm::interleaved(*grid)));
  add("getStepCount", std::to_string(kernel.getStepCount()));
  std::optional<int64_t> run = kernel.getStepsInOrder();
  add("getStepsInOrder", run ? std::to_string(*run) : "none");
  add("getTileWork", print(kernel.getTileWork()));
  addBool("isLaunchedWithNext", kernel.isLaunchedWithNext());
  addBool("isPartOfNext", kernel.isPartOfNext());
  for (OpOperand &operand : kernel->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    std::string number = std::to_string(operand.getOperandNumber());
    add("getOperandAccess of operand " + number,
        print(kernel.getOperandAccess(operand)));
    addBool("isReadAfterSteps of operand " + number,
            kernel.isReadAfterSteps(operand));
  }
  for (OpResult result : kernel->getResults()) {
    std::string number = std::to_string(result.getResultNumber());
    add("getResultAccess of result " + number,
        print(kernel.getResultAccess(result)));
    OpOperand *updated = kernel.getUpdatedOperand(result);
    add("getUpdatedOperand of result " + number,
        updated ? std::to_string(updated->getOperandNumber()) : "none");
  }
}

LogicalResult TileAnswers::verifySame() const {
  TileAnswers again(kernel);
  // The op determines which methods answer, except for those that need a grid,
  // if there is none.
  for (auto [first, second] : llvm::zip(answers, again.answers))
    if (first.text != second.text)
      return kernel->emitOpError()
             << "implements TileKernelOpInterface wrongly: " << first.method
             << " returns " << first.text << ", and when it is asked again "
             << second.text << "; answers follow from the op alone";
  return success();
}

uint64_t TileAnswers::getDigest() const {
  std::string text;
  for (const Answer &answer : answers)
    text += answer.method + ": " + answer.text + "\n";
  return llvm::xxh3_64bits(text);
}
