//===- ExpressionPaths.h - What is too deep for a vectoriser ----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_TARGET_NATIVE_EXPRESSIONPATHS_H
#define GROUT_LIB_TARGET_NATIVE_EXPRESSIONPATHS_H

namespace llvm {
class Module;
} // namespace llvm

namespace grout {

/// Whether some value of `module` depends on others of its block by more paths
/// than the loop vectoriser of LLVM 22 can walk: its time grows with the paths,
/// not with the instructions, which is exponential where values are used twice.
bool hasTooManyPaths(const llvm::Module &module);

} // namespace grout

#endif // GROUT_LIB_TARGET_NATIVE_EXPRESSIONPATHS_H
