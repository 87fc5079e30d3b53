//===- WorkspaceTest.cpp - Intermediates in memory of the caller ----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TestArtifacts.h"
#include "grout/RuntimeSupport/AlignedBytes.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace grout;
using namespace grout::test;
using testing::HasSubstr;

namespace {

class Workspace : public testing::Test {
protected:
  Workspace() {
    EXPECT_EQ(grout_module_workspace(module.get(), GROUT_PLAN_COMPILED, &bytes),
              GROUT_OK);
    EXPECT_FALSE(memory.allocate(2 * bytes, "the workspace").isError());
    std::memset(memory.data(), 0xff, memory.size());
    session = create(/*poison=*/false);
  }

  SessionPtr create(bool poison) {
    grout_session_config config = makeConfig(2);
    config.caller_workspace = 1;
    config.poison_intermediates = poison;
    return createSession(module, config);
  }

  grout_status run(void *workspace, uint64_t size) {
    const void *inputs[] = {buffers.in.data(), buffers.bias.data()};
    void *outputs[] = {buffers.out.data()};
    return grout_session_run_in(session.get(), inputs, outputs, workspace, size,
                                nullptr);
  }
  /// The message with which a run in `workspace` is refused.
  std::string refuse(void *workspace, uint64_t size) {
    EXPECT_EQ(run(workspace, size), GROUT_ERROR_INVALID_ARGUMENT);
    return grout_last_error();
  }

  ModulePtr module = load(makeChain(compileBodies()));
  uint64_t bytes = 0;
  runtime::AlignedBytes memory;
  ChainBuffers buffers;
  SessionPtr session;
};

TEST_F(Workspace, HoldsTheIntermediatesOfEachRun) {
  EXPECT_EQ(bytes, uint64_t(kElements) * sizeof(float));
  for (uint64_t offset : {uint64_t(0), bytes, uint64_t(256)}) {
    ASSERT_EQ(run(memory.data() + offset, bytes), GROUT_OK)
        << grout_last_error();
    EXPECT_EQ(buffers.countWrong(), 0u);
    // hidden = 2 * in + 1.
    float in, hidden;
    std::memcpy(&in, buffers.in.data(), sizeof(in));
    std::memcpy(&hidden, memory.data() + offset, sizeof(hidden));
    EXPECT_EQ(hidden, 2 * in + 1);
  }
}

TEST_F(Workspace, NothingBeyondItIsWritten) {
  for (bool poison : {false, true}) {
    session = create(poison);
    std::memset(memory.data(), 0x11, memory.size());
    ASSERT_EQ(run(memory.data(), 2 * bytes), GROUT_OK) << grout_last_error();
    EXPECT_EQ(buffers.countWrong(), 0u);
    for (uint64_t i = bytes; i != 2 * bytes; ++i)
      ASSERT_EQ(memory.data()[i], 0x11);
  }
}

TEST_F(Workspace, IsNotNeededForWhatIsInAnOutput) {
  artifact::ArtifactT artifact = makeChain(compileBodies());
  auto host = std::make_unique<artifact::TensorT>(*artifact.outputs[0]);
  host->name = "host";
  auto buffer = std::make_unique<artifact::BufferT>();
  buffer->kind = artifact::BufferKind::Output;
  buffer->index = 1;
  buffer->tensor = std::make_unique<artifact::TensorT>(*host);
  artifact.outputs.push_back(std::move(host));
  artifact.plan->buffers.push_back(std::move(buffer));
  artifact.plan->buffers[1]->kind = artifact::BufferKind::InOutput;
  artifact.plan->buffers[1]->index = 1;
  artifact.plan->workspace = 0;
  artifact.reference.reset();
  module = load(artifact);
  session = create(/*poison=*/true);
  const void *inputs[] = {buffers.in.data(), buffers.bias.data()};
  void *outputs[] = {buffers.out.data(), memory.data()};
  ASSERT_EQ(
      grout_session_run_in(session.get(), inputs, outputs, nullptr, 0, nullptr),
      GROUT_OK)
      << grout_last_error();
  EXPECT_EQ(buffers.countWrong(), 0u);
  float in, hidden;
  std::memcpy(&in, buffers.in.data(), sizeof(in));
  std::memcpy(&hidden, memory.data(), sizeof(hidden));
  EXPECT_EQ(hidden, 2 * in + 1);
}

TEST_F(Workspace, MustFit) {
  EXPECT_THAT(refuse(memory.data(), bytes - 1),
              HasSubstr("the workspace has 8191 bytes, and the plan needs "
                        "8192"));
  EXPECT_THAT(refuse(nullptr, bytes), HasSubstr("is a null pointer"));
  EXPECT_THAT(refuse(memory.data() + 64, bytes),
              HasSubstr("is not aligned to 256 bytes"));
  EXPECT_THAT(refuse(buffers.in.data(), bytes), HasSubstr("overlaps"));
  EXPECT_THAT(refuse(buffers.out.data(), bytes), HasSubstr("the workspace"));
}

TEST_F(Workspace, IsTheSessionsOrTheCallers) {
  EXPECT_EQ(buffers.run(session), GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_THAT(grout_last_error(), HasSubstr("call grout_session_run_in"));
  session = createSession(module, makeConfig(2));
  EXPECT_THAT(refuse(memory.data(), bytes),
              HasSubstr("call grout_session_run"));
  EXPECT_EQ(
      grout_session_run_in(nullptr, nullptr, nullptr, nullptr, 0, nullptr),
      GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(grout_module_workspace(module.get(), GROUT_PLAN_COMPILED, nullptr),
            GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(grout_module_workspace(module.get(), grout_plan(7), &bytes),
            GROUT_ERROR_NOT_FOUND);
}

} // namespace
