//===- ToolVersion.h - The output of --version ------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_PIPELINES_TOOLVERSION_H
#define GROUT_PIPELINES_TOOLVERSION_H

namespace grout {

/// Makes --version print Grout's version, then LLVM's, for a tool that reads
/// its options with LLVM's library. Must be called before options are read.
void registerToolVersion();

} // namespace grout

#endif // GROUT_PIPELINES_TOOLVERSION_H
