//===- TestArtifacts.h - Artifacts to test with -----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_RUNTIME_TESTARTIFACTS_H
#define GROUT_UNITTESTS_RUNTIME_TESTARTIFACTS_H

#include "grout-c/Runtime.h"
#include "grout/Runtime/Artifact_generated.h"
#include "grout/RuntimeSupport/AlignedBytes.h"

#include <memory>
#include <string>
#include <vector>

namespace grout {
namespace test {

/// The chain's matrix, as TileBodies.c has it.
constexpr int64_t kRows = 32, kColumns = 64;
constexpr uint32_t kTileRows = 8, kTileColumns = 16;
constexpr uint32_t kRowBlocks = kRows / kTileRows;
constexpr uint32_t kElements = kRows * kColumns;

/// TileBodies.c as a shared object, compiled with the tests' sanitizers.
/// `defines` are compiler flags such as "-DFAULT_NAN". Compiles once for each.
const std::vector<uint8_t> &compileBodies(const std::string &defines = "");

/// The two-kernel chain as a persistent CPU launch, with a reference plan:
/// out[i][j] = hidden[i][63 - j] + hidden[i][0] + bias[j], hidden = 2 * in + 1.
/// `code` is the module's bytes.
artifact::ArtifactT makeChain(const std::vector<uint8_t> &code);

/// A chain of the same signature for a GPU, with every kind of argument and a
/// launch that kernels share. It is valid and cannot run.
artifact::ArtifactT makeGpuChain();

/// Makes the tensor map of makeGpuChain one that walks along pixels of images.
void makePixels(artifact::ArtifactT &artifact);

/// The bytes of a shared object's ELF header, with nothing behind it.
std::vector<uint8_t> fakeElf(uint16_t machine);

/// The artifact's file.
std::vector<uint8_t> serialise(const artifact::ArtifactT &artifact);

/// A loaded module and a session, destroyed with the owner.
struct ModuleDeleter {
  void operator()(grout_module *module) const { grout_module_destroy(module); }
};
struct SessionDeleter {
  void operator()(grout_session *session) const {
    grout_session_destroy(session);
  }
};
using ModulePtr = std::unique_ptr<grout_module, ModuleDeleter>;
using SessionPtr = std::unique_ptr<grout_session, SessionDeleter>;

/// Loads an artifact that must be valid.
ModulePtr load(const artifact::ArtifactT &artifact);

/// The message with which loading is refused, or "" if it is not.
std::string loadError(const artifact::ArtifactT &artifact);

/// The defaults with a number of workers and a short timeout.
grout_session_config makeConfig(uint32_t workers);

/// Creates a session that must be created.
SessionPtr createSession(const ModulePtr &module,
                         const grout_session_config &config);

/// Buffers for the chain, with inputs filled in.
class ChainBuffers {
public:
  ChainBuffers();
  /// Fills the output with NaN, runs, and returns the status.
  grout_status run(const SessionPtr &session);
  /// How many elements of the output are not exactly right.
  uint32_t countWrong() const;

  runtime::AlignedBytes in, bias, out;
};

} // namespace test
} // namespace grout

#endif // GROUT_UNITTESTS_RUNTIME_TESTARTIFACTS_H
