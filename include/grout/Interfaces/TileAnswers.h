//===- TileAnswers.h - The answers of a tile kernel -------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_INTERFACES_TILEANSWERS_H
#define GROUT_INTERFACES_TILEANSWERS_H

#include "grout/Interfaces/TileKernelInterface.h"
#include <string>

namespace grout {

/// All answers that a kernel has given at one time. A proof about these answers
/// does not hold for other answers.
class TileAnswers {
public:
  explicit TileAnswers(TileKernelOpInterface kernel);

  /// Asks the kernel once more. Emits an error at the kernel if an answer
  /// differs.
  mlir::LogicalResult verifySame() const;

  /// Returns a hash of all answers, which is the same in every process.
  uint64_t getDigest() const;

private:
  /// The name of the method and the answer, as text for messages.
  struct Answer {
    std::string method, text;
  };

  TileKernelOpInterface kernel;
  llvm::SmallVector<Answer> answers;
};

} // namespace grout

#endif // GROUT_INTERFACES_TILEANSWERS_H
