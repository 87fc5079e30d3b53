//===- TestTargets.h - Targets like Grout's ---------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_TARGET_TESTTARGETS_H
#define GROUT_UNITTESTS_TARGET_TESTTARGETS_H

#include "grout/Conversion/Common/LaunchGenerator.h"
#include "grout/Target/Target.h"

namespace grout::test {

/// The limits and rates of target `like`, with another name.
TargetSpec getSpec(llvm::StringRef like, llvm::StringRef name);

/// A CPU of `spec` with `generator` beside what all CPUs have.
std::unique_ptr<Target> createCPU(const TargetSpec &spec,
                                  std::unique_ptr<LaunchGenerator> generator);

/// A GPU of `spec` that chooses tiles as an H200, and whose launches
/// `generator` compiles beside memory-bound ones.
std::unique_ptr<Target>
createHopper(const TargetSpec &spec,
             std::unique_ptr<LaunchGenerator> generator);

/// The same with the products of an H200.
std::unique_ptr<Target> createHopper(const TargetSpec &spec);

} // namespace grout::test

#endif // GROUT_UNITTESTS_TARGET_TESTTARGETS_H
