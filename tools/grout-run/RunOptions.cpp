//===- RunOptions.cpp - The command line of grout-run ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "RunOptions.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <climits>
#include <cmath>
#include <iostream>

using namespace grout;
using namespace grout::run;

static constexpr int kUsageError = 2;

static const char kDescription[] =
    "Runs a Grout artifact on random or given inputs, checks it against its "
    "reference, replays it and times it.";

static const char kExamples[] =
    "Inputs that are not given are uniform in [-1, 1), reproducible by --seed; "
    "of rank 2 and more, all\n"
    "but the first are scaled by 1/sqrt(shape[-2]), so that chains of products "
    "stay in range of f16. Integers are uniform in [-8, 8).\n"
    "\n"
    "Examples:\n"
    "  grout-run mlp.grout --info\n"
    "      What the artifact computes, and how.\n"
    "  grout-run mlp.grout --check\n"
    "      Is it right? Relative error against the reference plan; exit status "
    "1 if above --tolerance.\n"
    "  grout-run mlp.grout --check --repeat=1000 --graph\n"
    "      Is replay safe? 1000 replays of a CUDA graph, NaN in all "
    "intermediates and outputs before each,\n"
    "      all compared on the GPU with the first run, bit by bit.\n"
    "  grout-run mlp.grout --time\n"
    "      Microseconds a run.\n"
    "  grout-run mlp.grout --trace=mlp.json\n"
    "      Which tile ran when, on which SM or worker.\n"
    "  grout-run mlp.grout --input x=x.npy --output y=y.npy\n"
    "      With arrays of NumPy; bf16 is saved as '<V2', or '<u2' with "
    "--bf16-as-uint16.\n"
    "  grout-run tp.grout --check --input x=x.npy --input w@1=w1.npy "
    "--output y@0=y.npy\n"
    "      All ranks of a plan run at once, on one GPU each, in this process. "
    "Here all ranks read x, and\n"
    "      rank 1 reads w. Rank r has the random inputs of --seed plus r.\n"
    "\n"
    "Exit status: 0 success, 1 failure or a check that does not pass, 2 wrong "
    "usage.";

static NamedFile splitNamedFile(const std::string &text) {
  size_t at = text.find('=');
  return {text.substr(0, at), text.substr(at + 1)};
}

/// Returns an error message, or "" if `text` is NAME=FILE.
static std::string checkNamedFile(const std::string &text) {
  size_t at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size())
    return "'" + text + "' is not of the form NAME=FILE.npy";
  return "";
}

static std::string checkNotEmpty(const std::string &text) {
  return text.empty() ? "a file is missing" : "";
}

static std::string checkNotNegative(const std::string &text) {
  double value = 0;
  if (!CLI::detail::lexical_cast(text, value) || !std::isfinite(value) ||
      value < 0)
    return "'" + text + "' is not a number of at least 0";
  return "";
}

/// Accepts whole decimal numbers in a range. CLI11 itself would wrap negative
/// numbers, and replace numbers that are too large by the largest.
static CLI::Validator wholeNumber(uint64_t least, uint64_t most) {
  auto check = [least, most](std::string &text) -> std::string {
    uint64_t value = 0;
    const char *end = text.data() + text.size();
    auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || rest != end || value < least || value > most)
      return "'" + text + "' is not a whole number from " +
             std::to_string(least) + " to " + std::to_string(most);
    // Remove leading zeros, which would make the number octal.
    text = std::to_string(value);
    return "";
  };
  return CLI::Validator(check, "");
}

