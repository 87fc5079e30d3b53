//===- FuzzArtifact.cpp - Any bytes as an artifact ------------------------===//
//
// Part of Grout. Bytes are loaded as they are, and as the payload behind a
// header that fits. Whatever loads is described.
//
//===----------------------------------------------------------------------===//

#include "TestArtifacts.h"
#include "grout/Runtime/ArtifactFile.h"

#include <algorithm>

using namespace grout;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

static void load(const uint8_t *data, size_t size) {
  grout_module *module = nullptr;
  if (grout_module_load_memory(data, size, &module) != GROUT_OK)
    return;
  test::ModulePtr owned(module);
  auto ignore = [](const char *, size_t, void *) {};
  grout_module_describe(module, ignore, nullptr);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  load(data, size);
  std::vector<uint8_t> wrapped = artifact::wrapArtifact(data, size);
  load(wrapped.data(), wrapped.size());
  return 0;
}

/// A valid artifact, whose tensor map is of boxes and then of pixels.
static std::vector<uint8_t> makeValid() {
  artifact::ArtifactT chain = test::makeGpuChain();
  artifact::ArtifactT pixels = test::makeGpuChain();
  test::makePixels(pixels);
  chain.plan->launches[0]->arguments.push_back(
      std::move(pixels.plan->launches[0]->arguments[0]));
  return test::serialise(chain);
}

/// Starts from a valid artifact: what FlatBuffers accepts is not found by
/// chance.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  static const std::vector<uint8_t> valid = makeValid();
  const size_t payload = valid.size() - artifact::kHeaderSize;
  constexpr unsigned kOneIn = 64;
  if (payload <= maxSize && (size < payload / 2 || seed % kOneIn == 0)) {
    std::copy_n(valid.begin() + artifact::kHeaderSize, payload, data);
    size = payload;
  }
  return LLVMFuzzerMutate(data, size, maxSize);
}
