//===- RunOptions.h - The command line of grout-run -------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_RUNOPTIONS_H
#define GROUT_TOOLS_GROUT_RUN_RUNOPTIONS_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace grout {
namespace run {

/// The name of a tensor and a file.
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
  /// If not given, the tolerance depends on the types to which the plan rounds.
  std::optional<double> tolerance;
  uint64_t repeat = 1;
  bool graph = false;
  bool poison = false;
  bool time = false;
  /// The file of a trace; empty: none.
  std::string trace;
  bool info = false;
  double timeoutSeconds = 60;
  bool bfloatAsUint16 = false;
  uint64_t injectDelays = 0;
  uint32_t skipEpochs = 0;
};

/// Parses the command line. Returns an exit status if the program must end now,
/// because of --help or a wrong option.
std::optional<int> parseOptions(int argc, char **argv, Options &options);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_RUNOPTIONS_H
