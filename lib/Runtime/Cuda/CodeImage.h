//===- CodeImage.h - Loading a module's code onto a GPU ---------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_CUDA_CODEIMAGE_H
#define GROUT_LIB_RUNTIME_CUDA_CODEIMAGE_H

#include "grout/RuntimeSupport/Cuda/DriverModule.h"

#include <optional>

namespace grout {
namespace artifact {
struct Module;
} // namespace artifact

namespace runtime {
namespace cuda {

/// Whether a GPU of this compute capability can run a cubin (`isCubin`), or
/// compile PTX, for `target`. "sm_90" cubins run on 9.x from 9.0, its PTX on
/// everything from 9.0; "sm_90a" code runs on 9.0 only; "sm_100f" code runs on
/// 10.x from 10.0. A target that is not of this form does not match.
bool targetMatches(const std::string &target, bool isCubin, int major,
                   int minor);

/// The code of an artifact's module, loaded.
class CodeImage {
public:
  /// Loads the cubin if it is for this GPU, and otherwise compiles the PTX. The
  /// context must be current, here and when the owner ends. `source` must live
  /// as long as the owner.
  Status load(const DriverFunctions &driver, const DeviceInfo &device,
              const artifact::Module &source);

  Status lookUp(const char *name, Function &function) const {
    return module.lookUp(name, function);
  }

  /// How many parameters a kernel takes, if the code says so.
  std::optional<size_t> countParameters(const std::string &name) const;

private:
  DriverModule module;
  const uint8_t *code = nullptr;
  size_t codeSize = 0;
  bool codeIsCubin = false;
};

} // namespace cuda
} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CUDA_CODEIMAGE_H
