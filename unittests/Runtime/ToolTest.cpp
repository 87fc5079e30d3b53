//===- ToolTest.cpp - grout-run from the command line ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Npy.h"
#include "Numbers.h"
#include "TestArtifacts.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

using namespace grout;
using namespace grout::test;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

struct ToolResult {
  int exitStatus = -1;
  std::string output; // stdout and stderr
};

class Tool : public testing::Test {
protected:
  Tool() {
    char name[] = "/tmp/grout-tool-test-XXXXXX";
    directory = mkdtemp(name) ? name : "";
    EXPECT_NE(directory, "");
  }
  ~Tool() override {
    for (const std::string &file : files)
      std::remove(file.c_str());
    rmdir(directory.c_str());
  }

  std::string path(const std::string &name) {
    files.push_back(directory + "/" + name);
    return files.back();
  }

  std::string write(const artifact::ArtifactT &artifact) {
    std::vector<uint8_t> bytes = serialise(artifact);
    std::string file = path("artifact.grout");
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char *>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    return file;
  }

  std::string writeChain(const std::string &defines = "") {
    return write(makeChain(compileBodies(defines)));
  }

  static ToolResult run(const std::string &arguments,
                        const std::string &redirections = "2>&1",
                        const std::string &environment = "") {
    ToolResult result;
    std::string command = environment + " " GROUT_TEST_RUN " " + arguments +
                          " " + redirections + " </dev/null";
    FILE *pipe = popen(command.c_str(), "r");
    EXPECT_TRUE(pipe);
    char buffer[4096];
    while (size_t count = std::fread(buffer, 1, sizeof(buffer), pipe))
      result.output.append(buffer, count);
    int status = pclose(pipe);
    EXPECT_TRUE(WIFEXITED(status)) << "crashed: " << result.output;
    result.exitStatus = WEXITSTATUS(status);
    return result;
  }

  /// Runs with a driver whose kernels do nothing, see FakeCudaDriver.cpp.
  static ToolResult runOnFakeGpu(const std::string &arguments,
                                 const std::string &environment = "") {
    return run(arguments, "2>&1",
               "LD_LIBRARY_PATH=" GROUT_TEST_FAKE_CUDA " " + environment);
  }

  std::string directory;
  std::vector<std::string> files;
};

TEST_F(Tool, ChecksAndReplays) {
  ToolResult result =
      run(writeChain() + " --check --repeat=101 --workers=4 --tolerance=1e-6");
  EXPECT_EQ(result.exitStatus, 0) << result.output;
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("100 runs: all bitwise equal"),
                    HasSubstr("out: relative error"), HasSubstr("passes")));
}

TEST_F(Tool, CheckFailsAboveTheTolerance) {
  // Single precision is not that good.
  ToolResult result = run(writeChain() + " --check --tolerance=1e-12");
  EXPECT_EQ(result.exitStatus, 1);
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("FAILS"),
                    HasSubstr("the check fails for 'out' at tolerance 1e-12")));
}

TEST_F(Tool, CheckChoosesTheToleranceByWhatThePlanWrites) {
  EXPECT_THAT(run(writeChain() + " --check").output,
              HasSubstr("tolerance 1e-05 (f32): passes"));
  EXPECT_THAT(run(writeChain() + " --check --tolerance=0.5").output,
              HasSubstr("tolerance 0.5 (as given): passes"));
}

TEST_F(Tool, CheckFailsOnNaN) {
  ToolResult result =
      run(writeChain("-DFAULT_NAN") + " --check --tolerance=1e30");
  EXPECT_EQ(result.exitStatus, 1);
  EXPECT_THAT(result.output, HasSubstr("elements are NaN or infinite"));
}

TEST_F(Tool, CheckNoticesOutputsThatAreNotWritten) {
  // A tile too few: its part of the output stays poisoned.
  artifact::ArtifactT artifact = makeChain(compileBodies());
  artifact.plan->launches[0]->tasks.pop_back();
  ToolResult result = run(write(artifact) + " --check");
  EXPECT_EQ(result.exitStatus, 1);
  EXPECT_THAT(result.output, HasSubstr("128 elements are NaN or infinite"));
}

TEST_F(Tool, NoticesRunsThatDiffer) {
  ToolResult result = run(writeChain("-DFAULT_IRREPRODUCIBLE") + " --repeat=3");
  EXPECT_EQ(result.exitStatus, 1);
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("not reproducible: run 2"), HasSubstr("'out'")));
}

