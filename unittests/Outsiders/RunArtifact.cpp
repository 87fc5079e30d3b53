//===- RunArtifact.cpp - Runs what was compiled for a CPU -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "RunArtifact.h"

#include "Numbers.h"
#include "llvm/ADT/ScopeExit.h"

using namespace grout;

/// A tile that waits for so long waits for ever.
static constexpr double kTimeout = 2;

std::string test::runArtifact(llvm::ArrayRef<uint8_t> artifact, uint64_t seed,
                              llvm::ArrayRef<const void *> inputs,
                              llvm::ArrayRef<void *> outputs, grout_plan plan) {
  grout_module *module = nullptr;
  if (grout_module_load_memory(artifact.data(), artifact.size(), &module) !=
      GROUT_OK)
    return grout_last_error();
  auto destroyModule =
      llvm::make_scope_exit([&] { grout_module_destroy(module); });
  grout_session_config config;
  grout_session_config_init(&config);
  config.plan = plan;
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

/// A tensor as `info` says.
static run::HostTensor allocate(const grout_tensor_info &info) {
  run::HostTensor tensor;
  run::TensorType type;
  type.elementType = info.element_type;
  type.shape.assign(info.shape, info.shape + info.rank);
  if (tensor.allocate(info.name, type).isError())
    llvm::report_fatal_error("out of memory");
  return tensor;
}

std::string test::runArtifact(llvm::ArrayRef<uint8_t> artifact, uint64_t seed,
                              llvm::ArrayRef<std::vector<double>> inputs,
                              std::vector<run::HostTensor> &outputs,
                              grout_plan plan) {
  grout_module *module = nullptr;
  if (grout_module_load_memory(artifact.data(), artifact.size(), &module) !=
      GROUT_OK)
    return grout_last_error();
  auto destroyModule =
      llvm::make_scope_exit([&] { grout_module_destroy(module); });
  std::vector<run::HostTensor> tensors;
  grout_tensor_info info;
  for (auto [number, input] : llvm::enumerate(inputs)) {
    if (grout_module_input(module, plan, number, &info) != GROUT_OK)
      return grout_last_error();
    tensors.push_back(allocate(info));
    for (auto [i, value] : llvm::enumerate(input))
      run::writeElement(info.element_type, tensors.back().data.data(), i,
                        value);
  }
  outputs.clear();
  for (uint32_t number = 0, e = grout_module_num_outputs(module); number != e;
       ++number) {
    if (grout_module_output(module, plan, number, &info) != GROUT_OK)
      return grout_last_error();
    outputs.push_back(allocate(info));
  }
  auto in = llvm::map_to_vector(tensors, [](run::HostTensor &tensor) {
    return static_cast<const void *>(tensor.data.data());
  });
  auto out = llvm::map_to_vector(outputs, [](run::HostTensor &tensor) {
    return static_cast<void *>(tensor.data.data());
  });
  return runArtifact(artifact, seed, in, out, plan);
}
