//===- RuntimeCApi.cpp - The C API of the runtime -------------------------===//
//
// Part of Grout. This file only checks for null, stores the last error, and
// stops exceptions.
//
//===----------------------------------------------------------------------===//

#include "DescribeModule.h"
#include "LoadedModule.h"
#include "Precision.h"
#include "Session.h"

#include <cstring>
#include <exception>
#include <new>

using namespace grout;
using namespace grout::runtime;

struct grout_module {
  std::shared_ptr<const LoadedModule> loaded;
};

struct grout_session {
  std::unique_ptr<Session> session;
};

static thread_local std::string lastError;

/// Runs `body`, which returns a Status, and records its message.
template <typename Body> static grout_status guarded(const Body &body) {
  try {
    Status status = body();
    lastError = status.message();
    return status.code();
  } catch (const std::bad_alloc &) {
    // This text is so short that it needs no allocation.
    lastError = "out of memory";
    return GROUT_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception &error) {
    lastError = error.what();
    return GROUT_ERROR_INTERNAL;
  }
}

static Status nullPointer() {
  return Status::error(GROUT_ERROR_INVALID_ARGUMENT,
                       "an argument is a null pointer");
}

static Status checkNotNull(std::initializer_list<const void *> pointers) {
  for (const void *pointer : pointers)
    if (!pointer)
      return nullPointer();
  return Status::ok();
}

static const artifact::Plan *findPlan(const grout_module *module,
                                      grout_plan plan) {
  return module->loaded->plan(plan);
}

static Status missingPlan() {
  return Status::error(GROUT_ERROR_NOT_FOUND, "the artifact has no such plan");
}

uint32_t grout_runtime_api_version(void) { return GROUT_RUNTIME_API_VERSION; }

const char *grout_element_type_name(grout_element_type type) {
  auto element = static_cast<artifact::ElementType>(type);
  return elementSize(element) ? elementName(element) : nullptr;
}

uint64_t grout_element_type_size(grout_element_type type) {
  return elementSize(static_cast<artifact::ElementType>(type));
}

const char *grout_last_error(void) { return lastError.c_str(); }

grout_status grout_module_load_file(const char *path, grout_module **module) {
  return guarded([&] {
    GROUT_RETURN_IF_ERROR(checkNotNull({path, static_cast<void *>(module)}));
    std::shared_ptr<const LoadedModule> loaded;
    GROUT_RETURN_IF_ERROR(LoadedModule::loadFile(path, loaded));
    *module = new grout_module{std::move(loaded)};
    return Status::ok();
  });
}

grout_status grout_module_load_memory(const void *data, size_t size,
                                      grout_module **module) {
  return guarded([&] {
    GROUT_RETURN_IF_ERROR(checkNotNull({data, static_cast<void *>(module)}));
    std::shared_ptr<const LoadedModule> loaded;
    GROUT_RETURN_IF_ERROR(LoadedModule::loadMemory(data, size, loaded));
    *module = new grout_module{std::move(loaded)};
    return Status::ok();
  });
}

void grout_module_destroy(grout_module *module) { delete module; }

const char *grout_module_producer(const grout_module *module) {
  return module->loaded->artifact().producer()->c_str();
}

const char *grout_module_entry(const grout_module *module) {
  return module->loaded->artifact().entry()->c_str();
}

const char *grout_module_target(const grout_module *module) {
  return module->loaded->artifact().target()->c_str();
}

const char *grout_module_mode(const grout_module *module) {
  return module->loaded->artifact().mode()->c_str();
}

int grout_module_has_plan(const grout_module *module, grout_plan plan) {
  return findPlan(module, plan) != nullptr;
}

grout_status grout_module_device(const grout_module *module, grout_plan plan,
                                 grout_device *device) {
  return guarded([&] {
    GROUT_RETURN_IF_ERROR(checkNotNull({module, device}));
    const artifact::Plan *found = findPlan(module, plan);
    if (!found)
      return missingPlan();
    *device = runsOnGpu(module->loaded->artifact(), *found) ? GROUT_DEVICE_CUDA
                                                            : GROUT_DEVICE_CPU;
    return Status::ok();
  });
}

