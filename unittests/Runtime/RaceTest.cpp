//===- RaceTest.cpp - ThreadSanitizer watches a missing wait --------------===//
//
// Part of Grout. Built with -DGROUT_SANITIZE=thread only. The tests of the CPU
// device show that the right chain has no race; this one shows that a race
// would have been found: without its wait the same chain has one.
//
//===----------------------------------------------------------------------===//

#include "TestArtifacts.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <sys/wait.h>

#include <cstdio>

using namespace grout;
using namespace grout::test;
using testing::HasSubstr;
using testing::Not;

namespace {

/// With delays, so that several workers take part and meet.
void runChain(const char *defines) {
  ModulePtr module = load(makeChain(compileBodies(defines)));
  for (uint64_t seed = 1; seed != 6; ++seed) {
    grout_session_config config = makeConfig(8);
    config.delay_seed = seed;
    SessionPtr session = createSession(module, config);
    ChainBuffers buffers;
    for (int replay = 0; replay != 10; ++replay)
      ASSERT_EQ(buffers.run(session), GROUT_OK) << grout_last_error();
  }
}

// Run by the tests below, in processes of their own.
TEST(Race, DISABLED_WithWait) { runChain(""); }
TEST(Race, DISABLED_WithoutWait) { runChain("-DFAULT_MISSING_WAIT"); }

struct Result {
  int exitStatus = -1;
  std::string output;
};

/// Runs a disabled test of this program. ThreadSanitizer then ends it with
/// status 66 if it reported anything.
Result runAlone(const std::string &test) {
  Result result;
  std::string command =
      "TSAN_OPTIONS=exitcode=66 " + testing::internal::GetArgvs()[0] +
      " --gtest_also_run_disabled_tests --gtest_filter=" + test + " 2>&1";
  FILE *pipe = popen(command.c_str(), "r");
  EXPECT_TRUE(pipe);
  char buffer[4096];
  while (size_t count = std::fread(buffer, 1, sizeof(buffer), pipe))
    result.output.append(buffer, count);
  result.exitStatus = WEXITSTATUS(pclose(pipe));
  return result;
}

TEST(Race, TheRightChainHasNone) {
  Result result = runAlone("Race.DISABLED_WithWait");
  EXPECT_EQ(result.exitStatus, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("[  PASSED  ] 1 test"));
  EXPECT_THAT(result.output, Not(HasSubstr("data race")));
}

TEST(Race, AMissingWaitIsOne) {
  Result result = runAlone("Race.DISABLED_WithoutWait");
  EXPECT_EQ(result.exitStatus, 66) << result.output;
  EXPECT_THAT(result.output, HasSubstr("WARNING: ThreadSanitizer: data race"));
  EXPECT_THAT(result.output, HasSubstr("mirror"));
}

} // namespace
