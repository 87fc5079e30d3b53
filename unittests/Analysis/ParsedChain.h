//===- ParsedChain.h - Chains of real kernels as programs -------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_ANALYSIS_PARSEDCHAIN_H
#define GROUT_UNITTESTS_ANALYSIS_PARSEDCHAIN_H

#include "ProofComparison.h"
#include "RandomProgram.h"
#include "grout/Dialect/TSync/Transforms/ChainProgram.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace grout::test {

/// "tensor<2x3xf16>".
std::string getTensorType(llvm::ArrayRef<int64_t> shape,
                          llvm::StringRef element = "f16");

/// The text of a chain, op by op.
class ChainText {
public:
  /// A new argument of the function; its name.
  std::string addInput(llvm::ArrayRef<int64_t> shape);
  /// Adds an op with a result of `shape`, whose text follows "%name = "; its
  /// name.
  std::string add(llvm::StringRef op, llvm::ArrayRef<int64_t> shape,
                  llvm::StringRef element = "f16");
  /// `tensor`, which has `from`, by tensor.expand_shape or collapse_shape.
  std::string reshape(llvm::StringRef op, llvm::StringRef tensor,
                      llvm::ArrayRef<int64_t> from,
                      llvm::StringRef reassociation,
                      llvm::ArrayRef<int64_t> to);
  /// A function whose chain gives what was added last.
  std::string str() const;

private:
  unsigned numValues = 0;
  std::string arguments, body, last, type;
};

/// The chain of a module, with the program that the passes see.
struct ParsedChain {
  explicit ParsedChain(const ChainText &text);

  mlir::OwningOpRef<mlir::ModuleOp> module;
  tsync::ChainProgram chain;
};

/// Checks that what isl derives for each read of `program` is what enumeration
/// finds. The number of dependences.
int checkDependences(const TileProgram &program);

/// Derives policies of `program`, and checks that proof and interpreter agree
/// on it and on what `mutate` makes of it, in one tile order or another.
void compareWithMutants(Random &random, TileProgram program, Tally &tally);

} // namespace grout::test

#endif // GROUT_UNITTESTS_ANALYSIS_PARSEDCHAIN_H