grout_status grout_module_workspace(const grout_module *module, grout_plan plan,
                                    uint64_t *bytes) {
  return guarded([&] {
    GROUT_RETURN_IF_ERROR(checkNotNull({module, bytes}));
    const artifact::Plan *found = findPlan(module, plan);
    if (!found)
      return missingPlan();
    *bytes = found->workspace();
    return Status::ok();
  });
}

grout_status grout_module_symmetric(const grout_module *module, grout_plan plan,
                                    uint64_t *bytes, uint32_t *ranks) {
  return guarded([&] {
    GROUT_RETURN_IF_ERROR(checkNotNull({module, bytes, ranks}));
    const artifact::Plan *found = findPlan(module, plan);
    if (!found)
      return missingPlan();
    *bytes = found->symmetric();
    *ranks = found->ranks();
    return Status::ok();
  });
}

uint32_t grout_module_num_inputs(const grout_module *module) {
  return module->loaded->artifact().inputs()->size();
}

uint32_t grout_module_num_outputs(const grout_module *module) {
  return module->loaded->artifact().outputs()->size();
}

static Status describeTensor(const grout_module *module, grout_plan plan,
                             artifact::BufferKind kind, uint32_t index,
                             grout_tensor_info *info) {
  GROUT_RETURN_IF_ERROR(checkNotNull({module, info}));
  const artifact::Plan *found = findPlan(module, plan);
  if (!found)
    return missingPlan();
  const artifact::Artifact &artifact = module->loaded->artifact();
  bool isInput = kind == artifact::BufferKind::Input;
  const auto &signature = isInput ? *artifact.inputs() : *artifact.outputs();
  if (index >= signature.size())
    return Status::error(GROUT_ERROR_INVALID_ARGUMENT, "there is no ",
                         isInput ? "input " : "output ", index,
                         "; the function has ", signature.size());
  // The name is that of the signature; a reference plan may use another.
  info->name = signature.Get(index)->name()->c_str();
  const artifact::Tensor &tensor =
      *module->loaded->binding(*found, kind, index).tensor();
  info->element_type = static_cast<grout_element_type>(tensor.element_type());
  info->rank = tensor.shape()->size();
  info->shape = tensor.shape()->data();
  info->bytes = tensorBytes(tensor);
  return Status::ok();
}

grout_status grout_module_input(const grout_module *module, grout_plan plan,
                                uint32_t index, grout_tensor_info *info) {
  return guarded([&] {
    return describeTensor(module, plan, artifact::BufferKind::Input, index,
                          info);
  });
}

grout_status grout_module_output(const grout_module *module, grout_plan plan,
                                 uint32_t index, grout_tensor_info *info) {
  return guarded([&] {
    return describeTensor(module, plan, artifact::BufferKind::Output, index,
                          info);
  });
}

int64_t grout_module_in_place(const grout_module *module, grout_plan plan,
                              uint32_t index) {
  const artifact::Plan *found = findPlan(module, plan);
  if (found && found->in_place())
    for (const artifact::InPlace *pair : *found->in_place())
      if (pair->output() == index)
        return pair->input();
  return -1;
}

grout_status grout_module_precision(const grout_module *module, grout_plan plan,
                                    grout_element_type *type) {
  return guarded([&] {
    GROUT_RETURN_IF_ERROR(checkNotNull({module, type}));
    const artifact::Plan *found = findPlan(module, plan);
    if (!found)
      return missingPlan();
    *type = static_cast<grout_element_type>(
        findPrecision(module->loaded->artifact(), *found));
    return Status::ok();
  });
}

