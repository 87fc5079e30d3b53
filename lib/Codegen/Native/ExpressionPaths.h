//===- ExpressionPaths.h - Too many paths for a vectoriser ------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CODEGEN_NATIVE_EXPRESSIONPATHS_H
#define GROUT_LIB_CODEGEN_NATIVE_EXPRESSIONPATHS_H

namespace llvm {
class Module;
} // namespace llvm

namespace grout {

/// Returns whether a value of `module` depends on other values of its block by
/// more paths than the loop vectoriser of LLVM 22 can walk. The vectoriser's
/// time grows with the number of paths, not of instructions. The number of
/// paths is exponential if values are used twice.
bool hasTooManyPaths(const llvm::Module &module);

} // namespace grout

#endif // GROUT_LIB_CODEGEN_NATIVE_EXPRESSIONPATHS_H
