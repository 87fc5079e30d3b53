//===- KernelParameters.h - How many parameters kernels take ----*- C++ -*-===//
//
// Part of Grout. Read from the code, as asking the driver for a parameter that
// is not there is an error, which compute-sanitizer reports.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_CUDA_KERNELPARAMETERS_H
#define GROUT_LIB_RUNTIME_CUDA_KERNELPARAMETERS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace grout {
namespace runtime {
namespace cuda {

/// The parameters of kernel `name` in PTX; nothing if it has no such kernel.
std::optional<size_t> countParametersInPtx(std::string_view text,
                                           std::string_view name);

/// The parameters of kernel `name` in a cubin, whatever its bytes are; nothing
/// if they do not say it in the form that ptxas of CUDA 12 and 13 writes.
std::optional<size_t> countParametersInCubin(const uint8_t *bytes, size_t size,
                                             const std::string &name);

} // namespace cuda
} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CUDA_KERNELPARAMETERS_H
