//===- KernelParameters.h - How many parameters kernels take ----*- C++ -*-===//
//
// Part of Grout. Reads the number from the code. If you ask the driver for a
// parameter that does not exist, it returns an error, which compute-sanitizer
// reports.
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

/// Counts the parameters of kernel `name` in PTX. Returns nothing if the PTX
/// has no such kernel.
std::optional<size_t> countParametersInPtx(std::string_view text,
                                           std::string_view name);

/// Counts the parameters of kernel `name` in a cubin, which may consist of any
/// bytes. Returns nothing if the cubin does not have the number in the form
/// that ptxas of CUDA 12 and 13 writes.
std::optional<size_t> countParametersInCubin(const uint8_t *bytes, size_t size,
                                             const std::string &name);

} // namespace cuda
} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CUDA_KERNELPARAMETERS_H
