//===- FuzzArtifact.cpp - Any bytes as an artifact ------------------------===//
//
// Part of Grout. Bytes are loaded as they are, and as the payload behind a
// header that fits. Whatever loads is printed.
//
//===----------------------------------------------------------------------===//

#include "Info.h"
#include "TestArtifacts.h"
#include "grout/Runtime/ArtifactFile.h"

#include <algorithm>
#include <sstream>

using namespace grout;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

static void load(const uint8_t *data, size_t size) {
  std::shared_ptr<const runtime::LoadedModule> module;
  if (runtime::LoadedModule::loadMemory(data, size, module).isError())
    return;
  std::ostringstream out;
  run::printInfo(*module, out);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  load(data, size);
  std::vector<uint8_t> wrapped = artifact::wrapArtifact(data, size);
  load(wrapped.data(), wrapped.size());
  return 0;
}

/// Starts from a valid artifact: what FlatBuffers accepts is not found by
/// chance.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  static const std::vector<uint8_t> valid =
      test::serialise(test::makeGpuChain());
  const size_t payload = valid.size() - artifact::kHeaderSize;
  constexpr unsigned kOneIn = 64;
  if (payload <= maxSize && (size < payload / 2 || seed % kOneIn == 0)) {
    std::copy_n(valid.begin() + artifact::kHeaderSize, payload, data);
    size = payload;
  }
  return LLVMFuzzerMutate(data, size, maxSize);
}
