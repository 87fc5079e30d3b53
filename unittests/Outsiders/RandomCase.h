//===- RandomCase.h - Chains of which something may be wrong ----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_OUTSIDERS_RANDOMCASE_H
#define GROUT_UNITTESTS_OUTSIDERS_RANDOMCASE_H

#include "FuzzedCode.h"
#include "RandomChain.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "grout/Dialect/TSync/Transforms/GranularityOption.h"
#include "grout/Target/TargetSpec.h"

namespace grout::test {

/// A chain, and who compiles it. `allAnswers` are those of its ops.
struct RandomCase {
  RandomChain chain;
  tsync::Mode mode;
  tsync::GranularityOption granularity;
  bool hasReference;
  unsigned policySeed;
  unsigned numActions = 0;
  CodeFault codeFault = CodeFault::none;
  TargetSpec spec;
  /// What is wrong with it, if anything.
  std::string specFault;
  /// Whether a user changes the tile order, or what tiles wait for.
  bool hasOtherOrder = false;
  unsigned orderSeed;

  /// Nothing is wrong, but that elements seldom have a type that no kernel
  /// takes.
  explicit RandomCase(std::mt19937 &random);

  /// Makes one thing wrong.
  void damage(std::mt19937 &random);

  /// Whether anything is wrong with op `op` of the chain; the stray one is
  /// behind the last.
  bool isWrong(size_t op) const;
  /// Whether anything is wrong with the types of the chain, or its stray op.
  bool isOdd() const;
  /// Whether a compiler must refuse that, as it always is.
  bool isSurelyOdd() const;
  /// Whether code may be wrong, which nobody proves.
  bool hasWrongCode() const;
  /// Whether answers change from call to call.
  bool hasChangingAnswers() const;
  /// Whether results may be wrong, as code reads more than its op says, or as
  /// an op says something else once it is proved.
  bool mayBeWrong() const;

  /// For people.
  std::string str() const;
};

} // namespace grout::test

#endif // GROUT_UNITTESTS_OUTSIDERS_RANDOMCASE_H
