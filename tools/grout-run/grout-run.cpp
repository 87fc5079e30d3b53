//===- grout-run.cpp - Run, check, replay and time an artifact ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"
#include "Inputs.h"
#include "NamedFiles.h"
#include "Npy.h"
#include "RankRunners.h"
#include "RunOptions.h"
#include "Tolerance.h"
#include "TraceFile.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iomanip>
#include <iostream>
#include <sstream>

using namespace grout;
using namespace grout::run;

static Status checkOptions(const OwnedModule &module, const Options &options,
                           uint32_t ranks) {
  grout_device device;
  GROUT_RETURN_IF_ERROR(module.findDevice(GROUT_PLAN_COMPILED, device));
  bool onGpu = device == GROUT_DEVICE_CUDA;
  if (!options.device.empty() && (options.device == "cuda") != onGpu)
    return Status::error(GROUT_ERROR_WRONG_TARGET, "the artifact is for '",
                         module.target(),
                         "' and does not run on --device=", options.device);
  if (options.graph && !onGpu)
    return Status::error(GROUT_ERROR_INVALID_ARGUMENT,
                         "--graph is for CUDA, and the artifact is for the "
                         "CPU");
  if (options.workers && onGpu)
    return Status::error(GROUT_ERROR_INVALID_ARGUMENT,
                         "--workers is for the CPU, and the artifact is for "
                         "the GPU");
  if (options.check && !module.hasPlan(GROUT_PLAN_REFERENCE))
    return Status::error(GROUT_ERROR_NOT_FOUND,
                         "--check needs a reference plan, which the artifact "
                         "lacks; compile it with one");
  std::vector<TensorSpec> outputs;
  GROUT_RETURN_IF_ERROR(module.describeOutputs(GROUT_PLAN_COMPILED, outputs));
  return checkOutputFiles(options.outputs, ranks, outputs);
}

static grout_session_config makeConfig(const Options &options, grout_plan plan,
                                       bool poison) {
  grout_session_config config;
  grout_session_config_init(&config);
  config.plan = plan;
  config.workers = options.workers;
  config.cuda_ordinal = options.gpu;
  config.timeout_seconds = options.timeoutSeconds;
  config.poison_intermediates = poison;
  if (plan == GROUT_PLAN_COMPILED)
    config.delay_seed = options.injectDelays;
  return config;
}

static Status makeInputsOfRanks(const OwnedModule &module,
                                const Options &options, uint32_t ranks,
                                RankTensors &inputs) {
  inputs.resize(ranks);
  for (uint32_t rank = 0; rank != ranks; ++rank)
    GROUT_RETURN_IF_ERROR(
        makeInputs(module, options, rank, ranks, inputs[rank]));
  return Status::ok();
}

static Status runCompiled(const OwnedModule &module, const Options &options,
                          const RankTensors &inputs, RankTensors &outputs) {
  RepeatOptions repeat;
  repeat.repeat = options.repeat;
  repeat.graph = options.graph;
  repeat.poison = options.poison || options.check;
  repeat.skipEpochs = options.skipEpochs;
  RankRunners runners;
  GROUT_RETURN_IF_ERROR(runners.create(
      module, makeConfig(options, GROUT_PLAN_COMPILED, repeat.poison), inputs));
  RepeatResult result;
  GROUT_RETURN_IF_ERROR(runners.runRepeatedly(repeat, result));
  if (!result.difference.empty())
    return Status::error(GROUT_ERROR_INTERNAL,
                         "not reproducible: ", result.difference);
  if (result.compared)
    std::cout << result.compared << (options.graph ? " replays" : " runs")
              << ": all bitwise equal\n";
  return runners.fetchOutputs(outputs);
}

static Status runReference(const OwnedModule &module, const Options &options,
                           const RankTensors &inputs, RankTensors &outputs) {
  RankTensors converted(inputs.size());
  for (size_t rank = 0; rank != inputs.size(); ++rank)
    GROUT_RETURN_IF_ERROR(
        convertForReference(module, inputs[rank], converted[rank]));
  RankRunners runners;
  GROUT_RETURN_IF_ERROR(runners.create(
      module, makeConfig(options, GROUT_PLAN_REFERENCE, /*poison=*/true),
      converted));
  RepeatOptions once;
  once.poison = true;
  RepeatResult result;
  GROUT_RETURN_IF_ERROR(runners.runRepeatedly(once, result));
  return runners.fetchOutputs(outputs);
}