grout_status grout_module_describe(const grout_module *module,
                                   grout_text_writer write, void *user) {
  return guarded([&] {
    GROUT_RETURN_IF_ERROR(checkNotNull({module}));
    if (!write)
      return nullPointer();
    std::ostringstream out;
    describeModule(*module->loaded, out);
    std::string text = out.str();
    write(text.data(), text.size(), user);
    return Status::ok();
  });
}

void grout_session_config_init(grout_session_config *config) {
  if (!config)
    return;
  *config = grout_session_config();
  config->struct_size = sizeof(grout_session_config);
  config->plan = GROUT_PLAN_COMPILED;
  config->timeout_seconds = 60;
}

/// Copies the caller's configuration. It may come from an older version with
/// fewer fields.
static Status readConfig(const grout_session_config *given,
                         grout_session_config &config) {
  grout_session_config_init(&config);
  if (!given)
    return Status::ok();
  if (given->struct_size < offsetof(grout_session_config, plan) ||
      given->struct_size > sizeof(grout_session_config))
    return Status::error(GROUT_ERROR_INVALID_ARGUMENT,
                         "the session configuration has a size of ",
                         given->struct_size, " bytes, not at most ",
                         sizeof(grout_session_config),
                         "; call grout_session_config_init first");
  std::memcpy(static_cast<void *>(&config), given, given->struct_size);
  return Status::ok();
}

grout_status grout_session_create(const grout_module *module,
                                  const grout_session_config *config,
                                  grout_session **session) {
  return guarded([&] {
    GROUT_RETURN_IF_ERROR(checkNotNull({module, static_cast<void *>(session)}));
    grout_session_config read;
    GROUT_RETURN_IF_ERROR(readConfig(config, read));
    auto created = std::make_unique<grout_session>();
    GROUT_RETURN_IF_ERROR(
        Session::create(module->loaded, read, created->session));
    *session = created.release();
    return Status::ok();
  });
}

grout_status grout_session_run(grout_session *session,
                               const void *const *inputs, void *const *outputs,
                               void *stream) {
  return guarded([&] {
    GROUT_RETURN_IF_ERROR(checkNotNull({session}));
    return session->session->run(inputs, outputs, std::nullopt, stream);
  });
}

grout_status grout_session_run_in(grout_session *session,
                                  const void *const *inputs,
                                  void *const *outputs, void *workspace,
                                  uint64_t workspace_bytes, void *stream) {
  return guarded([&] {
    GROUT_RETURN_IF_ERROR(checkNotNull({session}));
    return session->session->run(
        inputs, outputs, CallerWorkspace{workspace, workspace_bytes}, stream);
  });
}

grout_status grout_session_check(grout_session *session) {
  return guarded([&] {
    GROUT_RETURN_IF_ERROR(checkNotNull({session}));
    return session->session->check();
  });
}

grout_status grout_session_read_trace(grout_session *session,
                                      const grout_trace_record **records,
                                      uint64_t *count, uint64_t *lost) {
  return guarded([&] {
    GROUT_RETURN_IF_ERROR(
        checkNotNull({session, static_cast<void *>(records), count, lost}));
    const Trace *trace = nullptr;
    GROUT_RETURN_IF_ERROR(session->session->readTrace(trace));
    *records = trace->records.data();
    *count = trace->records.size();
    *lost = trace->lost;
    return Status::ok();
  });
}

grout_status grout_session_skip_epochs(grout_session *session,
                                       uint32_t epochs) {
  return guarded([&] {
    GROUT_RETURN_IF_ERROR(checkNotNull({session}));
    return session->session->skipEpochs(epochs);
  });
}

grout_status grout_session_describe_state(const grout_session *session,
                                          grout_text_writer write, void *user) {
  return guarded([&] {
    GROUT_RETURN_IF_ERROR(checkNotNull({session}));
    if (!write)
      return nullPointer();
    session->session->describeState([&](const std::string &line) {
      std::string text = line + '\n';
      write(text.data(), text.size(), user);
    });
    return Status::ok();
  });
}

void grout_session_destroy(grout_session *session) { delete session; }
