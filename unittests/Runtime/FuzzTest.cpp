//===- FuzzTest.cpp - Damaged artifacts -----------------------------------===//
//
// Part of Grout. Loads 100,000 mutations of valid artifacts, half of them with
// the checksum repaired, so that the FlatBuffers verifier and the validator see
// them. Nothing may crash (the sanitizer build looks closer), and nothing of an
// artifact may be executed by loading it.
//
//===----------------------------------------------------------------------===//

#include "TestArtifacts.h"
#include "grout/Runtime/ArtifactFile.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <random>

using namespace grout;
using namespace grout::artifact;
using namespace grout::test;

namespace {

using Bytes = std::vector<uint8_t>;
using Random = std::mt19937_64;

size_t pick(Random &random, size_t count) { return random() % count; }

void flipBits(Bytes &bytes, Random &random) {
  for (size_t n = 1 + pick(random, 4); n; --n)
    bytes[pick(random, bytes.size())] ^=
        static_cast<uint8_t>(1u << pick(random, 8));
}

void truncate(Bytes &bytes, Random &random) {
  bytes.resize(pick(random, bytes.size()));
}

/// Copies a piece to another place.
void splice(Bytes &bytes, Random &random) {
  size_t size = 1 + pick(random, std::min<size_t>(bytes.size(), 64));
  size_t from = pick(random, bytes.size() - size + 1);
  size_t to = pick(random, bytes.size() - size + 1);
  std::memmove(&bytes[to], &bytes[from], size);
}

/// Overwrites a 32-bit word with a number that offsets and sizes trip over.
void setWord(Bytes &bytes, Random &random) {
  static const uint32_t kWords[] = {
      0, 1, 2, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff, 0x10000, 5};
  if (bytes.size() < 4)
    return;
  size_t at = pick(random, bytes.size() / 4) * 4;
  std::memcpy(&bytes[at], &kWords[pick(random, std::size(kWords))], 4);
}

void insertByte(Bytes &bytes, Random &random) {
  bytes.insert(bytes.begin() +
                   static_cast<ptrdiff_t>(pick(random, bytes.size())),
               static_cast<uint8_t>(random()));
}

constexpr void (*kMutations[])(Bytes &, Random &) = {flipBits, truncate, splice,
                                                     setWord, insertByte};

/// Makes the header fit a damaged payload.
Bytes repair(const Bytes &payload) {
  return wrapArtifact(payload.data(), payload.size());
}

TEST(Fuzz, MutationsAreRefusedOrHarmless) {
  // The GPU artifact is small and has every kind of argument; the CPU one holds
  // code that would tell if it was loaded.
  unsetenv("GROUT_TEST_WAS_LOADED");
  ArtifactT gpuChain = makeGpuChain();
  gpuChain.plan->launches[0]->debug_sync_milliseconds = 2000;
  ArtifactT pixels = makeGpuChain();
  makePixels(pixels);
  gpuChain.plan->launches[0]->arguments.push_back(
      std::move(pixels.plan->launches[0]->arguments[0]));
  auto mask = std::make_unique<BufferT>();
  mask->kind = BufferKind::Constant;
  mask->tensor = std::make_unique<TensorT>();
  mask->tensor->name = "mask";
  mask->tensor->element_type = ElementType::I1;
  mask->tensor->shape = {2, 2};
  mask->data = {0, 1, 1, 0};
  gpuChain.plan->buffers.push_back(std::move(mask));
  const Bytes originals[] = {
      serialise(gpuChain),
      serialise(makeChain(compileBodies("-DMARK_LOADING")))};
  constexpr int kMutants = 100000;
  Random random(20261121);
  std::map<grout_status, int> outcomes;
  int refusedByVerifier = 0, refusedByValidator = 0, refusedForParts = 0;
  for (int i = 0; i != kMutants; ++i) {
    // The code in the CPU artifact makes it 20 times as large.
    const Bytes &original = originals[i % 10 == 0];
    bool isRepaired = i % 2;
    Bytes mutant(original.begin() + (isRepaired ? kHeaderSize : 0),
                 original.end());
    for (size_t n = 1 + pick(random, 3); n && !mutant.empty(); --n)
      kMutations[pick(random, std::size(kMutations))](mutant, random);
    if (isRepaired)
      mutant = repair(mutant);
    grout_module *module = nullptr;
    // No terminator or spare capacity: reading past the end is an error that
    // the sanitizer sees.
    std::unique_ptr<uint8_t[]> exact(new uint8_t[mutant.size()]);
    std::copy(mutant.begin(), mutant.end(), exact.get());
    grout_status status =
        grout_module_load_memory(exact.get(), mutant.size(), &module);
    ++outcomes[status];
    std::string error = grout_last_error();
    refusedByVerifier += error.find("well-formed") != std::string::npos;
    refusedByValidator += error.compare(0, 17, "invalid artifact:") == 0;
    refusedForParts += error.find("of its kernels") != std::string::npos ||
                       error.find("its kernels have") != std::string::npos;
    ASSERT_EQ(status == GROUT_OK, module != nullptr);
    ASSERT_EQ(status == GROUT_OK, error.empty());
    grout_module_destroy(module);
  }
  // Every kind of outcome was seen, or the test tested nothing.
  EXPECT_GT(outcomes[GROUT_ERROR_INVALID_ARTIFACT], kMutants / 2);
  EXPECT_GT(outcomes[GROUT_ERROR_NEWER_VERSION], 0);
  EXPECT_GT(outcomes[GROUT_OK], 0);
  EXPECT_GT(refusedByVerifier, kMutants / 20);
  EXPECT_GT(refusedByValidator, kMutants / 100);
  EXPECT_GT(refusedForParts, kMutants / 5000);
  EXPECT_EQ(outcomes.size(), 3u);
  EXPECT_EQ(getenv("GROUT_TEST_WAS_LOADED"), nullptr);
}

TEST(Fuzz, LoadingWouldBeNoticed) {
  // The control of the test above: a session does load the code.
  unsetenv("GROUT_TEST_WAS_LOADED");
  ModulePtr module = load(makeChain(compileBodies("-DMARK_LOADING")));
  EXPECT_EQ(getenv("GROUT_TEST_WAS_LOADED"), nullptr);
  SessionPtr session = createSession(module, makeConfig(1));
  EXPECT_NE(getenv("GROUT_TEST_WAS_LOADED"), nullptr);
}

} // namespace
