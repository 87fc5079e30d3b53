//===- CodeImage.h - Loading a module's code onto a GPU ---------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_CUDA_CODEIMAGE_H
#define GROUT_LIB_RUNTIME_CUDA_CODEIMAGE_H

#include "Driver.h"

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

/// A module of the driver, unloaded with the owner.
class CodeImage {
public:
  CodeImage() = default;
  CodeImage(const CodeImage &) = delete;
  CodeImage &operator=(const CodeImage &) = delete;
  ~CodeImage();

  /// Loads the cubin if it is for this GPU, and otherwise compiles the PTX. The
  /// context must be current, here and when the owner ends. `source` must live
  /// as long as the owner.
  Status load(const DriverFunctions &driver, const DeviceInfo &device,
              const artifact::Module &source);

  /// Loads PTX that any GPU can compile. `text` ends with a NUL.
  Status loadPtx(const DriverFunctions &driver, const char *text);

  Status lookUp(const char *name, Function &function) const;

  /// How many parameters a kernel of what `load` loaded takes, if the code says
  /// so.
  std::optional<size_t> countParameters(const std::string &name) const;

private:
  Status loadBytes(const DriverFunctions &driver, const void *bytes,
                   bool isCubin);

  const DriverFunctions *driver = nullptr;
  Module module = nullptr;
  /// What `load` loaded.
  const uint8_t *code = nullptr;
  size_t codeSize = 0;
  bool codeIsCubin = false;
};

} // namespace cuda
} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CUDA_CODEIMAGE_H