TEST_F(Tool, NoticesWritesBehindAnOutput) {
  ToolResult result = run(writeChain("-DFAULT_OVERRUN"));
  EXPECT_EQ(result.exitStatus, 1);
  EXPECT_THAT(result.output, HasSubstr("wrote beyond output 'out'"));
}

TEST_F(Tool, NeverHangs) {
  ToolResult result =
      run(writeChain("-DFAULT_MISSING_POST") + " --timeout-seconds=0.2");
  EXPECT_EQ(result.exitStatus, 1);
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("waits for semaphore 2"), HasSubstr("sees 3")));
}

TEST_F(Tool, TestOptionsWork) {
  ToolResult result = run(writeChain() + " --check --repeat=9 --workers=8 "
                                         "--inject-delays=3 "
                                         "--skip-epochs=4294967290");
  EXPECT_EQ(result.exitStatus, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("8 runs: all bitwise equal"));
  EXPECT_THAT(run("--help").output, Not(HasSubstr("skip-epochs")));
}

TEST_F(Tool, TakesTime) {
  ToolResult result = run(writeChain() + " --time");
  EXPECT_EQ(result.exitStatus, 0);
  EXPECT_THAT(result.output, HasSubstr("time: median "));
}

TEST_F(Tool, ReadsAndWritesArrays) {
  run::HostTensor in, bias, out;
  ASSERT_FALSE(in.allocate("in", {GROUT_F32, {kRows, kColumns}}).isError());
  ASSERT_FALSE(bias.allocate("bias", {GROUT_F32, {kColumns}}).isError());
  ASSERT_FALSE(out.allocate("out", {GROUT_F32, {kRows, kColumns}}).isError());
  for (uint32_t i = 0; i != kElements; ++i)
    run::writeElement(GROUT_F32, in.data.data(), i, 0.5);
  for (uint32_t i = 0; i != kColumns; ++i)
    run::writeElement(GROUT_F32, bias.data.data(), i, i);
  std::string inFile = path("in.npy"), biasFile = path("bias.npy"),
              outFile = path("out.npy");
  ASSERT_FALSE(writeNpy(inFile, run::BFloatFiles::Void2, in).isError());
  ASSERT_FALSE(writeNpy(biasFile, run::BFloatFiles::Void2, bias).isError());
  ToolResult result =
      run(writeChain() + " --input in=" + inFile + " --input bias=" + biasFile +
          " --output out=" + outFile);
  ASSERT_EQ(result.exitStatus, 0) << result.output;
  ASSERT_EQ(readNpy(outFile, run::BFloatFiles::Void2, out).message(), "");
  for (uint32_t i = 0; i != kElements; ++i)
    ASSERT_EQ(run::readElement(GROUT_F32, out.data.data(), i),
              4 + i % kColumns);

  result = run(writeChain() + " --input in=" + biasFile);
  EXPECT_EQ(result.exitStatus, 1);
  EXPECT_THAT(result.output, HasSubstr("shape is (64,), but 'in' is"));
}

TEST_F(Tool, IntegersAreCheckedExactly) {
  auto makeIntegers = [](const std::string &defines) {
    artifact::ArtifactT artifact =
        makeChain(compileBodies("-DINTEGERS " + defines));
    for (auto *tensors : {&artifact.inputs, &artifact.outputs})
      for (auto &tensor : *tensors)
        tensor->element_type = artifact::ElementType::I32;
    for (auto *plan : {artifact.plan.get(), artifact.reference.get()})
      for (auto &buffer : plan->buffers)
        buffer->tensor->element_type = artifact::ElementType::I32;
    return artifact;
  };
  ToolResult result = run(write(makeIntegers("")) + " --check");
  EXPECT_EQ(result.exitStatus, 0) << result.output;
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("out: i32[32x64], min -"),
                    HasSubstr("relative error 0, largest absolute error 0, "
                              "tolerance 0 (i32): passes")));
  std::string wrong = write(makeIntegers("-DFAULT_OFF_BY_ONE"));
  result = run(wrong + " --check");
  EXPECT_EQ(result.exitStatus, 1);
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("largest absolute error 1, tolerance 0 (i32): "
                              "FAILS"),
                    HasSubstr("the check fails for 'out' at tolerance 0")));
  EXPECT_EQ(run(wrong + " --check --tolerance=0.1").exitStatus, 0);
}

TEST_F(Tool, SeedsMakeDifferentInputs) {
  std::string file = writeChain();
  EXPECT_EQ(run(file + " --seed=1").output, run(file + " --seed=1").output);
  EXPECT_NE(run(file + " --seed=1").output, run(file + " --seed=2").output);
}

