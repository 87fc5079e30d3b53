//===- Options.h - The command line of grout-run ----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_OPTIONS_H
#define GROUT_TOOLS_GROUT_RUN_OPTIONS_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace grout {
namespace run {

/// A tensor's name and a file.
using NamedFile = std::pair<std::string, std::string>;

struct Options {
  std::string file;
  std::string device; // "cpu", "cuda", or "" for the artifact's own
  int gpu = 0;
  uint32_t workers = 0;
  std::vector<NamedFile> inputs;
  std::vector<NamedFile> outputs;
  uint64_t seed = 0;
  bool check = false;
  /// Default: by the types of what the plan writes.
  std::optional<double> tolerance;
  uint64_t repeat = 1;
  bool graph = false;
  bool poison = false;
  bool time = false;
  bool info = false;
  double timeoutSeconds = 60;
  bool bfloatAsUint16 = false;
  uint64_t injectDelays = 0;
  uint32_t skipEpochs = 0;
};

/// Parses the command line. If the program is to end at once, after --help or a
/// mistake, returns its exit status.
std::optional<int> parseOptions(int argc, char **argv, Options &options);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_OPTIONS_H
