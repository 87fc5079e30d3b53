//===- LoadedModule.cpp - An artifact in memory ---------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "LoadedModule.h"
#include "Validate.h"
#include "grout/Runtime/ArtifactFile.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime;

static Status readFile(const char *path, std::vector<uint8_t> &bytes) {
  std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(path, "rb"),
                                              std::fclose);
  auto failure = [&](const char *what) {
    return Status::error(GROUT_ERROR_IO, "cannot ", what, " '", path,
                         "': ", std::strerror(errno));
  };
  if (!file)
    return failure("open");
  // Read without seeking, so that pipes work, too.
  constexpr size_t kStep = size_t(1) << 20;
  size_t size = 0;
  while (true) {
    bytes.resize(size + kStep);
    size_t count = std::fread(bytes.data() + size, 1, kStep, file.get());
    size += count;
    if (count < kStep) {
      bytes.resize(size);
      return std::ferror(file.get()) ? failure("read") : Status::ok();
    }
    if (size > kMaxPayloadSize + kHeaderSize)
      return Status::error(GROUT_ERROR_INVALID_ARTIFACT, "'", path,
                           "' is larger than an artifact can be");
  }
}

static grout_status statusOf(HeaderError error) {
  return error == HeaderError::NewerVersion ? GROUT_ERROR_NEWER_VERSION
                                            : GROUT_ERROR_INVALID_ARTIFACT;
}

Status LoadedModule::loadFile(const char *path,
                              std::shared_ptr<const LoadedModule> &module) {
  std::vector<uint8_t> bytes;
  GROUT_RETURN_IF_ERROR(readFile(path, bytes));
  return loadMemory(bytes.data(), bytes.size(), module)
      .in("'" + std::string(path) + "'");
}

Status LoadedModule::loadMemory(const void *data, size_t size,
                                std::shared_ptr<const LoadedModule> &module) {
  UnwrappedArtifact file = unwrapArtifact(data, size);
  if (file.error != HeaderError::None)
    return Status::error(statusOf(file.error), file.message);
  std::shared_ptr<LoadedModule> loaded(new LoadedModule());
  loaded->payload.assign(file.payload, file.payload + file.size);

  GROUT_RETURN_IF_ERROR(
      validatePayload(loaded->payload.data(), loaded->payload.size())
          .in("invalid artifact"));
  loaded->root = GetArtifact(loaded->payload.data());
  module = std::move(loaded);
  return Status::ok();
}

const Plan *LoadedModule::plan(grout_plan which) const {
  switch (which) {
  case GROUT_PLAN_COMPILED:
    return root->plan();
  case GROUT_PLAN_REFERENCE:
    return root->reference();
  case GROUT_PLAN_INVALID:
    break;
  }
  return nullptr;
}

const Buffer &LoadedModule::binding(const Plan &plan, BufferKind kind,
                                    uint32_t index) const {
  for (const Buffer *buffer : *plan.buffers())
    if (buffer->kind() == kind && buffer->index() == index)
      return *buffer;
  // The validator has checked that every index has a buffer, and callers check
  // their indices.
  std::abort();
}