TEST_F(Tool, DescribesArtifacts) {
  ToolResult result = run(writeChain() + " --info");
  EXPECT_EQ(result.exitStatus, 0);
  EXPECT_THAT(result.output, AllOf(HasSubstr("chain for cpu, mode persistent"),
                                   HasSubstr("input in: f32[32x64]"),
                                   HasSubstr("32 tasks, 4 semaphores"),
                                   HasSubstr("reference plan on the CPU")));
  result = run(write(makeGpuChain()) + " --info");
  EXPECT_EQ(result.exitStatus, 0);
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("Cubin for sm_90a"),
                    HasSubstr("persistent, at most 1 blocks a processor"),
                    HasSubstr("after launch 0, Programmatic")));
}

TEST_F(Tool, RunsOnAGpu) {
  std::string file = write(makeGpuChain());
  ToolResult result = runOnFakeGpu(file + " --time");
  EXPECT_EQ(result.exitStatus, 0) << result.output;
  EXPECT_THAT(result.output, AllOf(HasSubstr("out: f32[32x64]"),
                                   HasSubstr("time: median 50.00 us"),
                                   HasSubstr("(15 graphs of 20 runs)")));
  for (const char *graph : {"", " --graph"}) {
    result =
        runOnFakeGpu(file + " --repeat=301 --poison --skip-epochs=7" + graph);
    EXPECT_EQ(result.exitStatus, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("all bitwise equal"));
  }
}

TEST_F(Tool, RunsBranchesOnAGpu) {
  for (artifact::EdgeKind kind :
       {artifact::EdgeKind::Programmatic, artifact::EdgeKind::Full}) {
    artifact::ArtifactT artifact = makeGpuChain();
    auto &launches = artifact.plan->launches;
    // One that starts with the plan, and one that waits for two branches.
    for (uint32_t i = 0; i != 2; ++i)
      launches.push_back(std::make_unique<artifact::LaunchT>(*launches[1]));
    launches[1]->branch = 2;
    launches[2]->branch = 1;
    launches[2]->after.clear();
    for (uint32_t i = 0; i != 3; ++i) {
      auto edge = std::make_unique<artifact::EdgeT>();
      edge->launch = i;
      edge->kind = kind;
      launches[3]->after.push_back(std::move(edge));
    }
    std::string file = write(artifact);
    for (const char *graph : {"", " --graph"}) {
      ToolResult result = runOnFakeGpu(file + " --repeat=3 --poison" + graph);
      EXPECT_EQ(result.exitStatus, 0) << result.output;
      EXPECT_THAT(result.output, HasSubstr("all bitwise equal"));
    }
  }
}

TEST_F(Tool, ReleasesAGpuThatDoesNotFit) {
  artifact::ArtifactT artifact = makeGpuChain();
  artifact.plan->launches[0]->min_residents = 133;
  ToolResult result = runOnFakeGpu(write(artifact));
  EXPECT_EQ(result.exitStatus, 1) << result.output;
  EXPECT_THAT(result.output, HasSubstr("needs 133 resident tiles"));
}

TEST_F(Tool, ReleasesAGpuAfterAFailedLaunch) {
  // The first launch of the plan may still use the buffers then.
  ToolResult result =
      runOnFakeGpu(write(makeGpuChain()), "GROUT_FAKE_CUDA_LAUNCHES=1");
  EXPECT_EQ(result.exitStatus, 1) << result.output;
  EXPECT_THAT(result.output, HasSubstr("CUDA cannot start launch 'copy'"));
}

TEST_F(Tool, SaysHowFarAHungGpuIs) {
  std::string file = write(makeGpuChain());
  std::string state =
      "grout-run: error: the GPU did not finish within 0.1 seconds; its "
      "state:\n"
      "  launch 'chain': ticket 0 of 32, 0 blocks finished, epoch 0, "
      "semaphores 0 0 0 0\n"
      "  launch 'copy': ticket 0, 0 blocks finished, epoch 0\n";
  for (const char *arguments : {"", " --repeat=1000", " --repeat=9 --graph"}) {
    ToolResult result = runOnFakeGpu(
        file + " --timeout-seconds=0.1" + arguments, "GROUT_FAKE_CUDA_HANGS=1");
    EXPECT_EQ(result.exitStatus, 1) << arguments;
    EXPECT_EQ(result.output, state) << arguments;
  }
}

