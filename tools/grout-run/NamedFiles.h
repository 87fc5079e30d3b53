//===- NamedFiles.h - Files for tensors of ranks ----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_NAMEDFILES_H
#define GROUT_TOOLS_GROUT_RUN_NAMEDFILES_H

#include "OwnedModule.h"
#include "RunOptions.h"

namespace grout {
namespace run {

/// Returns the files of one of `ranks` ranks. If there are several ranks,
/// NAME@2 is tensor NAME of rank 2, and NAME is that tensor of all ranks. Fails
/// if there is no such rank, if a file names no tensor of `signature`, or if
/// two files name the same tensor. `what` is "input" or "output".
Status filesOfRank(const std::vector<NamedFile> &files, uint32_t rank,
                   uint32_t ranks, const std::vector<TensorSpec> &signature,
                   const char *what, std::vector<NamedFile> &ofRank);

/// Checks that each output file is for one rank.
Status checkOutputFiles(const std::vector<NamedFile> &files, uint32_t ranks,
                        const std::vector<TensorSpec> &signature);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_NAMEDFILES_H