std::optional<int> run::parseOptions(int argc, char **argv, Options &options) {
  CLI::App app(kDescription, "grout-run");
  app.footer(kExamples);
  std::vector<std::string> inputs, outputs;

  app.add_option("FILE", options.file, "The artifact")->required();
  app.add_option("--device", options.device,
                 "Insist on a device; default: the one that the artifact is "
                 "for")
      ->check(CLI::IsMember({"cpu", "cuda"}));
  app.add_option("--gpu", options.gpu,
                 "Which GPU, by CUDA's ordinal; rank r of a plan of several "
                 "ranks has GPU N + r")
      ->transform(wholeNumber(0, INT_MAX));
  app.add_option("--workers", options.workers,
                 "CPU: worker threads, each standing for a resident tile; "
                 "default: one a processor, and as many as the plan needs")
      ->transform(wholeNumber(1, 1024));
  app.add_option("--input", inputs,
                 "Read an input, NAME=FILE.npy, or NAME@RANK=FILE.npy")
      ->allow_extra_args(false)
      ->check(checkNamedFile);
  app.add_option("--output", outputs,
                 "Write an output, NAME=FILE.npy, or NAME@RANK=FILE.npy")
      ->allow_extra_args(false)
      ->check(checkNamedFile);
  app.add_option("--seed", options.seed, "Seed of random inputs; default 0")
      ->transform(wholeNumber(0, UINT64_MAX));
  app.add_flag("--check", options.check,
               "Compare with the artifact's reference plan");
  app.add_option("--tolerance", options.tolerance,
                 "Largest relative Frobenius error that passes --check; "
                 "default: by the coarsest type of outputs and "
                 "intermediates, 1e-2 for bf16, 1e-3 for f16 (and f32 on a "
                 "GPU), 1e-5 for f32, 0 for integers")
      ->check(checkNotNegative);
  app.add_option("--repeat", options.repeat,
                 "Run N times and compare all outputs with the first run's, "
                 "bit by bit; with --graph, replay N times after a first run")
      ->transform(wholeNumber(1, uint64_t(1) << 32));
  app.add_flag("--graph", options.graph,
               "CUDA: replay a CUDA graph of the run, without host "
               "synchronisation in between");
  app.add_flag("--poison", options.poison,
               "Fill intermediates and outputs with NaN (integers: -1) before "
               "each run; "
               "--check implies it");
  app.add_option("--inject-delays", options.injectDelays,
                 "CPU: delay tiles at random, by this seed, which finds tiles "
                 "that do not wait; default 0: no delays")
      ->transform(wholeNumber(0, UINT64_MAX));
  app.add_flag("--time", options.time,
               "Print median, least and most microseconds a run");
  app.add_option("--trace", options.trace,
                 "Write when the tiles and blocks of one run began and ended, "
                 "as JSON for Perfetto or Chrome's tracing page; GPU: the "
                 "artifact must be compiled with --trace")
      ->type_name("FILE.json")
      ->check(checkNotEmpty);
  app.add_flag("--info", options.info,
               "Print what the artifact holds, and run nothing");
  app.add_option("--timeout-seconds", options.timeoutSeconds,
                 "Give up when nothing moves for so long; 0: never; default 60")
      ->check(checkNotNegative);
  app.add_flag("--bf16-as-uint16", options.bfloatAsUint16,
               "Read and write bf16 as '<u2' arrays");
  app.set_version_flag("--version", "Grout version " GROUT_VERSION,
                       "Print Grout's version");
  // For tests; group "" hides it from --help.
  app.add_option("--skip-epochs", options.skipEpochs)
      ->transform(wholeNumber(0, UINT32_MAX))
      ->group("");

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp &) {
    std::cout << app.help();
    return 0;
  } catch (const CLI::CallForVersion &version) {
    std::cout << version.what() << '\n';
    return 0;
  } catch (const CLI::ParseError &error) {
    std::cerr << "grout-run: " << error.what()
              << "\nSee grout-run --help for the options.\n";
    return kUsageError;
  }
  for (const std::string &text : inputs)
    options.inputs.push_back(splitNamedFile(text));
  for (const std::string &text : outputs)
    options.outputs.push_back(splitNamedFile(text));
  return std::nullopt;
}