TEST_F(Tool, RunsEachRankOnAGpuOfItsOwn) {
  artifact::ArtifactT artifact = makeGpuChain();
  artifact.plan->ranks = 3;
  artifact.plan->symmetric = 256;
  auto exchange = std::make_unique<artifact::ExchangeT>();
  exchange->bytes = 256;
  artifact.plan->launches.back()->exchange = std::move(exchange);
  std::string file = write(artifact);
  for (const char *arguments : {"", " --repeat=9", " --repeat=9 --graph"}) {
    ToolResult result =
        runOnFakeGpu(file + arguments, "GROUT_FAKE_CUDA_GPUS=3");
    EXPECT_EQ(result.exitStatus, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("out of rank 2: "));
  }
  EXPECT_THAT(runOnFakeGpu(file + " --gpu=1", "GROUT_FAKE_CUDA_GPUS=4"),
              testing::Field(&ToolResult::exitStatus, 0));
  EXPECT_THAT(runOnFakeGpu(file, "GROUT_FAKE_CUDA_GPUS=2").output,
              HasSubstr("rank 2: "));
  EXPECT_THAT(
      runOnFakeGpu(file, "GROUT_FAKE_CUDA_GPUS=3 GROUT_FAKE_CUDA_APART=1")
          .output,
      HasSubstr("the ranks of the plan read each other's memory, but GPU 0 "
                "cannot access the memory of GPU 1"));
  // One rank reports, and no other writes in between.
  EXPECT_THAT(
      runOnFakeGpu(file + " --timeout-seconds=0.1",
                   "GROUT_FAKE_CUDA_GPUS=3 GROUT_FAKE_CUDA_HANGS=1")
          .output,
      testing::MatchesRegex(
          "grout-run: error: the GPU of rank [0-2] did not finish within 0.1 "
          "seconds; its state:\n"
          "  launch 'chain': ticket 0 of 32, 0 blocks finished, epoch 0, "
          "semaphores 0 0 0 0\n"
          "  launch 'copy': ticket 0, 0 blocks finished, epoch 0\n"));
}

static std::string readText(const std::string &path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

TEST_F(Tool, TracesAGpu) {
  artifact::ArtifactT artifact = makeGpuChain();
  std::string file = write(artifact), trace = path("trace.json");
  ToolResult result =
      runOnFakeGpu(file + " --trace=" + trace, "GROUT_FAKE_CUDA_TRACES=1");
  EXPECT_EQ(result.exitStatus, 0) << result.output;
  // Two launches take one place more than they have.
  EXPECT_THAT(result.output, HasSubstr(" records, and no room for 2\n"));
  std::string text = readText(trace);
  EXPECT_THAT(text, HasSubstr("\"args\":{\"name\":\"SM 3: compute\"}"));
  EXPECT_THAT(text, HasSubstr("\"ts\":1.000,\"dur\":2.500,"));
  EXPECT_THAT(text, HasSubstr("\"cat\":\"load\""));
  EXPECT_THAT(text, HasSubstr("\"launch\":\"chain\",\"processor\":3"));

  result = runOnFakeGpu(file + " --trace=" + trace, "");
  EXPECT_EQ(result.exitStatus, 1);
  EXPECT_THAT(result.output,
              HasSubstr("no kernel of the plan records its times; compile the "
                        "artifact with --trace"));
}

TEST_F(Tool, TracesTilesOfWorkers) {
  std::string trace = path("trace.json");
  ToolResult result = run(writeChain() + " --workers=2 --trace=" + trace);
  EXPECT_EQ(result.exitStatus, 0) << result.output;
  std::string text = readText(trace);
  EXPECT_THAT(text, HasSubstr("\"args\":{\"name\":\"worker "));
  EXPECT_THAT(text, HasSubstr("\"cat\":\"tile\""));
  EXPECT_THAT(text, HasSubstr("\"cat\":\"wait\""));
  EXPECT_THAT(run(writeChain() + " --trace=/nowhere/trace.json").output,
              HasSubstr("cannot write '/nowhere/trace.json': No such file"));
}

TEST_F(Tool, TeachesItsUse) {
  ToolResult result = run("--help");
  EXPECT_EQ(result.exitStatus, 0);
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("Examples:"), HasSubstr("--check"),
                    HasSubstr("--timeout-seconds"), HasSubstr("shape[-2]")));
}

