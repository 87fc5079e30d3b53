//===- CPULaunchGenerators.h - Kernels for CPUs --------------------*- C++
//-*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_PROCESSORS_CPU_CPULAUNCHGENERATORS_H
#define GROUT_PROCESSORS_CPU_CPULAUNCHGENERATORS_H

#include "grout/Conversion/Common/LaunchGenerator.h"

namespace grout::cpu {

/// Generates tile bodies, in a module that becomes a shared object.
class CPULaunchGenerators : public LaunchGenerators {
public:
  CPULaunchGenerators();

  mlir::Operation *createModule(mlir::OpBuilder &builder, mlir::Location loc,
                                llvm::StringRef name,
                                const TargetSpec &target) const override;
};

} // namespace grout::cpu

#endif // GROUT_PROCESSORS_CPU_CPULAUNCHGENERATORS_H