/// Prints how far an output is from the reference. Returns whether it is near
/// enough.
static bool checkOutput(const std::string &name, const HostTensor &output,
                        const HostTensor &reference,
                        const Tolerance &tolerance) {
  Difference difference = compare(output, reference);
  std::cout << name << ": relative error " << difference.relative
            << ", largest absolute error " << difference.maxAbsolute;
  if (difference.outputNotFinite)
    std::cout << ", " << difference.outputNotFinite
              << " elements are NaN or infinite, unlike the reference";
  if (difference.referenceNotFinite)
    std::cout << ", " << difference.referenceNotFinite
              << " elements of the reference are NaN or infinite, unlike these";
  bool passes = difference.passes(tolerance.value);
  std::cout << ", tolerance " << tolerance.value << " (" << tolerance.source
            << (passes ? "): passes\n" : "): FAILS\n");
  return passes;
}

/// Compares the outputs of all ranks with the reference. Fails if an output is
/// too far.
static Status checkOutputs(const OwnedModule &module, const Options &options,
                           const RankTensors &inputs,
                           const RankTensors &outputs) {
  RankTensors references;
  GROUT_RETURN_IF_ERROR(
      runReference(module, options, inputs, references).in("reference plan"));
  grout_element_type precision;
  grout_device device;
  GROUT_RETURN_IF_ERROR(module.findPrecision(GROUT_PLAN_COMPILED, precision));
  GROUT_RETURN_IF_ERROR(module.findDevice(GROUT_PLAN_COMPILED, device));
  std::ostringstream failed;
  for (size_t rank = 0; rank != outputs.size(); ++rank)
    for (size_t i = 0; i != outputs[rank].size(); ++i) {
      const HostTensor &output = outputs[rank][i];
      Tolerance tolerance =
          chooseTolerance(output.type.elementType, precision, device);
      if (options.tolerance)
        tolerance = {*options.tolerance, "as given"};
      std::string name = nameOnRank(output.name, rank, outputs.size());
      if (!checkOutput(name, output, references[rank][i], tolerance))
        failed << (failed.tellp() == 0 ? "'" : ", '") << name
               << "' at tolerance " << tolerance.value;
    }
  if (failed.tellp() != 0)
    return Status::error(GROUT_ERROR_INTERNAL, "the check fails for ",
                         failed.str());
  return Status::ok();
}

static Status timeRuns(const OwnedModule &module, const Options &options,
                       const RankTensors &inputs) {
  // Use another session, so that the times do not include poisoning.
  RankRunners runners;
  GROUT_RETURN_IF_ERROR(runners.create(
      module, makeConfig(options, GROUT_PLAN_COMPILED, /*poison=*/false),
      inputs));
  Timing timing;
  GROUT_RETURN_IF_ERROR(runners.measure(timing));
  std::printf("time: median %.2f us, min %.2f us, max %.2f us a run (%s)\n",
              timing.median, timing.min, timing.max, timing.what.c_str());
  return Status::ok();
}

static Status traceRun(const OwnedModule &module, const Options &options,
                       const RankTensors &inputs) {
  grout_session_config config =
      makeConfig(options, GROUT_PLAN_COMPILED, /*poison=*/false);
  config.trace = 1;
  RankRunners runners;
  GROUT_RETURN_IF_ERROR(runners.create(module, config, inputs));
  std::vector<SessionTrace> traces;
  GROUT_RETURN_IF_ERROR(runners.runTraced(traces));
  GROUT_RETURN_IF_ERROR(writeTrace(options.trace, traces));
  size_t records = 0;
  uint64_t lost = 0;
  for (const SessionTrace &trace : traces) {
    records += trace.records.size();
    lost += trace.lost;
  }
  std::cout << "trace: " << records << " records";
  if (lost)
    std::cout << ", and no room for " << lost;
  std::cout << '\n';
  return Status::ok();
}

