//===- Npy.h - NumPy's array files ------------------------------*- C++ -*-===//
//
// Part of Grout. Reads and writes the .npy format (versions 1.0, 2.0 and 3.0,
// numpy.lib.format) for dense row-major arrays of the element types that
// artifacts have. NumPy has no bfloat16: files have it as '<V2', as ml_dtypes
// saves it, or as '<u2' if the user asks for that. Integers are written with a
// sign, and read with or without a sign.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_NPY_H
#define GROUT_TOOLS_GROUT_RUN_NPY_H

#include "HostTensor.h"

#include <vector>

namespace grout {
namespace run {

/// The form of bfloat16 in files.
enum class BFloatFiles {
  Void2,  // '<V2'
  Uint16, // '<u2'
};

/// Reads the elements of a file into `tensor`, which is allocated. The file's
/// array must have the type of `tensor`.
Status readNpy(const std::string &path, BFloatFiles bfloat, HostTensor &tensor);

Status writeNpy(const std::string &path, BFloatFiles bfloat,
                const HostTensor &tensor);

/// The contents of a file's header.
struct NpyHeader {
  std::string descr;
  bool fortranOrder = false;
  std::vector<int64_t> shape;
  /// The offset of the elements in the file.
  uint64_t dataOffset = 0;
};

/// Parses the header in a file's first bytes.
Status parseNpyHeader(const std::vector<uint8_t> &bytes, NpyHeader &header);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_NPY_H
