//===- NamedFiles.cpp - Files for tensors of ranks ------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "NamedFiles.h"

#include <charconv>
#include <optional>
#include <set>

using namespace grout;
using namespace grout::run;

/// Splits NAME@RANK. There is no rank if the text is only a name.
static std::pair<std::string, std::optional<uint32_t>>
splitRank(const std::string &text) {
  size_t at = text.rfind('@');
  if (at == std::string::npos || at + 1 == text.size())
    return {text, std::nullopt};
  uint32_t rank = 0;
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data() + at + 1, end, rank);
  if (error != std::errc() || rest != end)
    return {text, std::nullopt};
  return {text.substr(0, at), rank};
}

/// Checks that each of `files` names a different tensor of `signature`.
static Status checkNames(const std::vector<NamedFile> &files,
                         const std::vector<TensorSpec> &signature,
                         const char *what) {
  std::set<std::string> known, used;
  std::string list;
  for (const TensorSpec &tensor : signature) {
    known.insert(tensor.name);
    list += (list.empty() ? "'" : ", '") + tensor.name + "'";
  }
  for (const NamedFile &file : files) {
    if (!known.count(file.first))
      return Status::error(GROUT_ERROR_INVALID_ARGUMENT, "there is no ", what,
                           " '", file.first, "'; the function has ",
                           list.empty() ? "none" : list);
    if (!used.insert(file.first).second)
      return Status::error(GROUT_ERROR_INVALID_ARGUMENT, what, " '", file.first,
                           "' is given twice");
  }
  return Status::ok();
}

Status run::filesOfRank(const std::vector<NamedFile> &files, uint32_t rank,
                        uint32_t ranks,
                        const std::vector<TensorSpec> &signature,
                        const char *what, std::vector<NamedFile> &ofRank) {
  if (ranks == 1) {
    ofRank = files;
    return checkNames(ofRank, signature, what);
  }
  for (const NamedFile &file : files) {
    auto [name, only] = splitRank(file.first);
    if (only && *only >= ranks)
      return Status::error(GROUT_ERROR_INVALID_ARGUMENT, "there is no rank ",
                           *only, ", which '", file.first,
                           "' names; the plan has ", ranks, " ranks");
    if (!only || *only == rank)
      ofRank.emplace_back(name, file.second);
  }
  return checkNames(ofRank, signature, what).in("rank " + std::to_string(rank));
}

Status run::checkOutputFiles(const std::vector<NamedFile> &files,
                             uint32_t ranks,
                             const std::vector<TensorSpec> &signature) {
  for (uint32_t rank = 0; rank != ranks; ++rank) {
    std::vector<NamedFile> ofRank;
    GROUT_RETURN_IF_ERROR(
        filesOfRank(files, rank, ranks, signature, "output", ofRank));
  }
  for (const NamedFile &file : files)
    if (ranks > 1 && !splitRank(file.first).second)
      return Status::error(GROUT_ERROR_INVALID_ARGUMENT, "the plan has ", ranks,
                           " ranks, so output '", file.first,
                           "' needs a rank: --output ", file.first,
                           "@0=", file.second);
  return Status::ok();
}
