//===- RunArtifact.cpp - Runs what was compiled for a CPU -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "RunArtifact.h"

#include "llvm/ADT/ScopeExit.h"

using namespace grout;

/// A tile that waits for so long waits for ever.
static constexpr double kTimeout = 2;

std::string test::runArtifact(llvm::ArrayRef<uint8_t> artifact, uint64_t seed,
                              llvm::ArrayRef<const void *> inputs,
                              llvm::ArrayRef<void *> outputs) {
  grout_module *module = nullptr;
  if (grout_module_load_memory(artifact.data(), artifact.size(), &module) !=
      GROUT_OK)
    return grout_last_error();
  auto destroyModule =
      llvm::make_scope_exit([&] { grout_module_destroy(module); });
  grout_session_config config;
  grout_session_config_init(&config);
  config.workers = 4;
  config.poison_intermediates = 1;
  config.delay_seed = seed;
  config.timeout_seconds = kTimeout;
  grout_session *session = nullptr;
  if (grout_session_create(module, &config, &session) != GROUT_OK)
    return grout_last_error();
  auto destroySession =
      llvm::make_scope_exit([&] { grout_session_destroy(session); });
  if (grout_session_run(session, inputs.data(), outputs.data(), nullptr) !=
      GROUT_OK)
    return grout_last_error();
  return "";
}
