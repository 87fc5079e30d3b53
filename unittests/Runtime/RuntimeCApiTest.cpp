//===- RuntimeCApiTest.cpp - The C API, used and misused ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "CApiClient.h"
#include "TestArtifacts.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <thread>

using namespace grout;
using namespace grout::test;
using testing::AllOf;
using testing::HasSubstr;

namespace {

/// A grout_text_writer that appends to a string.
void append(const char *text, size_t size, void *user) {
  static_cast<std::string *>(user)->append(text, size);
}

std::string describe(const ModulePtr &module) {
  std::string text;
  EXPECT_EQ(grout_module_describe(module.get(), append, &text), GROUT_OK);
  return text;
}

TEST(CApi, NamesElementTypes) {
  EXPECT_STREQ(grout_element_type_name(GROUT_F16), "f16");
  EXPECT_STREQ(grout_element_type_name(GROUT_BF16), "bf16");
  EXPECT_STREQ(grout_element_type_name(GROUT_I1), "i1");
  EXPECT_STREQ(grout_element_type_name(GROUT_I64), "i64");
  EXPECT_EQ(grout_element_type_size(GROUT_BF16), 2u);
  EXPECT_EQ(grout_element_type_size(GROUT_I1), 1u);
  EXPECT_EQ(grout_element_type_size(grout_element_type(9)), 0u);
  EXPECT_EQ(grout_element_type_name(grout_element_type(9)), nullptr);
  EXPECT_EQ(grout_element_type_name(grout_element_type(-1)), nullptr);
}

TEST(CApi, DescribesTheModule) {
  ModulePtr module = load(makeChain(compileBodies()));
  EXPECT_EQ(grout_runtime_api_version(), uint32_t(GROUT_RUNTIME_API_VERSION));
  EXPECT_STREQ(grout_module_producer(module.get()), "grout test");
  EXPECT_STREQ(grout_module_entry(module.get()), "chain");
  EXPECT_STREQ(grout_module_target(module.get()), "cpu");
  EXPECT_STREQ(grout_module_mode(module.get()), "persistent");
  EXPECT_EQ(grout_module_num_inputs(module.get()), 2u);
  EXPECT_EQ(grout_module_num_outputs(module.get()), 1u);
  EXPECT_EQ(grout_module_has_plan(module.get(), GROUT_PLAN_REFERENCE), 1);
  grout_device device;
  ASSERT_EQ(grout_module_device(module.get(), GROUT_PLAN_COMPILED, &device),
            GROUT_OK);
  EXPECT_EQ(device, GROUT_DEVICE_CPU);

  grout_tensor_info info;
  ASSERT_EQ(grout_module_input(module.get(), GROUT_PLAN_COMPILED, 1, &info),
            GROUT_OK);
  EXPECT_STREQ(info.name, "bias");
  EXPECT_EQ(info.element_type, GROUT_F32);
  EXPECT_EQ(info.rank, 1u);
  EXPECT_EQ(info.shape[0], kColumns);
  EXPECT_EQ(info.bytes, uint64_t(kColumns) * 4);
  ASSERT_EQ(grout_module_output(module.get(), GROUT_PLAN_REFERENCE, 0, &info),
            GROUT_OK);
  EXPECT_STREQ(info.name, "out");
  EXPECT_EQ(info.element_type, GROUT_F64);
  EXPECT_EQ(info.rank, 2u);
  EXPECT_EQ(info.bytes, uint64_t(kElements) * 8);
}

TEST(CApi, WritesWhatACpuArtifactHolds) {
  artifact::ArtifactT artifact = makeChain(fakeElf(/*machine=*/62));
  artifact.reference.reset();
  EXPECT_EQ(describe(load(artifact)),
            R"(chain for cpu, mode persistent, by grout test
  input in: f32[32x64], 8192 bytes
  input bias: f32[64], 256 bytes
  output out: f32[32x64], 8192 bytes
module 0: SharedObject for x86-64, 64 bytes
plan on the CPU, workspace of 8192 bytes, constants of 0 bytes
  buffer 0: Input in f32[32x64]
  buffer 1: Intermediate hidden f32[32x64] at 0
  buffer 2: Input bias f32[64]
  buffer 3: Output out f32[32x64]
  launch 0 'chain': module 0, scale, mirror
    32 tasks, 4 semaphores, 4 arguments, at least 1 resident tiles
)");
}

TEST(CApi, WritesWhatAGpuArtifactHolds) {
  EXPECT_EQ(describe(load(makeGpuChain())),
            R"(chain for h200, mode persistent, by grout test
  input in: f32[32x64], 8192 bytes
  input bias: f32[64], 256 bytes
  output out: f32[32x64], 8192 bytes
module 0: Cubin for sm_90a, 64 bytes, with 29 bytes of PTX
plan on the GPU, workspace of 8192 bytes, constants of 0 bytes
  buffer 0: Input in f32[32x64]
  buffer 1: Intermediate hidden f32[32x64] at 0
  buffer 2: Input bias f32[64]
  buffer 3: Output out f32[32x64]
  launch 0 'chain': module 0, chain_kernel
    grid: persistent, at most 1 blocks a processor of 384 threads, clusters of 1, 204800 bytes of dynamic shared memory
    32 tasks, 4 semaphores (256 bytes of synchronisation state), 7 arguments, at least 1 resident tiles
  launch 1 'copy': module 0, copy_kernel
    grid: 4 x 1 x 1 blocks of 128 threads, clusters of 1, 0 bytes of dynamic shared memory
    shared by 2 kernels, of 1, 3 blocks
    0 tasks, 0 semaphores (128 bytes of synchronisation state), 1 arguments, at least 1 resident tiles
    after launch 0, Programmatic
)");
}

TEST(CApi, IsForC) {
  ModulePtr module = load(makeGpuChain());
  EXPECT_EQ(grout_test_count_description(module.get()),
            describe(module).size());
  EXPECT_EQ(grout_test_count_description(nullptr), 0u);
}

TEST(CApi, DescribesBothPlans) {
  EXPECT_THAT(describe(load(makeChain(compileBodies()))),
              AllOf(HasSubstr("\nplan on the CPU"),
                    HasSubstr("\nreference plan on the CPU")));
}

TEST(CApi, KnowsThePrecisionOfEachPlan) {
  artifact::ArtifactT artifact = makeChain(compileBodies());
  grout_element_type type;
  for (auto [plan, precision] : {std::pair(GROUT_PLAN_COMPILED, GROUT_F32),
                                 std::pair(GROUT_PLAN_REFERENCE, GROUT_F64)}) {
    ASSERT_EQ(grout_module_precision(load(artifact).get(), plan, &type),
              GROUT_OK);
    EXPECT_EQ(type, precision);
  }
  artifact.reference->rounded_to = artifact::ElementType::BF16;
  ASSERT_EQ(
      grout_module_precision(load(artifact).get(), GROUT_PLAN_COMPILED, &type),
      GROUT_OK);
  EXPECT_EQ(type, GROUT_BF16);
}

TEST(CApi, NamesIntegersAndTheirSizes) {
  const struct {
    artifact::ElementType type;
    grout_element_type named;
    uint64_t bytes;
  } kTypes[] = {{artifact::ElementType::I1, GROUT_I1, 1},
                {artifact::ElementType::I8, GROUT_I8, 1},
                {artifact::ElementType::I16, GROUT_I16, 2},
                {artifact::ElementType::I32, GROUT_I32, 4},
                {artifact::ElementType::I64, GROUT_I64, 8}};
  for (auto [type, named, bytes] : kTypes) {
    // Nothing runs, so the code may take it for something else.
    artifact::ArtifactT artifact = makeChain(compileBodies());
    artifact.inputs[1]->element_type = type;
    artifact.plan->buffers[2]->tensor->element_type = type;
    ModulePtr module = load(artifact);
    grout_tensor_info info;
    ASSERT_EQ(grout_module_input(module.get(), GROUT_PLAN_COMPILED, 1, &info),
              GROUT_OK);
    EXPECT_EQ(info.element_type, named);
    EXPECT_EQ(info.bytes, uint64_t(kColumns) * bytes);
  }
}

TEST(CApi, KnowsWhenThereIsNoReference) {
  artifact::ArtifactT artifact = makeChain(compileBodies());
  artifact.reference.reset();
  ModulePtr module = load(artifact);
  EXPECT_EQ(grout_module_has_plan(module.get(), GROUT_PLAN_REFERENCE), 0);
  grout_tensor_info info;
  EXPECT_EQ(grout_module_input(module.get(), GROUT_PLAN_REFERENCE, 0, &info),
            GROUT_ERROR_NOT_FOUND);
  grout_device device;
  EXPECT_EQ(grout_module_device(module.get(), GROUT_PLAN_REFERENCE, &device),
            GROUT_ERROR_NOT_FOUND);
  grout_element_type type;
  EXPECT_EQ(grout_module_precision(module.get(), GROUT_PLAN_REFERENCE, &type),
            GROUT_ERROR_NOT_FOUND);
  grout_session_config config = makeConfig(1);
  config.plan = GROUT_PLAN_REFERENCE;
  grout_session *session = nullptr;
  EXPECT_EQ(grout_session_create(module.get(), &config, &session),
            GROUT_ERROR_NOT_FOUND);
  EXPECT_THAT(grout_last_error(), HasSubstr("no reference plan"));
}

TEST(CApi, RefusesNullPointers) {
  grout_module *module = nullptr;
  grout_session *session = nullptr;
  EXPECT_EQ(grout_module_load_file(nullptr, &module),
            GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(grout_module_load_file("x", nullptr), GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(grout_module_load_memory(nullptr, 1, &module),
            GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(grout_session_create(nullptr, nullptr, &session),
            GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(grout_session_run(nullptr, nullptr, nullptr, nullptr),
            GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(grout_session_check(nullptr), GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(grout_session_skip_epochs(nullptr, 1),
            GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(grout_session_read_trace(nullptr, nullptr, nullptr, nullptr),
            GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(grout_module_input(nullptr, GROUT_PLAN_COMPILED, 0, nullptr),
            GROUT_ERROR_INVALID_ARGUMENT);
  grout_element_type type;
  EXPECT_EQ(grout_module_precision(nullptr, GROUT_PLAN_COMPILED, &type),
            GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(grout_module_describe(nullptr, append, nullptr),
            GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(grout_session_describe_state(nullptr, append, nullptr),
            GROUT_ERROR_INVALID_ARGUMENT);
  ModulePtr chain = load(makeChain(compileBodies()));
  EXPECT_EQ(grout_module_precision(chain.get(), GROUT_PLAN_COMPILED, nullptr),
            GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(grout_module_describe(chain.get(), nullptr, nullptr),
            GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(grout_session_describe_state(
                createSession(chain, makeConfig(1)).get(), nullptr, nullptr),
            GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_THAT(grout_last_error(), HasSubstr("null pointer"));
  grout_module_destroy(nullptr);
  grout_session_destroy(nullptr);
  grout_session_config_init(nullptr);
}

TEST(CApi, RefusesIndicesOutOfRange) {
  ModulePtr module = load(makeChain(compileBodies()));
  grout_tensor_info info;
  EXPECT_EQ(grout_module_input(module.get(), GROUT_PLAN_COMPILED, 2, &info),
            GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_THAT(grout_last_error(), HasSubstr("no input 2"));
  EXPECT_EQ(grout_module_output(module.get(), GROUT_PLAN_COMPILED, 1, &info),
            GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(grout_module_input(module.get(), grout_plan(7), 0, &info),
            GROUT_ERROR_NOT_FOUND);
}

TEST(CApi, ReportsFilesThatCannotBeRead) {
  grout_module *module = nullptr;
  EXPECT_EQ(grout_module_load_file("/nonexistent/a.grout", &module),
            GROUT_ERROR_IO);
  EXPECT_THAT(grout_last_error(),
              AllOf(HasSubstr("/nonexistent/a.grout"), HasSubstr("No such")));
  EXPECT_EQ(grout_module_load_file("/", &module), GROUT_ERROR_IO);
  EXPECT_EQ(module, nullptr);
}

TEST(CApi, LoadsFiles) {
  std::vector<uint8_t> bytes = serialise(makeChain(compileBodies()));
  std::string path = testing::TempDir() + "grout-capi-test-" +
                     std::to_string(getpid()) + ".grout";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  grout_module *module = nullptr;
  ASSERT_EQ(grout_module_load_file(path.c_str(), &module), GROUT_OK)
      << grout_last_error();
  ModulePtr owned(module);
  EXPECT_STREQ(grout_module_entry(module), "chain");
  std::remove(path.c_str());
}

class Buffers : public testing::Test {
protected:
  grout_status run(const void *in, const void *bias, void *out,
                   void *stream = nullptr) {
    const void *inputs[] = {in, bias};
    void *outputs[] = {out};
    return grout_session_run(session.get(), inputs, outputs, stream);
  }

  ModulePtr module = load(makeChain(compileBodies()));
  SessionPtr session = createSession(module, makeConfig(2));
  ChainBuffers buffers;
};

TEST_F(Buffers, MustNotBeNull) {
  EXPECT_EQ(run(nullptr, buffers.bias.data(), buffers.out.data()),
            GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_THAT(grout_last_error(), HasSubstr("input 'in' is a null pointer"));
  EXPECT_EQ(run(buffers.in.data(), buffers.bias.data(), nullptr),
            GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_THAT(grout_last_error(), HasSubstr("output 'out' is a null pointer"));
  EXPECT_EQ(grout_session_run(session.get(), nullptr, nullptr, nullptr),
            GROUT_ERROR_INVALID_ARGUMENT);
}

TEST_F(Buffers, MustBeAligned) {
  EXPECT_EQ(
      run(buffers.in.data() + 32, buffers.bias.data(), buffers.out.data()),
      GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_THAT(grout_last_error(), HasSubstr("not aligned to 64"));
}

TEST_F(Buffers, OutputsMustNotOverlap) {
  EXPECT_EQ(run(buffers.in.data(), buffers.bias.data(), buffers.in.data()),
            GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_THAT(grout_last_error(), AllOf(HasSubstr("'out'"), HasSubstr("'in'"),
                                        HasSubstr("overlaps")));
  runtime::AlignedBytes both;
  uint64_t bytes = kElements * 4;
  ASSERT_FALSE(both.allocate(2 * bytes, "both").isError());
  // The last 256 bytes of one are the first of the other, either way round.
  EXPECT_EQ(run(both.data(), buffers.bias.data(), both.data() + bytes - 256),
            GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(run(both.data() + bytes - 256, buffers.bias.data(), both.data()),
            GROUT_ERROR_INVALID_ARGUMENT);
  // A small input inside of the output.
  EXPECT_EQ(
      run(buffers.in.data(), buffers.out.data() + 512, buffers.out.data()),
      GROUT_ERROR_INVALID_ARGUMENT);
  // Touching is no overlap, and inputs may share memory.
  EXPECT_EQ(run(both.data(), both.data() + 512, both.data() + bytes), GROUT_OK)
      << grout_last_error();
}

TEST(CApi, OutputsInPlaceOfInputsAreOnePointer) {
  artifact::ArtifactT artifact = makeChain(compileBodies());
  artifact.plan->in_place = {artifact::InPlace(0, 0)};
  ModulePtr module = load(artifact);
  EXPECT_EQ(grout_module_in_place(module.get(), GROUT_PLAN_COMPILED, 0), 0);
  EXPECT_EQ(grout_module_in_place(module.get(), GROUT_PLAN_COMPILED, 1), -1);
  EXPECT_EQ(grout_module_in_place(module.get(), GROUT_PLAN_REFERENCE, 0), -1);
  EXPECT_THAT(describe(module), HasSubstr("output 0 is in place of input 0"));
  SessionPtr session = createSession(module, makeConfig(2));
  ChainBuffers buffers;
  const void *inputs[] = {buffers.in.data(), buffers.bias.data()};
  void *other[] = {buffers.out.data()}, *same[] = {buffers.in.data()};
  EXPECT_EQ(grout_session_run(session.get(), inputs, other, nullptr),
            GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_THAT(
      grout_last_error(),
      HasSubstr("output 'out' is in place of input 'in'; pass one pointer"));
  EXPECT_EQ(grout_session_run(session.get(), inputs, same, nullptr), GROUT_OK)
      << grout_last_error();
  // Nothing else may overlap it.
  inputs[1] = buffers.in.data() + 256;
  EXPECT_EQ(grout_session_run(session.get(), inputs, same, nullptr),
            GROUT_ERROR_INVALID_ARGUMENT);
}

TEST_F(Buffers, AnOverlapBehindAnotherInputIsSeen) {
  // Sorted by address, the small input lies between the large one and the
  // output, and does not overlap the output itself.
  runtime::AlignedBytes both;
  uint64_t bytes = kElements * 4;
  ASSERT_FALSE(both.allocate(2 * bytes, "both").isError());
  EXPECT_EQ(run(both.data(), both.data() + 256, both.data() + 1024),
            GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_THAT(grout_last_error(), HasSubstr("input 'in'"));
}

TEST_F(Buffers, TheCpuHasNoStreams) {
  EXPECT_EQ(
      run(buffers.in.data(), buffers.bias.data(), buffers.out.data(), &buffers),
      GROUT_ERROR_INVALID_ARGUMENT);
  // None of the misuse broke the session.
  EXPECT_EQ(run(buffers.in.data(), buffers.bias.data(), buffers.out.data()),
            GROUT_OK);
}

TEST_F(Buffers, TheCpuHasNothingToCheck) {
  EXPECT_EQ(grout_session_check(session.get()), GROUT_OK);
  EXPECT_EQ(buffers.run(session), GROUT_OK);
  EXPECT_EQ(grout_session_check(session.get()), GROUT_OK);
  EXPECT_EQ(buffers.run(session), GROUT_OK);
}

TEST_F(Buffers, TheCpuHasNoStateToDescribe) {
  std::string text;
  EXPECT_EQ(buffers.run(session), GROUT_OK);
  EXPECT_EQ(grout_session_describe_state(session.get(), append, &text),
            GROUT_OK);
  EXPECT_EQ(text, "");
}

TEST_F(Buffers, OnlyTracedSessionsHaveATrace) {
  const grout_trace_record *records = nullptr;
  uint64_t count = 0, lost = 0;
  EXPECT_EQ(buffers.run(session), GROUT_OK);
  EXPECT_EQ(grout_session_read_trace(session.get(), &records, &count, &lost),
            GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_THAT(grout_last_error(), HasSubstr("set trace in its configuration"));
}

TEST_F(Buffers, EpochsAreSkippedOnceAfterTheFirstRun) {
  EXPECT_EQ(grout_session_skip_epochs(session.get(), 5),
            GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(buffers.run(session), GROUT_OK);
  EXPECT_EQ(grout_session_skip_epochs(session.get(), 5), GROUT_OK);
  EXPECT_EQ(grout_session_skip_epochs(session.get(), 5),
            GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(buffers.run(session), GROUT_OK);
  EXPECT_EQ(buffers.countWrong(), 0u);
}

TEST(CApi, ConfigurationsAreChecked) {
  ModulePtr module = load(makeChain(compileBodies()));
  grout_session *session = nullptr;
  grout_session_config config = makeConfig(1025);
  EXPECT_EQ(grout_session_create(module.get(), &config, &session),
            GROUT_ERROR_INVALID_ARGUMENT);
  for (double seconds : {-1.0, 0.0 / 0.0, 1.0 / 0.0}) {
    config = makeConfig(1);
    config.timeout_seconds = seconds;
    EXPECT_EQ(grout_session_create(module.get(), &config, &session),
              GROUT_ERROR_INVALID_ARGUMENT);
  }
  for (size_t size : {size_t(0), sizeof(config) + 1}) {
    config = makeConfig(1);
    config.struct_size = size;
    EXPECT_EQ(grout_session_create(module.get(), &config, &session),
              GROUT_ERROR_INVALID_ARGUMENT);
    EXPECT_THAT(grout_last_error(), HasSubstr("grout_session_config_init"));
  }
  EXPECT_EQ(session, nullptr);
  // An older caller's configuration ends earlier, and no configuration is fine.
  config = makeConfig(1);
  config.struct_size = offsetof(grout_session_config, poison_intermediates);
  EXPECT_TRUE(createSession(module, config));
  ASSERT_EQ(grout_session_create(module.get(), nullptr, &session), GROUT_OK);
  grout_session_destroy(session);
}

TEST(CApi, ErrorsAreOfTheirThread) {
  grout_module *module = nullptr;
  EXPECT_EQ(grout_module_load_file("/nonexistent/here", &module),
            GROUT_ERROR_IO);
  std::thread([] { EXPECT_STREQ(grout_last_error(), ""); }).join();
  EXPECT_THAT(grout_last_error(), HasSubstr("here"));
}

TEST(CApi, SessionsRunAtTheSameTime) {
  ModulePtr module = load(makeChain(compileBodies()));
  std::vector<std::thread> threads;
  std::array<uint32_t, 3> wrong;
  wrong.fill(1);
  for (uint32_t &count : wrong)
    threads.emplace_back([&] {
      SessionPtr session = createSession(module, makeConfig(2));
      ChainBuffers buffers;
      count = 0;
      for (int i = 0; i != 5; ++i)
        count += buffers.run(session) != GROUT_OK || buffers.countWrong() != 0;
    });
  for (std::thread &thread : threads)
    thread.join();
  for (uint32_t count : wrong)
    EXPECT_EQ(count, 0u);
}

TEST(CApi, OneSessionTakesTurns) {
  ModulePtr module = load(makeChain(compileBodies()));
  SessionPtr session = createSession(module, makeConfig(2));
  std::vector<std::thread> threads;
  std::array<uint32_t, 3> wrong;
  wrong.fill(1);
  for (uint32_t &count : wrong)
    threads.emplace_back([&] {
      ChainBuffers buffers;
      count = 0;
      for (int i = 0; i != 5; ++i)
        count += buffers.run(session) != GROUT_OK || buffers.countWrong() != 0;
    });
  for (std::thread &thread : threads)
    thread.join();
  for (uint32_t count : wrong)
    EXPECT_EQ(count, 0u);
}

TEST(CApi, LibraryExportsTheApiAndNothingElse) {
  std::string command = "nm -D --defined-only " GROUT_TEST_LIBRARY;
  FILE *pipe = popen(command.c_str(), "r");
  ASSERT_TRUE(pipe);
  size_t exported = 0;
  char address[64], kind[8], name[512];
  while (std::fscanf(pipe, "%63s %7s %511s", address, kind, name) == 3) {
    EXPECT_EQ(std::string(name).compare(0, 6, "grout_"), 0) << name;
    ++exported;
  }
  EXPECT_EQ(pclose(pipe), 0);
  EXPECT_EQ(exported, 31u);
}

} // namespace