static Status writeOutputs(const OwnedModule &module, const Options &options,
                           const RankTensors &outputs) {
  BFloatFiles bfloat =
      options.bfloatAsUint16 ? BFloatFiles::Uint16 : BFloatFiles::Void2;
  auto ranks = static_cast<uint32_t>(outputs.size());
  std::vector<TensorSpec> specs;
  GROUT_RETURN_IF_ERROR(module.describeOutputs(GROUT_PLAN_COMPILED, specs));
  for (uint32_t rank = 0; rank != ranks; ++rank) {
    std::vector<NamedFile> files;
    GROUT_RETURN_IF_ERROR(
        filesOfRank(options.outputs, rank, ranks, specs, "output", files));
    for (const HostTensor &output : outputs[rank])
      for (const NamedFile &file : files)
        if (file.first == output.name)
          GROUT_RETURN_IF_ERROR(writeNpy(file.second, bfloat, output));
  }
  return Status::ok();
}

static void printSummary(const std::string &name, const HostTensor &output) {
  Summary summary = summarise(output);
  constexpr int kDigits = 6, kDigitsOfIntegers = 17;
  std::cout << name << ": " << output.type.str()
            << std::setprecision(isInteger(output.type.elementType)
                                     ? kDigitsOfIntegers
                                     : kDigits)
            << ", min " << summary.min << ", max " << summary.max
            << std::setprecision(kDigits) << ", mean " << summary.mean;
  if (summary.notFinite)
    std::cout << ", " << summary.notFinite << " elements NaN or infinite";
  std::cout << '\n';
}

static Status runTool(const Options &options) {
  OwnedModule module;
  GROUT_RETURN_IF_ERROR(OwnedModule::load(options.file.c_str(), module));
  if (options.info)
    return module.describe(std::cout);
  uint64_t symmetricBytes = 0;
  uint32_t ranks = 0;
  GROUT_RETURN_IF_ERROR(
      module.findSymmetric(GROUT_PLAN_COMPILED, symmetricBytes, ranks));
  GROUT_RETURN_IF_ERROR(checkOptions(module, options, ranks));
  RankTensors inputs, outputs;
  GROUT_RETURN_IF_ERROR(makeInputsOfRanks(module, options, ranks, inputs));
  GROUT_RETURN_IF_ERROR(runCompiled(module, options, inputs, outputs));
  GROUT_RETURN_IF_ERROR(writeOutputs(module, options, outputs));
  for (uint32_t rank = 0; rank != ranks; ++rank)
    for (const HostTensor &output : outputs[rank])
      printSummary(nameOnRank(output.name, rank, ranks), output);
  if (options.check)
    GROUT_RETURN_IF_ERROR(checkOutputs(module, options, inputs, outputs));
  if (options.time)
    GROUT_RETURN_IF_ERROR(timeRuns(module, options, inputs));
  if (!options.trace.empty())
    GROUT_RETURN_IF_ERROR(traceRun(module, options, inputs));
  return Status::ok();
}

/// Checks that all output could be written, and that e.g. the disk was not
/// full.
static Status flushOutput() {
  errno = 0;
  std::cout.flush();
  // Check both: an earlier error may be in the stream's own buffer.
  if (std::fflush(stdout) == 0 && !std::ferror(stdout) && std::cout)
    return Status::ok();
  return Status::error(GROUT_ERROR_IO, "cannot write to standard output",
                       errno ? ": " : "", errno ? std::strerror(errno) : "");
}

/// Prints errors, if there are any, and returns the exit status.
static int finish(Status status, int exitStatus = 0) {
  Status flushed = flushOutput();
  for (const Status &error : {status, flushed})
    if (error.isError()) {
      std::cerr << "grout-run: error: " << error.message() << '\n';
      exitStatus = 1;
    }
  return exitStatus;
}

int main(int argc, char **argv) {
  try {
    Options options;
    if (std::optional<int> exitStatus = parseOptions(argc, argv, options))
      return finish(Status::ok(), *exitStatus);
    return finish(runTool(options));
  } catch (const std::exception &error) {
    std::cerr << "grout-run: error: " << error.what() << '\n';
    return 1;
  }
}
