//===- ToolVersion.h - What --version prints --------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_PIPELINES_TOOLVERSION_H
#define GROUT_PIPELINES_TOOLVERSION_H

namespace grout {

/// Makes --version of a tool that reads its options with LLVM's library print
/// Grout's version, then LLVM's. Call it before options are read.
void registerToolVersion();

} // namespace grout

#endif // GROUT_PIPELINES_TOOLVERSION_H
