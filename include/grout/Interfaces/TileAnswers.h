//===- TileAnswers.h - What a tile kernel has answered ----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_INTERFACES_TILEANSWERS_H
#define GROUT_INTERFACES_TILEANSWERS_H

#include "grout/Interfaces/TileKernelInterface.h"
#include <string>

namespace grout {

/// All that a kernel has answered at one time. What is proved of some answers
/// says nothing of others.
class TileAnswers {
public:
  explicit TileAnswers(TileKernelOpInterface kernel);

  /// Asks the kernel once more. Emits an error at it if an answer differs.
  mlir::LogicalResult verifySame() const;

  /// A hash of all answers. It is the same in every process.
  uint64_t getDigest() const;

private:
  /// For people.
  struct Answer {
    std::string method, text;
  };

  TileKernelOpInterface kernel;
  llvm::SmallVector<Answer> answers;
};

} // namespace grout

#endif // GROUT_INTERFACES_TILEANSWERS_H
