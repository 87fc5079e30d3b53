//===- LoadedModule.h - An artifact in memory -------------------*- C++ -*-===//
//
// Part of Grout. A LoadedModule exists only for a valid artifact, so code that
// has a LoadedModule can use its offsets and indices without more checks.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_LOADEDMODULE_H
#define GROUT_LIB_RUNTIME_LOADEDMODULE_H

#include "ArtifactTypes.h"
#include "grout/RuntimeSupport/Status.h"

#include <memory>
#include <vector>

namespace grout {
namespace runtime {

class LoadedModule {
public:
  static Status loadFile(const char *path,
                         std::shared_ptr<const LoadedModule> &module);
  static Status loadMemory(const void *data, size_t size,
                           std::shared_ptr<const LoadedModule> &module);

  const artifact::Artifact &artifact() const { return *root; }

  /// Returns the plan, or null if the artifact does not have it.
  const artifact::Plan *plan(grout_plan which) const;

  /// Returns the buffer of input or output `index` of a plan, with its name and
  /// type.
  const artifact::Buffer &binding(const artifact::Plan &plan,
                                  artifact::BufferKind kind,
                                  uint32_t index) const;

private:
  LoadedModule() = default;

  /// The FlatBuffer. It must be aligned for its largest scalar; vectors from
  /// operator new are.
  std::vector<uint8_t> payload;
  const artifact::Artifact *root = nullptr;
};

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_LOADEDMODULE_H