TEST_F(Tool, RefusesWrongUsage) {
  std::string file = writeChain();
  for (const char *arguments : {"",
                                "--nonsense",
                                "--repeat=0",
                                "--trace=''",
                                "--repeat=x",
                                "--workers=0",
                                "--workers=-1",
                                "--workers=1025",
                                "--workers=18446744073709551617",
                                "--seed=-1",
                                "--seed=0x10",
                                "--seed=1e3",
                                "--seed=1 2",
                                "--seed=",
                                "--seed=18446744073709551616",
                                "--gpu=-1",
                                "--gpu=2147483648",
                                "--repeat=-1",
                                "--repeat=4294967297",
                                "--inject-delays=-1",
                                "--skip-epochs=-1",
                                "--skip-epochs=4294967296",
                                "--timeout-seconds=-1",
                                "--timeout-seconds=x",
                                "--tolerance=1e999",
                                "--tolerance=-1",
                                "--tolerance=nan",
                                "--timeout-seconds=inf",
                                "--device=tpu",
                                "--input in",
                                "--input =x",
                                "--output out=",
                                "second-file"}) {
    ToolResult result = run((*arguments ? file + " " : "") + arguments);
    EXPECT_EQ(result.exitStatus, 2) << arguments << ": " << result.output;
    EXPECT_THAT(result.output, HasSubstr("grout-run --help")) << arguments;
  }
}

TEST_F(Tool, NumbersAreDecimal) {
  std::string file = writeChain();
  EXPECT_EQ(run(file + " --seed=010").output, run(file + " --seed=10").output);
  EXPECT_EQ(run(file + " --seed=18446744073709551615").exitStatus, 0);
}

TEST_F(Tool, SaysItsVersion) {
  ToolResult result = run("--version");
  EXPECT_EQ(result.exitStatus, 0);
  EXPECT_THAT(result.output, HasSubstr("Grout version "));
}

TEST_F(Tool, NoticesOutputThatCannotBeWritten) {
  std::string file = writeChain();
  for (const char *arguments : {"", "--check", "--info", "--check --repeat=3",
                                "--time", "--help", "--version"}) {
    ToolResult result = run(file + " " + arguments, "2>&1 >/dev/full");
    EXPECT_EQ(result.exitStatus, 1) << arguments;
    EXPECT_THAT(result.output,
                HasSubstr("cannot write to standard output: No space left"))
        << arguments;
  }
  ToolResult result = run(file + " --output out=/dev/full");
  EXPECT_EQ(result.exitStatus, 1);
  EXPECT_THAT(result.output, HasSubstr("cannot write '/dev/full'"));
}

TEST_F(Tool, ReportsFailures) {
  std::string file = writeChain();
  artifact::ArtifactT plain = makeChain(compileBodies());
  struct {
    std::string arguments;
    const char *message;
  } cases[] = {
      {"/nonexistent.grout", "cannot open '/nonexistent.grout'"},
      {directory, "cannot read"},
      {GROUT_TEST_RUN, "not a Grout artifact"},
      {file + " --device=cuda", "does not run on --device=cuda"},
      {file + " --graph", "--graph is for CUDA"},
      {file + " --input nope=a.npy", "no input 'nope'; the function has 'in'"},
      {file + " --output nope=a.npy", "no output 'nope'"},
      {file + " --output out=a.npy --output out=b.npy", "given twice"},
      {file + " --input in=/nonexistent.npy", "cannot open"},
      {file + " --output out=/nonexistent/a.npy", "cannot create"},
  };
  for (const auto &failing : cases) {
    ToolResult result = run(failing.arguments);
    EXPECT_EQ(result.exitStatus, 1) << failing.arguments;
    EXPECT_THAT(result.output, AllOf(HasSubstr("grout-run: error: "),
                                     HasSubstr(failing.message)));
  }
}

TEST_F(Tool, CheckNeedsAReference) {
  artifact::ArtifactT artifact = makeChain(compileBodies());
  artifact.reference.reset();
  ToolResult result = run(write(artifact) + " --check");
  EXPECT_EQ(result.exitStatus, 1);
  EXPECT_THAT(result.output, HasSubstr("--check needs a reference plan"));
}

TEST_F(Tool, RefusesTooFewWorkers) {
  artifact::ArtifactT artifact = makeChain(compileBodies());
  artifact.plan->launches[0]->min_residents = 3;
  ToolResult result = run(write(artifact) + " --workers=2");
  EXPECT_EQ(result.exitStatus, 1);
  EXPECT_THAT(result.output, AllOf(HasSubstr("needs 3 resident tiles"),
                                   HasSubstr("2 workers")));
}

} // namespace
